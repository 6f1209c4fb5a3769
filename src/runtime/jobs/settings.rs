//! Jobs about settings: reading the user's file again, counting the rules in force, keeping what was chosen.

use std::path::Path;

use crate::app::jobs::Reply;
use crate::app::settings::{Rules, Settings};
use crate::base::diag::Diagnostic;
use crate::config;
use crate::safety::rule::Grade;
use crate::store::{book, durable};

/// Reads the file again and counts the rules.
pub(super) fn read(mut settings: Settings) -> Settings {
    config::reread(&mut settings);
    settings.rules = Some(rules());
    settings
}

/// The rules in force and what is wrong with the user's files of rules.
pub(super) fn rules() -> Rules {
    let read = book::usual();
    let of = |grade: Grade| read.book.rules.iter().filter(|r| r.grade == grade).count();
    Rules {
        core: of(Grade::Core),
        advisory: of(Grade::Advisory),
        pedantic: of(Grade::Pedantic),
        own: read.own(),
        faults: read.problems.iter().map(Diagnostic::to_string).collect(),
    }
}

/// Writes what was chosen into the user's file and reads it again. `unchosen` is what is set without the choices.
pub(super) fn keep(unchosen: Settings, chosen: &[(&'static str, String)]) -> Result<Reply, String> {
    let Some(file) = unchosen.file.clone() else {
        return Err("there is no folder for settings: set VESTA_CONFIG_DIR".to_owned());
    };
    // A link to a file kept elsewhere stays a link.
    let named = Path::new(&file);
    let path = std::fs::canonicalize(named).unwrap_or_else(|_| named.to_owned());
    let told = |d: Diagnostic| d.to_string();
    let old = if path.exists() {
        book::text(&path).map_err(told)?
    } else {
        durable::make_room(&path).map_err(told)?;
        String::new()
    };
    let kept = config::kept(&old, chosen)?;
    durable::save(&path, kept.text.as_bytes()).map_err(told)?;
    Ok(Reply::Kept(Box::new(read(unchosen)), kept.lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::settings::{Hold, Set, Source};

    #[test]
    fn what_is_kept_is_read_back_and_a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("dotfiles.toml");
        std::fs::write(&real, "# mine\nprofile = \"eai\"\n").unwrap();
        let link = folder.path().join("config.toml");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut unchosen = Settings {
            file: Some(link.display().to_string()),
            ..Settings::default()
        };
        let chosen = [("hold", "core !3".to_owned())];
        let Ok(Reply::Kept(kept, lines)) = keep(unchosen.clone(), &chosen) else {
            panic!("nothing was kept")
        };
        assert_eq!(lines, [("hold = \"core !3\"".to_owned(), 3)]);
        let hold = Hold::parse("core !3").unwrap();
        assert_eq!(kept.hold, Set::new(hold, Source::File(3)));
        let text = std::fs::read_to_string(&real).unwrap();
        assert_eq!(text, "# mine\nprofile = \"eai\"\nhold = \"core !3\"\n");
        assert!(link.is_symlink());
        // The folder is made where there is none.
        let new = folder.path().join("new/vesta/config.toml");
        unchosen.file = Some(new.display().to_string());
        assert!(keep(unchosen, &chosen).is_ok());
        assert_eq!(
            std::fs::read_to_string(&new).unwrap(),
            "hold = \"core !3\"\n"
        );
    }
}
