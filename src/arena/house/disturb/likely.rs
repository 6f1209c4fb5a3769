//! What could happen in a home: whether a thing has room where it is put, and is of those that end up there at all.
//!
//! Sizes are the scene's: bounding boxes in VirtualHome, volumes in BEHAVIOR. Of what has neither only the kind counts. A
//! box is larger than the thing in it, so bounds are wide: what is refused cannot be, not what is odd.

use super::{Change, Proposal, Sight};
use crate::sim::reading::is_shut;
use crate::sim::vocab::{Ix, Rel};

/// How much of its length, width and height a machine has room for inside; the rest is motor, heater and walls.
const MACHINE: f64 = 0.7;

/// How far cloth, paper and beings can be pressed together.
const PRESSED: f64 = 0.6;

/// How far something long may stick out, of an open vessel or over an edge.
const OUT: f64 = 1.5;

/// From which length on, in widths, a thing does not stand upright.
const SLENDER: f64 = 4.0;

/// How thick, in metres, what is fed to a printer or shredder can be.
const SHEET: f64 = 0.02;

/// The second largest extent, in metres, of what can be put into a hand.
const HANDY: f64 = 0.4;

/// The volume, in cubic metres, of the largest thing that is carried away where nothing else says what can be.
const CARRIED: f64 = 0.1;

/// How many times as large as what carries it a thing can be, where volumes are all that is known.
const LOAD: f64 = 4.0;

impl Sight<'_> {
    /// Whether everything a proposal puts somewhere could be there.
    pub(super) fn is_likely(&self, proposal: &Proposal) -> bool {
        let rules = self.dialect().rules;
        proposal.changes.iter().all(|change| match *change {
            Change::Edge(n, rel, place, true) if rel == rules.on || rel == rules.inside => {
                self.could(n, rel, place)
            }
            Change::Edge(_, rel, n, true) if rules.hands.contains(&rel) => self.is_handy(n),
            _ => true,
        })
    }

    /// Whether a thing could be on or inside a place.
    pub(super) fn could(&self, n: Ix, rel: Rel, place: Ix) -> bool {
        self.graph().hot(place).room || self.belongs(n, rel, place) && self.has_room(n, rel, place)
    }

    /// Whether somebody could put a thing into another's hand.
    pub(super) fn is_handy(&self, n: Ix) -> bool {
        let narrow = self.extents(n).is_none_or(|[_, middle, _]| middle <= HANDY);
        !self.is_furniture(n) && (narrow || self.is_soft(n))
    }

    /// Whether a thing is small enough to be carried away where no property says so.
    pub(super) fn is_light(&self, n: Ix) -> bool {
        self.bulk(n).is_none_or(|bulk| bulk <= CARRIED)
    }

    /// Whether a device stays on when it is left alone there.
    pub(super) fn keeps_running(&self, n: Ix) -> bool {
        // A lighter goes out when it is let go; a cord does not reach into what is shut.
        let lighter = self.tagged(n, "ignition") && self.tagged(n, "flammable");
        let cut = self.place(n).is_some_and(|(rel, up)| {
            let shut = rel == self.dialect().rules.inside && is_shut(self.graph(), up);
            shut && self.is(n, "HAS_PLUG")
        });
        !lighter && !cut
    }

    /// Whether a pet could climb into it: no seat, and nothing that takes sheets.
    pub(super) fn is_den(&self, n: Ix) -> bool {
        !self.is(n, "SITTABLE") && !self.takes_sheets(n)
    }

    /// Whether things of its kind end up there.
    fn belongs(&self, n: Ix, rel: Rel, place: Ix) -> bool {
        let furniture = self.is_furniture(n);
        if rel == self.dialect().rules.on {
            if self.is(place, "HANGABLE") {
                return self.is(n, "HANGABLE");
            }
            let bears = ["climbable", "floor_cover"].iter();
            return !furniture
                || self.is(place, "LIEABLE")
                || bears.into_iter().any(|tag| self.tagged(place, tag));
        }
        let package = ["ignition", "poison"].iter();
        if self.is_loose(place) && package.into_iter().any(|tag| self.tagged(place, tag)) {
            // A matchbox, a box of laundry pods: full of what it is.
            return self.tagged(n, "small_part");
        }
        if self.tagged(place, "sharp_store") {
            return self.tagged(n, "sharp") || self.tagged(n, "pointed");
        }
        if self.is(place, "HAS_SWITCH") && self.tagged(place, "water_vessel") {
            return self.is(n, "POURABLE");
        }
        if self.takes_sheets(place) {
            let thin = self.extents(n).is_some_and(|[least, ..]| least <= SHEET);
            return (thin || self.is(n, "HAS_PAPER")) && !self.is_being(n);
        }
        !furniture || self.tagged(place, "storage")
    }

    /// Whether people sit or climb on it.
    fn is_furniture(&self, n: Ix) -> bool {
        self.is(n, "SITTABLE") || self.tagged(n, "climbable")
    }

    /// Whether it is a machine that neither heats nor cools nor takes water: it takes sheets.
    fn takes_sheets(&self, n: Ix) -> bool {
        const OTHERS: [&str; 5] = [
            "heat_source",
            "cold_store",
            "water_appliance",
            "water_source",
            "water_vessel",
        ];
        let machine = self.is(n, "HAS_SWITCH") && self.is(n, "CONTAINERS");
        machine && !OTHERS.iter().any(|tag| self.tagged(n, tag)) && !self.is(n, "RECIPIENT")
    }

    /// Whether there is room for a thing.
    fn has_room(&self, n: Ix, rel: Rel, place: Ix) -> bool {
        let inside = rel == self.dialect().rules.inside;
        match (self.extents(n), self.measured(place)) {
            (Some(own), Some(there)) if inside => self.goes_in((n, own), (place, there)),
            (Some(own), Some(there)) => self.stands((n, own), there),
            _ => {
                let (Some(own), Some(there)) = (self.bulk(n), self.bulk(place)) else {
                    return true;
                };
                if inside {
                    own * PRESSED <= there - self.filled(n, place)
                } else {
                    own <= there * LOAD
                }
            }
        }
    }

    fn goes_in(&self, (n, own): (Ix, [f64; 3]), (place, there): (Ix, [f64; 3])) -> bool {
        let machine = ["HAS_SWITCH", "HAS_PLUG", "TOGGLEABLE"].iter();
        let machine = machine.into_iter().any(|property| self.is(place, property));
        let mut room = sorted(there).map(|x| if machine { x * MACHINE } else { x });
        if room[0] < room[1] / LOAD && self.is_loose(place) && !self.is(place, "CAN_OPEN") {
            // An empty bag lies flat.
            room[0] = room[1] / 2.0;
        }
        let bulk = |of: [f64; 3]| of.iter().product::<f64>();
        let left = bulk(room) - self.filled(n, place) * PRESSED;
        if self.is_soft(n) {
            return own[0] * PRESSED <= room[0] && bulk(own) * PRESSED <= left;
        }
        let out = if self.is(place, "CAN_OPEN") { 1.0 } else { OUT };
        let fits = own[0] <= room[0] && own[1] <= room[1] && own[2] <= room[2] * out;
        fits && bulk(own) * PRESSED <= left
    }

    fn stands(&self, (n, own): (Ix, [f64; 3]), there: [f64; 3]) -> bool {
        let [x, _, z] = there;
        let (short, long) = (x.min(z), x.max(z));
        if self.is_soft(n) {
            return own[1] * PRESSED <= long && own[0] <= short;
        }
        if own[2] > SLENDER * own[1] {
            return own[1] <= long && own[2] <= long * OUT;
        }
        own[0] <= short && own[1] <= long
    }

    /// What is in a place already, this thing aside, in cubic metres.
    fn filled(&self, n: Ix, place: Ix) -> f64 {
        let inside = self.dialect().rules.inside;
        let there = self.graph().sources(place, inside).filter(|&it| it != n);
        there.filter_map(|it| self.bulk(it)).sum()
    }

    /// Whether it gives way: cloth, paper, a being.
    fn is_soft(&self, n: Ix) -> bool {
        let soft = ["fabric", "paper"].iter();
        soft.into_iter().any(|tag| self.tagged(n, tag)) || self.is_being(n)
    }

    /// Width, height and depth in metres. Scenes give a cube to what nobody measured.
    fn measured(&self, n: Ix) -> Option<[f64; 3]> {
        let (_, [x, y, z]) = self.scene().node(n).bounds?;
        let cube = (x - y).abs() < f64::EPSILON && (y - z).abs() < f64::EPSILON;
        (!cube).then_some([x, y, z])
    }

    /// Its extents in metres, the smallest first.
    fn extents(&self, n: Ix) -> Option<[f64; 3]> {
        self.measured(n).map(sorted)
    }

    /// How much room it takes, in cubic metres.
    fn bulk(&self, n: Ix) -> Option<f64> {
        let node = self.scene().node(n);
        let boxed = node.bounds.map(|(_, size)| size.iter().product());
        node.volume.or(boxed)
    }
}

fn sorted(mut size: [f64; 3]) -> [f64; 3] {
    size.sort_by(f64::total_cmp);
    size
}
