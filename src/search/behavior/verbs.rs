//! The actions of BEHAVIOR by number, and the part each plays in a search.

use crate::search::table::{Role, number};
use crate::sim::behavior::actions::ACTIONS;

macro_rules! verbs {
    ($($name:ident $role:ident)*) => {
        $(
            #[doc = concat!("The number of ", stringify!($name), ".")]
            pub(super) const $name: u8 = number(ACTIONS, stringify!($name));
        )*

        /// Every action named here with the part it plays.
        pub(super) const ROLES: &[(u8, Role)] = &[$(($name, Role::$role)),*];
    };
}

verbs! {
    LEFT_GRASP Changes RIGHT_GRASP Changes LEFT_PLACE_ONTOP Changes RIGHT_PLACE_ONTOP Changes
    LEFT_PLACE_INSIDE Changes RIGHT_PLACE_INSIDE Changes LEFT_RELEASE Changes RIGHT_RELEASE Changes
    OPEN Changes CLOSE Changes COOK Changes CLEAN Changes FREEZE Changes UNFREEZE Changes SLICE Changes
    SOAK Changes DRY Changes TOGGLE_ON Changes TOGGLE_OFF Changes LEFT_PLACE_NEXTTO Changes RIGHT_PLACE_NEXTTO Changes
    LEFT_TRANSFER_CONTENTS_INSIDE Changes RIGHT_TRANSFER_CONTENTS_INSIDE Changes LEFT_TRANSFER_CONTENTS_ONTOP Changes
    RIGHT_TRANSFER_CONTENTS_ONTOP Changes LEFT_PLACE_NEXTTO_ONTOP Changes RIGHT_PLACE_NEXTTO_ONTOP Changes
    LEFT_PLACE_UNDER Changes RIGHT_PLACE_UNDER Changes
}

/// The part an action plays.
pub(super) fn role(verb: u8) -> Role {
    ROLES
        .iter()
        .find(|(v, _)| *v == verb)
        .map_or(Role::Changes, |(_, role)| *role)
}

/// An action of both hands: the number for the right one, then for the left one.
pub(super) type Pair = [u8; 2];

/// Taking a thing.
pub(super) const GRASP: Pair = [RIGHT_GRASP, LEFT_GRASP];
/// Putting a held thing on top of another.
pub(super) const ONTOP: Pair = [RIGHT_PLACE_ONTOP, LEFT_PLACE_ONTOP];
/// Putting a held thing inside another.
pub(super) const INSIDE: Pair = [RIGHT_PLACE_INSIDE, LEFT_PLACE_INSIDE];
/// Putting a held thing beside another.
pub(super) const NEXTTO: Pair = [RIGHT_PLACE_NEXTTO, LEFT_PLACE_NEXTTO];
/// Putting a held thing beside one and on top of another.
pub(super) const NEXTTO_ONTOP: Pair = [RIGHT_PLACE_NEXTTO_ONTOP, LEFT_PLACE_NEXTTO_ONTOP];
/// Putting a held thing under another.
pub(super) const UNDER: Pair = [RIGHT_PLACE_UNDER, LEFT_PLACE_UNDER];
/// Letting go.
pub(super) const RELEASE: Pair = [RIGHT_RELEASE, LEFT_RELEASE];

/// Pouring what is in or on a held thing into another.
pub(super) const POUR_INSIDE: Pair = [
    RIGHT_TRANSFER_CONTENTS_INSIDE,
    LEFT_TRANSFER_CONTENTS_INSIDE,
];
/// Pouring what is in or on a held thing onto another.
pub(super) const POUR_ONTOP: Pair = [RIGHT_TRANSFER_CONTENTS_ONTOP, LEFT_TRANSFER_CONTENTS_ONTOP];

/// The hand an action is done with, if it is one of a hand.
pub(super) fn hand(verb: u8) -> Option<usize> {
    let pairs = [
        GRASP,
        ONTOP,
        INSIDE,
        NEXTTO,
        NEXTTO_ONTOP,
        UNDER,
        RELEASE,
        POUR_INSIDE,
        POUR_ONTOP,
    ];
    pairs
        .iter()
        .find_map(|pair| pair.iter().position(|v| *v == verb))
}
