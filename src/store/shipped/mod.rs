//! The scenes and tasks inside the binary. A new file in those folders needs its line here; a test compares.

use crate::base::diag::Diagnostic;
use crate::formats::scene::{self, Which};
use crate::sim::scene::Scene;
use crate::sim::vocab::Dialect;

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
    "assets/scenes/bakery.json"
    "assets/scenes/bureau.json"
    "assets/scenes/carport.json"
    "assets/scenes/chamber.json"
    "assets/scenes/flat.json"
    "assets/scenes/house.json"
    "assets/scenes/larder.json"
    "assets/scenes/nook.json"
    "assets/scenes/parlour.json"
    "assets/scenes/studio.json"
    "assets/scenes/terrace.json"
    "assets/scenes/washroom.json"
    "tasks/b50/B01.json"
    "tasks/b50/B02.json"
    "tasks/b50/B03.json"
    "tasks/b50/B04.json"
    "tasks/b50/B05.json"
    "tasks/b50/B06.json"
    "tasks/b50/B07.json"
    "tasks/b50/B08.json"
    "tasks/b50/B09.json"
    "tasks/b50/B10.json"
    "tasks/b50/B11.json"
    "tasks/b50/B12.json"
    "tasks/b50/B13.json"
    "tasks/b50/B14.json"
    "tasks/b50/B15.json"
    "tasks/b50/B16.json"
    "tasks/b50/B17.json"
    "tasks/b50/B18.json"
    "tasks/b50/B19.json"
    "tasks/b50/B20.json"
    "tasks/b50/B21.json"
    "tasks/b50/B22.json"
    "tasks/b50/B23.json"
    "tasks/b50/B24.json"
    "tasks/b50/B25.json"
    "tasks/b50/B26.json"
    "tasks/b50/B27.json"
    "tasks/b50/B28.json"
    "tasks/b50/B29.json"
    "tasks/b50/B30.json"
    "tasks/b50/B31.json"
    "tasks/b50/B32.json"
    "tasks/b50/B33.json"
    "tasks/b50/B34.json"
    "tasks/b50/B35.json"
    "tasks/b50/B36.json"
    "tasks/b50/B37.json"
    "tasks/b50/B38.json"
    "tasks/b50/B39.json"
    "tasks/b50/B40.json"
    "tasks/b50/B41.json"
    "tasks/b50/B42.json"
    "tasks/b50/B43.json"
    "tasks/b50/B44.json"
    "tasks/b50/B45.json"
    "tasks/b50/B46.json"
    "tasks/b50/B47.json"
    "tasks/b50/B48.json"
    "tasks/b50/B49.json"
    "tasks/b50/B50.json"
    "tasks/vh-twins/V003n.json"
    "tasks/vh-twins/V004n.json"
    "tasks/vh-twins/V005n.json"
    "tasks/vh-twins/V006n.json"
    "tasks/vh-twins/V008n.json"
    "tasks/vh-twins/V010n.json"
    "tasks/vh-twins/V011n.json"
    "tasks/vh-twins/V012n.json"
    "tasks/vh-twins/V014n.json"
    "tasks/vh-twins/V016n.json"
    "tasks/vh-twins/V018n.json"
    "tasks/vh-twins/V020n.json"
    "tasks/vh-twins/V022n.json"
    "tasks/vh-twins/V026n.json"
    "tasks/vh-twins/V028n.json"
    "tasks/vh-twins/V030n.json"
    "tasks/vh-twins/V032n.json"
    "tasks/vh-twins/V034n.json"
    "tasks/vh-twins/V036n.json"
    "tasks/vh-twins/V038n.json"
    "tasks/vh-twins/V039n.json"
    "tasks/vh-twins/V041n.json"
    "tasks/vh-twins/V042n.json"
    "tasks/vh-twins/V044n.json"
    "tasks/vh-twins/V046n.json"
    "tasks/vh-twins/V047n.json"
    "tasks/vh-twins/V048n.json"
    "tasks/vh-twins/V050n.json"
    "tasks/vh-twins/V052n.json"
    "tasks/vh-twins/V053n.json"
    "tasks/vh-twins/V055n.json"
    "tasks/vh-twins/V056n.json"
    "tasks/vh-twins/V058n.json"
    "tasks/vh-twins/V059n.json"
    "tasks/vh-twins/V060n.json"
    "tasks/vh-twins/V062n.json"
    "tasks/vh-twins/V063n.json"
    "tasks/vh-twins/V064n.json"
    "tasks/vh-twins/V066n.json"
    "tasks/vh-twins/V067n.json"
    "tasks/vh-twins/V068n.json"
    "tasks/vh-twins/V070n.json"
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
    "tasks/vh/V012.json"
    "tasks/vh/V013.json"
    "tasks/vh/V014.json"
    "tasks/vh/V015.json"
    "tasks/vh/V016.json"
    "tasks/vh/V017.json"
    "tasks/vh/V018.json"
    "tasks/vh/V019.json"
    "tasks/vh/V020.json"
    "tasks/vh/V021.json"
    "tasks/vh/V022.json"
    "tasks/vh/V023.json"
    "tasks/vh/V024.json"
    "tasks/vh/V025.json"
    "tasks/vh/V026.json"
    "tasks/vh/V027.json"
    "tasks/vh/V028.json"
    "tasks/vh/V029.json"
    "tasks/vh/V030.json"
    "tasks/vh/V031.json"
    "tasks/vh/V032.json"
    "tasks/vh/V033.json"
    "tasks/vh/V034.json"
    "tasks/vh/V035.json"
    "tasks/vh/V036.json"
    "tasks/vh/V037.json"
    "tasks/vh/V038.json"
    "tasks/vh/V039.json"
    "tasks/vh/V040.json"
    "tasks/vh/V041.json"
    "tasks/vh/V042.json"
    "tasks/vh/V043.json"
    "tasks/vh/V044.json"
    "tasks/vh/V045.json"
    "tasks/vh/V046.json"
    "tasks/vh/V047.json"
    "tasks/vh/V048.json"
    "tasks/vh/V049.json"
    "tasks/vh/V050.json"
    "tasks/vh/V051.json"
    "tasks/vh/V052.json"
    "tasks/vh/V053.json"
    "tasks/vh/V054.json"
    "tasks/vh/V055.json"
    "tasks/vh/V056.json"
    "tasks/vh/V057.json"
    "tasks/vh/V058.json"
    "tasks/vh/V059.json"
    "tasks/vh/V060.json"
    "tasks/vh/V061.json"
    "tasks/vh/V062.json"
    "tasks/vh/V063.json"
    "tasks/vh/V064.json"
    "tasks/vh/V065.json"
    "tasks/vh/V066.json"
    "tasks/vh/V067.json"
    "tasks/vh/V068.json"
    "tasks/vh/V069.json"
    "tasks/vh/V070.json"
    "tasks/vh/V071.json"
    "tasks/vh/V072.json"
    "tasks/vh/V073.json"
    "tasks/vh/V074.json"
    "tasks/vh/V075.json"
    "tasks/vh/V076.json"
    "tasks/vh/V077.json"
    "tasks/vh/V078.json"
    "tasks/vh/V079.json"
    "tasks/vh/V080.json"
    "tasks/vh/V081.json"
    "tasks/vh/V082.json"
    "tasks/vh/V083.json"
    "tasks/vh/V084.json"
    "tasks/vh/V085.json"
    "tasks/vh/V086.json"
    "tasks/vh/V087.json"
    "tasks/vh/V088.json"
    "tasks/vh/V089.json"
    "tasks/vh/V090.json"
    "tasks/vh/V091.json"
    "tasks/vh/V092.json"
    "tasks/vh/V093.json"
    "tasks/vh/V094.json"
    "tasks/vh/V095.json"
    "tasks/vh/V096.json"
    "tasks/vh/V097.json"
    "tasks/vh/V098.json"
    "tasks/vh/V099.json"
    "tasks/vh/V100.json"
);

/// The ontology, the facts and the rules, sorted by path.
pub const KNOWLEDGE: &[Shipped] = shipped!(
    "assets/ontology/behavior.ont"
    "assets/ontology/eai.ont"
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

/// The scene that examples of a dialect's differences are set in.
///
/// # Errors
/// It is not shipped, or cannot be read.
pub fn sample(dialect: &'static Dialect) -> Result<Scene, Diagnostic> {
    let path = format!("{SCENES}/{}.json", dialect.sample);
    let file = find(&path)
        .ok_or_else(|| Diagnostic::error("", "this scene is not shipped").in_file(&path))?;
    scene::read(dialect, file.path, file.bytes, Which::Initial).map(|(file, _)| file.scene)
}

#[cfg(test)]
mod tests;
