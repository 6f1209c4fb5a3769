//! Imported tasks are ours: they load from where they were written, and nothing is lost by accident.

use super::*;
use crate::store::library::Places;

fn shipped_library() -> Library {
    Library::open_in(Places::default(), None)
}

#[test]
fn imported_tasks_load_from_their_folder() {
    let dir = tempfile::tempdir().unwrap();
    let names = ["V001".to_owned(), "vh/V022".to_owned()];
    let done = import(&shipped_library(), &names, dir.path(), Existing::Keep).unwrap();
    assert_eq!((done.tasks.len(), done.scenes.len()), (2, 1));
    assert_eq!(done.problems, []);
    let again = Library::open_in(Places::default(), Some(dir.path()));
    assert_eq!(again.problems(), []);
    assert_eq!(again.rows().len(), 2);
    for row in again.rows() {
        let (new, old) = (
            again.load_whole(&row.id).unwrap(),
            shipped_library().load_whole(&row.id).unwrap(),
        );
        assert_eq!(new.setup.findings, []);
        assert_eq!(new.setup.goals, old.setup.goals);
        assert_eq!(new.base.scene.nodes(), old.base.scene.nodes());
        assert_eq!(new.base.scene.edges(), old.base.scene.edges());
        assert_eq!(new.base.extra, old.base.extra);
        assert_eq!(new.setup.task.scene.sha256, new.sha256);
    }
}

#[test]
fn nothing_is_written_over_unless_asked() {
    let dir = tempfile::tempdir().unwrap();
    let all = |existing| import(&shipped_library(), &[], dir.path(), existing);
    assert_eq!(all(Existing::Keep).unwrap().tasks.len(), 192);
    // The same content again is in nobody's way.
    assert_eq!(all(Existing::Keep).unwrap().tasks.len(), 192);
    let changed = dir.path().join("tasks/vh/V003.json");
    std::fs::write(&changed, "mine").unwrap();
    std::fs::remove_file(dir.path().join("tasks/vh/V001.json")).unwrap();
    let said = all(Existing::Keep).unwrap_err().to_string();
    assert!(said.ends_with("tasks/vh/V003.json: a file with other content is there already; choose another folder, or write over it with --force"), "{said}");
    assert!(!dir.path().join("tasks/vh/V001.json").exists());
    assert_eq!(std::fs::read(&changed).unwrap(), b"mine");
    all(Existing::Replace).unwrap();
    assert_ne!(std::fs::read(&changed).unwrap(), b"mine");
    let unknown = import(
        &shipped_library(),
        &["V0".to_owned()],
        dir.path(),
        Existing::Keep,
    );
    assert!(
        unknown
            .unwrap_err()
            .to_string()
            .starts_with("no task is called V0;")
    );
}
