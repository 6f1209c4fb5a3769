//! What there is to look at, but for what has a file of its own.

use super::*;

/// The samples.
pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        name: "home",
        make: |shape, library| support::with(shape, library),
    },
    Sample {
        name: "home-empty",
        make: |shape, _| support::with(shape, Library::default()),
    },
    Sample {
        name: "home-loading",
        make: |shape, _| support::fresh(shape),
    },
    Sample {
        name: "home-broken",
        make: |shape, _| support::with(shape, broken()),
    },
    Sample {
        name: "tasks",
        make: |shape, _| support::shipped(shape, &["tasks", "keys G"]),
    },
    Sample {
        name: "tasks-rows",
        make: |shape, library| keys(shape, library, "g t"),
    },
    Sample {
        name: "tasks-preview",
        make: |shape, _| support::shipped(shape, &["tasks vh V01", "keys Tab +"]),
    },
    Sample {
        name: "tasks-filter",
        make: |shape, library| keys(shape, library, "g t / f i r e"),
    },
    Sample {
        name: "tasks-nothing",
        make: |shape, library| keys(shape, library, "g t / f i r e Space p o n y Enter"),
    },
    Sample {
        name: "tasks-fault",
        make: |shape, library| keys(shape, library, "g t j j Enter"),
    },
    Sample {
        name: "tasks-loading",
        make: |shape, _| drive_on(support::fresh(shape), "g t"),
    },
    Sample {
        name: "tasks-empty",
        make: |shape, _| drive_on(support::with(shape, Library::default()), "g t"),
    },
    Sample {
        name: "runs-of-a-task",
        make: |shape, library| keys(shape, library, "g t j R"),
    },
    Sample {
        name: "inspect",
        make: |shape, _| saved::inspect(shape, saved::warm(), ""),
    },
    Sample {
        name: "inspect-chain",
        make: |shape, _| saved::inspect(shape, saved::warm(), "b ] v Tab"),
    },
    Sample {
        name: "inspect-messages",
        make: |shape, _| saved::inspect(shape, saved::told(), "g g ] o . d d Tab t"),
    },
    Sample {
        name: "inspect-denied",
        make: |shape, _| saved::inspect(shape, saved::told(), "g g ] o t t"),
    },
    Sample {
        name: "inspect-claims",
        make: |shape, _| saved::inspect(shape, saved::told(), "g g C t t t"),
    },
    Sample {
        name: "inspect-folded",
        make: |shape, _| saved::inspect(shape, saved::told(), "Z"),
    },
    Sample {
        name: "inspect-end",
        make: |shape, _| saved::inspect(shape, saved::warm(), "G [ g"),
    },
    Sample {
        name: "inspect-branch",
        make: |shape, _| saved::inspect(shape, saved::warm(), "g g ] b"),
    },
    Sample {
        name: "inspect-hash",
        make: |shape, _| saved::inspect(shape, saved::warm(), "[ g d d d z Tab"),
    },
    Sample {
        name: "inspect-scene",
        make: |shape, _| saved::inspect(shape, saved::warm(), "G Tab Tab Tab Tab j"),
    },
    Sample {
        name: "inspect-node",
        make: |shape, _| saved::inspect(shape, saved::warm(), "[ g Enter Enter"),
    },
    Sample {
        name: "inspect-why",
        make: |shape, _| saved::inspect(shape, saved::warm(), "G W"),
    },
    Sample {
        name: "inspect-verdict",
        make: |shape, _| saved::inspect(shape, saved::warm(), "G v 2 Tab 2 Tab x"),
    },
    Sample {
        name: "inspect-filter",
        make: |shape, _| saved::inspect(shape, saved::warm(), "/ g r a b"),
    },
    Sample {
        name: "inspect-drift",
        make: |shape, _| saved::inspect(shape, saved::drifted(), ""),
    },
    Sample {
        name: "inspect-torn",
        make: |shape, _| saved::inspect(shape, saved::torn(), "d"),
    },
    Sample {
        name: "inspect-without-scene",
        make: |shape, _| saved::inspect(shape, saved::without_scene(), "! Esc Tab"),
    },
    Sample {
        name: "inspect-long",
        make: |shape, _| saved::inspect(shape, saved::long(), "k k k"),
    },
    Sample {
        name: "inspect-hostile",
        make: |shape, _| saved::inspect(shape, saved::hostile(), "! Esc"),
    },
    Sample {
        name: "inspect-map",
        make: |shape, _| saved::inspect(shape, saved::warm(), "G m"),
    },
    Sample {
        name: "inspect-map-node",
        make: |shape, _| saved::inspect(shape, saved::warm(), "m l . Enter j"),
    },
    Sample {
        name: "inspect-loading",
        make: |shape, library| command(shape, library, "inspect b2c3"),
    },
    Sample {
        name: "inspect-failed",
        make: |shape, _| support::shipped(shape, &["inspect nosuchrun", "keys !  Esc"]),
    },
    Sample {
        name: "play-start",
        make: |shape, _| games::play(shape, games::warm()),
    },
    Sample {
        name: "play",
        make: |shape, _| played(shape, ""),
    },
    Sample {
        name: "play-filter",
        make: |shape, _| played(shape, "/ g r a b"),
    },
    Sample {
        name: "play-filter-nothing",
        make: |shape, _| played(shape, "/ g r a b q q q Enter"),
    },
    Sample {
        name: "play-refused",
        make: |shape, _| {
            let mut state = played(shape, "");
            let lines = ["do putback fork table", "keys / t a b l e Enter j"];
            games::act(&mut state, &lines, Writer::Saves);
            state
        },
    },
    Sample {
        name: "play-scene",
        make: |shape, _| played(shape, "Tab Tab Tab j j j j j j"),
    },
    Sample {
        name: "play-scene-filter",
        make: |shape, _| played(shape, "Tab Tab Tab / s t a t e : o p e n Enter"),
    },
    Sample {
        name: "play-goals",
        make: |shape, _| played(shape, "Tab j j"),
    },
    Sample {
        name: "play-warnings",
        make: |shape, _| played(shape, "Tab Tab"),
    },
    Sample {
        name: "inspect-warnings",
        make: |shape, _| saved::inspect(shape, saved::warm(), "Tab Tab Tab"),
    },
    Sample {
        name: "play-danger",
        make: |shape, _| played(shape, "/ s w i t c h o n Space m i c r o Enter"),
    },
    Sample {
        name: "play-violated",
        make: |shape, _| played(shape, "/ s w i t c h o n Space m i c r o Enter Enter"),
    },
    Sample {
        name: "play-why-danger",
        make: |shape, _| played(shape, "/ s w i t c h o n Space m i c r o Enter W"),
    },
    Sample {
        name: "play-why-rule",
        make: |shape, _| {
            played(
                shape,
                "/ s w i t c h o n Space m i c r o Enter Enter Tab Tab W",
            )
        },
    },
    Sample {
        name: "play-muted",
        make: |shape, _| {
            played(
                shape,
                "/ s w i t c h o n Space m i c r o Enter Enter Tab Tab d",
            )
        },
    },
    Sample {
        name: "play-map-danger",
        make: |shape, _| played(shape, "/ s w i t c h o n Space m i c r o Enter Enter m"),
    },
    Sample {
        name: "inspect-violation",
        make: |shape, _| saved::inspect(shape, saved::warm(), "b ] v"),
    },
    Sample {
        name: "inspect-why-rule",
        make: |shape, _| saved::inspect(shape, saved::warm(), "b ] v Tab Tab Tab W"),
    },
    Sample {
        name: "play-ahead",
        make: |shape, _| played(shape, "Shift-Tab z j"),
    },
    Sample {
        name: "play-zoomed",
        make: |shape, _| played(shape, "+"),
    },
    Sample {
        name: "play-node",
        make: |shape, _| played(shape, "Tab Tab Tab / m i c r o Enter Enter"),
    },
    Sample {
        name: "play-history",
        make: |shape, _| played(shape, "Tab Tab Tab / m i c r o Enter Enter d"),
    },
    Sample {
        name: "play-why",
        make: |shape, _| played(shape, "/ k n i f e Enter G W"),
    },
    Sample {
        name: "play-why-goal",
        make: |shape, _| played(shape, "Tab j j Enter"),
    },
    Sample {
        name: "play-branches",
        make: |shape, _| forked(shape, "b"),
    },
    Sample {
        name: "play-forked",
        make: |shape, _| forked(shape, ""),
    },
    Sample {
        name: "play-line",
        make: |shape, _| played(shape, "i g r a b Space b"),
    },
    Sample {
        name: "play-avoid",
        make: |shape, _| played(shape, "A t h e Space f o r k"),
    },
    Sample {
        name: "play-annotate",
        make: |shape, _| played(shape, "Tab j j a"),
    },
    Sample {
        name: "play-verdict",
        make: |shape, _| played(shape, "Tab j j a 1 v Tab Tab n o"),
    },
    Sample {
        name: "play-map",
        make: |shape, _| played(shape, "m"),
    },
    Sample {
        name: "play-map-node",
        make: |shape, _| played(shape, "Tab Tab Tab / m i c r o Enter m Enter j j"),
    },
    Sample {
        name: "play-map-room",
        make: |shape, _| played(shape, "m R l"),
    },
    Sample {
        name: "play-map-names",
        make: |shape, _| played(shape, ", m N h"),
    },
    Sample {
        name: "play-map-invented",
        make: |shape, _| {
            let mut state = games::play(shape, games::bare());
            games::act(&mut state, &["keys m l"], Writer::Saves);
            state
        },
    },
    Sample {
        name: "play-map-hostile",
        make: |shape, _| {
            let mut state = games::play(shape, games::hostile());
            games::act(&mut state, &["keys m N"], Writer::Saves);
            state
        },
    },
    Sample {
        name: "play-check",
        make: |shape, _| checked::panel(shape, usize::MAX),
    },
    Sample {
        name: "play-check-running",
        make: |shape, _| checked::panel(shape, 3),
    },
    Sample {
        name: "tasks-checked",
        make: |shape, _| support::shipped(shape, &["tasks vh V00", "check --all", "keys c"]),
    },
    Sample {
        name: "play-done",
        make: |shape, _| played(shape, "D"),
    },
    Sample {
        name: "play-reference",
        make: |shape, _| played(shape, "o ."),
    },
    Sample {
        name: "play-read-only",
        make: |shape, _| {
            let why = Some("another instance has this run open");
            games::play(shape, games::again(games::warm(), why))
        },
    },
    Sample {
        name: "play-not-saved",
        make: |shape, _| {
            let mut state = games::play(shape, games::warm());
            games::act(&mut state, &["do walk bowl.203"], Writer::Fails);
            state
        },
    },
    Sample {
        name: "play-no-goals",
        make: |shape, _| games::play(shape, games::bare()),
    },
    Sample {
        name: "play-hostile",
        make: |shape, _| {
            let mut state = games::play(shape, games::hostile());
            games::act(&mut state, &["keys Tab Tab Tab * j j"], Writer::Saves);
            state
        },
    },
    Sample {
        name: "play-opening",
        make: |shape, library| command(shape, library, "play V022"),
    },
    Sample {
        name: "play-failed",
        make: |shape, _| support::shipped(shape, &["play V999"]),
    },
    Sample {
        name: "file",
        make: |shape, _| support::shipped(shape, &["tasks vh V022", "keys g f"]),
    },
    Sample {
        name: "file-scene",
        make: |shape, _| {
            support::shipped(
                shape,
                &["file scene V022", "keys / m i c r o w Enter n l l"],
            )
        },
    },
    Sample {
        name: "file-nowhere",
        make: |shape, _| support::shipped(shape, &["file task V022", "keys / p o n y"]),
    },
    Sample {
        name: "file-fault",
        make: |shape, library| page(shape, library, faulty_page),
    },
    Sample {
        name: "file-hostile",
        make: |shape, library| page(shape, library, hostile_page),
    },
    Sample {
        name: "file-opening",
        make: |shape, library| command(shape, library, "file tasks/mine/a.json:14"),
    },
    Sample {
        name: "file-failed",
        make: |shape, _| support::shipped(shape, &["file no/such/file.json"]),
    },
    Sample {
        name: "settings",
        make: |shape, _| set(shape, ""),
    },
    Sample {
        name: "settings-fault",
        make: |shape, _| {
            let mut state = set(shape, "j");
            let faults = ["config.toml:3 hold = \"core 3\": write \"core !3\""];
            state.shared.settings.faults = faults.map(str::to_owned).to_vec();
            state
        },
    },
    Sample {
        name: "settings-profiles",
        make: |shape, _| set(shape, "Enter Tab j"),
    },
    Sample {
        name: "settings-loading",
        make: |shape, library| keys(shape, library, "g s"),
    },
    Sample {
        name: "help",
        make: |shape, library| keys(shape, library, "?"),
    },
    Sample {
        name: "help-all",
        make: |shape, library| keys(shape, library, "? ?"),
    },
    Sample {
        name: "help-filter",
        make: |shape, library| keys(shape, library, "? / place"),
    },
    Sample {
        name: "palette",
        make: |shape, library| keys(shape, library, "Ctrl-P warm"),
    },
    Sample {
        name: "palette-nothing",
        make: |shape, library| keys(shape, library, "Ctrl-P qqq"),
    },
    Sample {
        name: "command-line",
        make: |shape, library| keys(shape, library, ": h"),
    },
    Sample {
        name: "which-key",
        make: which_key,
    },
    Sample {
        name: "notice",
        make: notice,
    },
    Sample {
        name: "log",
        make: |shape, library| drive_on(notice(shape, library), "!"),
    },
];
