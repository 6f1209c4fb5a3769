//! The acts of the domain for planners: what the strict semantics ask and do, as PDDL.

/// An act of the domain.
pub(super) struct Act {
    /// Its name: the action's, in small letters, up to the first `_` where one action has several acts.
    pub(super) name: &'static str,
    /// The action of the simulator.
    pub(super) verb: &'static str,
    /// Parameters; first the targets of the action, in their order.
    pub(super) parameters: &'static str,
    /// What it needs.
    pub(super) needs: &'static str,
    /// What it does.
    pub(super) does: &'static str,
}

/// Things that were within what moves are near no longer, nor is it bound to where it was.
macro_rules! lifted {
    ($x:literal) => {
        concat!(
            "(forall (?y - thing) (and (when (on ",
            $x,
            " ?y) (not (on ",
            $x,
            " ?y)))\n        (when (in ",
            $x,
            " ?y) (not (in ",
            $x,
            " ?y)))\n        (when (and (within ?y ",
            $x,
            ") (not (= ?y ",
            $x,
            "))) (not (near ?y)))))\n      (forall (?q - room) (when (stands ",
            $x,
            " ?q) (not (stands ",
            $x,
            " ?q))))"
        )
    };
}

/// Walking leaves behind what one was near to.
macro_rules! leave {
    ($keep:literal) => {
        concat!(
            "(at_room ?r) (forall (?q - room) (when (and (at_room ?q) (not (= ?q ?r))) (not (at_room ?q))))\n      ",
            "(forall (?y - thing) (when (and (near ?y) (not (holding ?y))", $keep, ") (not (near ?y))))"
        )
    };
}

/// Walking to a thing brings one near to it and to what it is on or in.
macro_rules! arrive {
    () => {
        concat!(
            leave!(" (not (= ?y ?x)) (not (under ?y ?x))"),
            "\n      (near ?x) (forall (?y - thing) (when (under ?y ?x) (near ?y)))"
        )
    };
}

macro_rules! act {
    ($name:literal $verb:literal ($parameters:literal) needs $needs:expr; does $does:expr;) => {
        Act {
            name: $name,
            verb: $verb,
            parameters: $parameters,
            needs: $needs,
            does: $does,
        }
    };
}

/// The acts.
pub(super) const ACTS: &[Act] = &[
    act! { "walk" "WALK" ("?x - thing ?r - room")
    needs "(not (resting)) (not (door ?x)) (not (holding ?x)) (in_room ?x ?r) (reachable ?r)";
    does arrive!(); },
    act! { "walk_room" "WALK" ("?r - room")
    needs "(not (resting)) (reachable ?r)";
    does leave!(""); },
    act! { "walk_door" "WALK" ("?x - thing ?r - room")
    needs "(not (resting)) (side ?x ?r) (reachable ?r)\n      (or (at_room ?r) (and (not (exists (?q - room) (and (side ?x ?q) (at_room ?q))))\n        (or (first_side ?x ?r) (not (exists (?q - room) (and (first_side ?x ?q) (reachable ?q)))))))";
    does arrive!(); },
    act! { "standup" "STANDUP" ("")
    needs "(resting)";
    does "(not (resting))"; },
    act! { "grab" "GRAB" ("?x - thing ?h - hand")
    needs "(graspable ?x) (not (holding ?x)) (reach ?x) (empty ?h) (or (= ?h rh) (not (empty rh)))";
    does concat!("(holds ?h ?x) (not (empty ?h)) (near ?x) (not (is_spilled ?x))\n      (forall (?y - thing) (when (under ?y ?x) (near ?y)))\n      ", lifted!("?x")); },
    act! { "putback" "PUTBACK" ("?x - thing ?b - thing ?h - hand")
    needs "(carries ?x ?b) (holds ?h ?x) (not (within ?b ?x)) (reach ?b)";
    does concat!("(not (holds ?h ?x)) (empty ?h) (on ?x ?b) (near ?x) (when (not (floor ?b)) (near ?b))\n      ",
        "(forall (?y - thing) (when (and (within ?y ?x) (not (= ?y ?x))) (not (near ?y))))"); },
    act! { "putin" "PUTIN" ("?x - thing ?b - thing ?h - hand")
    needs "(takes ?x ?b) (holds ?h ?x) (not (within ?b ?x)) (reach ?b) (not (is_closed ?b))";
    does concat!("(not (holds ?h ?x)) (empty ?h) (in ?x ?b) (near ?x) (near ?b)\n      ",
        "(forall (?y - thing) (when (and (within ?y ?x) (not (= ?y ?x))) (not (near ?y))))"); },
    act! { "open" "OPEN" ("?x - thing")
    needs "(openable ?x) (not (is_open ?x)) (reach ?x) (free_hand) (or (not (interlocked ?x)) (not (is_on ?x)))";
    does "(is_open ?x) (not (is_closed ?x))"; },
    act! { "close" "CLOSE" ("?x - thing")
    needs "(openable ?x) (not (is_closed ?x)) (reach ?x)";
    does "(is_closed ?x) (not (is_open ?x))"; },
    act! { "switchon" "SWITCHON" ("?x - thing")
    needs "(switched ?x) (not (is_on ?x)) (reach ?x) (not (is_plugged_out ?x)) (or (not (interlocked ?x)) (not (is_open ?x)))";
    does "(is_on ?x) (not (is_off ?x))"; },
    act! { "switchoff" "SWITCHOFF" ("?x - thing")
    needs "(switched ?x) (not (is_off ?x)) (reach ?x)";
    does "(is_off ?x) (not (is_on ?x))"; },
    act! { "plugin" "PLUGIN" ("?x - thing")
    needs "(plugged ?x) (not (is_plugged_in ?x)) (reach ?x) (free_hand)";
    does "(is_plugged_in ?x) (not (is_plugged_out ?x))"; },
    act! { "plugout" "PLUGOUT" ("?x - thing")
    needs "(plugged ?x) (not (is_plugged_out ?x)) (reach ?x) (free_hand)";
    does "(is_plugged_out ?x) (not (is_plugged_in ?x))"; },
    act! { "wash" "WASH" ("?x - thing")
    needs "(reach ?x)";
    does "(is_clean ?x) (not (is_dirty ?x))"; },
    act! { "wipe" "WIPE" ("?x - thing ?t - thing")
    needs "(reach ?x) (holding ?t) (not (= ?t ?x))";
    does "(is_clean ?x) (not (is_dirty ?x)) (forall (?y - thing) (when (on ?y ?x) (not (is_spilled ?y))))"; },
    act! { "cut" "CUT" ("?x - thing ?t - thing")
    needs "(cuttable ?x) (not (is_cut ?x)) (reach ?x) (blade ?t) (holding ?t) (free_hand)";
    does "(is_cut ?x)"; },
    act! { "pour" "POUR" ("?x - thing ?b - thing ?h - hand")
    needs "(flows ?x) (holds ?h ?x) (not (within ?b ?x)) (reach ?b) (or (not (basin ?b)) (not (is_closed ?b)))";
    does "(not (holds ?h ?x)) (empty ?h) (near ?x) (when (not (floor ?b)) (near ?b)) (is_poured ?x)\n      (when (basin ?b) (and (in ?x ?b) (not (is_spilled ?x)))) (when (not (basin ?b)) (and (on ?x ?b) (is_spilled ?x)))"; },
    act! { "pour_out" "POUR" ("?x - thing ?b - thing")
    needs "(vessel ?x) (holding ?x) (not (within ?b ?x)) (reach ?b) (not (is_closed ?x)) (or (not (basin ?b)) (not (is_closed ?b)))\n      (exists (?y - thing) (and (in ?y ?x) (flows ?y)))";
    does "(when (not (floor ?b)) (near ?b))\n      (forall (?y - thing) (when (and (in ?y ?x) (flows ?y)) (and (not (in ?y ?x)) (near ?y) (is_poured ?y)\n        (when (basin ?b) (and (in ?y ?b) (not (is_spilled ?y)))) (when (not (basin ?b)) (and (on ?y ?b) (is_spilled ?y))))))"; },
];

/// The predicates that acts change or that stay as they are, and those that follow from them.
pub(super) const PREDICATES: &str = "
    (at_room ?r - room) (resting) (near ?x - thing) (holds ?h - hand ?x - thing) (empty ?h - hand)
    (on ?x - thing ?y - thing) (in ?x - thing ?y - thing) (stands ?x - thing ?r - room)
    (is_open ?x - thing) (is_closed ?x - thing) (is_on ?x - thing) (is_off ?x - thing)
    (is_plugged_in ?x - thing) (is_plugged_out ?x - thing) (is_clean ?x - thing) (is_dirty ?x - thing)
    (is_cut ?x - thing) (is_poured ?x - thing) (is_spilled ?x - thing)
    (graspable ?x - thing) (openable ?x - thing) (interlocked ?x - thing) (switched ?x - thing) (plugged ?x - thing)
    (cuttable ?x - thing) (blade ?x - thing) (flows ?x - thing) (vessel ?x - thing) (basin ?x - thing)
    (floor ?x - thing) (door ?x - thing) (side ?x - thing ?r - room) (first_side ?x - thing ?r - room)
    (carries ?x - thing ?y - thing) (takes ?x - thing ?y - thing) (joined ?r - room ?q - room) (apart ?r - room ?q - room)
    (holding ?x - thing) (free_hand) (under ?y - thing ?x - thing) (within ?x - thing ?y - thing) (in_room ?x - thing ?r - room)
    (close ?x - thing) (shut ?x - thing) (reach ?x - thing) (chain ?r - room) (reachable ?r - room)";

/// What follows from other predicates.
pub(super) const DERIVED: &str = "
  (:derived (holding ?x - thing) (exists (?h - hand) (holds ?h ?x)))
  (:derived (free_hand) (exists (?h - hand) (empty ?h)))
  ; what directly carries or contains a thing, floors left out
  (:derived (under ?y - thing ?x - thing) (and (or (on ?x ?y) (in ?x ?y)) (not (floor ?y))))
  (:derived (within ?x - thing ?y - thing) (or (= ?x ?y) (exists (?z - thing) (and (or (on ?x ?z) (in ?x ?z)) (within ?z ?y)))))
  (:derived (in_room ?x - thing ?r - room) (or (stands ?x ?r) (and (holding ?x) (at_room ?r))
    (exists (?y - thing) (and (or (on ?x ?y) (in ?x ?y)) (in_room ?y ?r)))))
  (:derived (close ?x - thing) (or (near ?x) (holding ?x) (exists (?y - thing) (and (under ?y ?x) (near ?y)))
    (exists (?r - room) (and (floor ?x) (stands ?x ?r) (at_room ?r)))))
  (:derived (shut ?x - thing) (exists (?y - thing) (or (and (in ?x ?y) (is_closed ?y)) (and (or (on ?x ?y) (in ?x ?y)) (shut ?y)))))
  (:derived (reach ?x - thing) (and (close ?x) (not (shut ?x))))
  ; rooms without a closed door between, and rooms that no doors lead to at all
  (:derived (chain ?r - room) (or (at_room ?r) (exists (?q - room) (and (chain ?q) (joined ?q ?r)))
    (exists (?q - room ?d - thing) (and (chain ?q) (side ?d ?q) (side ?d ?r) (not (is_closed ?d))))))
  (:derived (reachable ?r - room) (or (chain ?r) (exists (?q - room) (and (at_room ?q) (apart ?q ?r)))))
";

/// The predicate of things that are near each other; it is left out where no goal asks for that.
pub(super) const BESIDE: &str = "\n    (beside ?x - thing ?y - thing)";

/// What moves leaves its neighbours, with its load, which stays beside what carries it.
const PARTED: &str = "
      (forall (?z - thing ?y - thing) (when (and (within ?z ?x) (or (beside ?z ?y) (beside ?y ?z))
        (not (and (not (= ?z ?x)) (or (on ?z ?y) (in ?z ?y))))) (and (not (beside ?z ?y)) (not (beside ?y ?z)))))
      (forall (?z - thing ?y - thing) (when (and (within ?z ?x) (not (= ?z ?x)) (or (on ?z ?y) (in ?z ?y)))
        (and (beside ?z ?y) (beside ?y ?z))))";

/// What is put is beside what it is put on or in; on a floor, beside what one stands at.
const MET: &str = "
      (beside ?x ?b) (beside ?b ?x) (forall (?y - thing) (when (and (floor ?b) (near ?y) (not (holding ?y)) (not (within ?y ?x)))
        (and (beside ?x ?y) (beside ?y ?x))))";

/// What flows out of a vessel leaves its neighbours and is beside what it is poured into.
const POURED: &str = "
      (forall (?z - thing ?y - thing) (when (and (in ?z ?x) (flows ?z) (or (beside ?z ?y) (beside ?y ?z)))
        (and (not (beside ?z ?y)) (not (beside ?y ?z)))))
      (forall (?z - thing) (when (and (in ?z ?x) (flows ?z)) (and (beside ?z ?b) (beside ?b ?z))))";

/// What an act does to what is beside what.
pub(super) fn beside(act: &Act) -> &'static [&'static str] {
    match act.name {
        "grab" => &[PARTED],
        "putback" | "putin" | "pour" => &[PARTED, MET],
        "pour_out" => &[POURED],
        _ => &[],
    }
}
