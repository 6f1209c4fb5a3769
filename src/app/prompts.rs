//! Prompt files as screens have them.

/// A prompt file in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptFile {
    /// Its name, without the ending.
    pub name: String,
    /// The user's file; none where the shipped one is in force.
    pub path: Option<String>,
    /// Its text.
    pub text: String,
}

impl PromptFile {
    /// Where it comes from, in a word or its path.
    pub fn source(&self) -> &str {
        self.path.as_deref().unwrap_or("shipped")
    }
}
