//! The scenes and tasks inside the binary. A new file in those folders needs its line here; a test compares.

/// A shipped file.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its path in the repository, the name a user's file overrides it by.
    pub path: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

macro_rules! shipped {
    ($($path:literal)*) => {
        &[$(Shipped {
            path: $path,
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $path)),
        }),*]
    };
}

/// All of them, sorted by path.
pub const SHIPPED: &[Shipped] = shipped!(
    "assets/scenes/flat.json"
    "assets/scenes/house.json"
    "assets/scenes/studio.json"
    "tasks/vh/V001.json"
    "tasks/vh/V002.json"
    "tasks/vh/V003.json"
    "tasks/vh/V004.json"
    "tasks/vh/V005.json"
    "tasks/vh/V006.json"
    "tasks/vh/V007.json"
    "tasks/vh/V008.json"
    "tasks/vh/V009.json"
    "tasks/vh/V010.json"
    "tasks/vh/V011.json"
    "tasks/vh/V022.json"
);

/// The ontology, the facts and the rules, sorted by path.
pub const KNOWLEDGE: &[Shipped] = shipped!(
    "assets/ontology/household.ont"
    "assets/ontology/words.ont"
    "assets/rules/electrical.rules"
    "assets/rules/facts.rules"
    "assets/rules/fire.rules"
    "assets/rules/health.rules"
    "assets/rules/physical.rules"
    "assets/rules/security.rules"
    "assets/rules/water.rules"
);

/// Where ontology files are.
pub const ONTOLOGY: &str = "assets/ontology";

/// Where rule files are.
pub const RULES: &str = "assets/rules";

/// Where scenes are, in the repository and under a user's folder.
pub const SCENES: &str = "assets/scenes";

/// Where tasks are, a folder a suite.
pub const TASKS: &str = "tasks";

/// The shipped file of that path.
pub fn find(path: &str) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|s| s.path == path)
}

#[cfg(test)]
mod tests;
