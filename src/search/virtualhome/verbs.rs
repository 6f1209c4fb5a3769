//! The actions of VirtualHome by number, and the part each plays in a search.

use crate::search::table::{Role, number};
use crate::sim::virtualhome::actions::ACTIONS;

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
    WALK Changes RUN Alias FIND Changes SIT Changes LIE Changes STANDUP Changes SLEEP Idle WAKEUP Idle GRAB Changes
    PUTBACK Changes PUTIN Changes PUTOBJBACK Alias DROP Changes RELEASE Alias OPEN Changes CLOSE Changes
    SWITCHON Changes SWITCHOFF Changes PLUGIN Changes PLUGOUT Changes DRINK Idle EAT Idle CUT Idle POUR Changes
    READ Idle TYPE Idle WATCH Idle LOOKAT Idle LOOKAT_SHORT Idle LOOKAT_MEDIUM Idle LOOKAT_LONG Idle POINTAT Idle
    TURNTO Looks TOUCH Idle PUSH Idle PULL Idle MOVE Idle WASH Changes RINSE Alias SCRUB Alias WIPE Alias
    SQUEEZE Idle PUTON Changes PUTOFF Changes GREET Idle
}

/// The part an action plays. What nobody described here changes something, for all the search knows.
pub(super) fn role(verb: u8) -> Role {
    ROLES
        .iter()
        .find(|(v, _)| *v == verb)
        .map_or(Role::Changes, |(_, role)| *role)
}
