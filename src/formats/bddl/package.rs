//! Which members of the published `bddl` package are problems and hierarchies, be it a folder or an archive: members are
//! told apart by their paths.

/// A problem in a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The activity, such as `making_tea`, as the folder writes it.
    pub activity: String,
    /// Which definition of the activity.
    pub definition: u32,
    /// The member's path.
    pub path: String,
}

/// The folder that holds a folder for each activity.
const DEFINITIONS: &str = "activity_definitions";

/// Hierarchies, the one to be preferred first: of types that have objects, of all types, of later versions.
const HIERARCHIES: [&str; 3] = [
    "hierarchy_owned.json",
    "hierarchy_all.json",
    "output_hierarchy.json",
];

/// The problems among the paths of a package, sorted by activity.
pub fn problems<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<Entry> {
    let mut found: Vec<Entry> = paths.filter_map(entry).collect();
    found.sort();
    found
}

fn entry(path: &str) -> Option<Entry> {
    let mut parts = path.rsplit('/');
    let number = parts
        .next()?
        .strip_prefix("problem")?
        .strip_suffix(".bddl")?;
    let activity = parts.next()?;
    if parts.next()? != DEFINITIONS {
        return None;
    }
    Some(Entry {
        activity: activity.to_owned(),
        definition: number.parse().ok()?,
        path: path.to_owned(),
    })
}

/// The hierarchy among the paths of a package.
pub fn hierarchy<'p>(paths: impl Iterator<Item = &'p str>) -> Option<&'p str> {
    let rank = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        HIERARCHIES.iter().position(|h| *h == name)
    };
    let ranked = paths.filter_map(|p| Some((rank(p)?, p)));
    ranked.min().map(|(_, path)| path)
}
