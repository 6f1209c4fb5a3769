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
