//! A formula bound to a scene: its names and types looked up, its quantifiers written out.

use rustc_hash::FxHashMap;

use crate::base::diag::Diagnostic;
use crate::plan::bddl::expand::{self, Options};
use crate::plan::bddl::formula::{Formula, Term, Typed};
use crate::plan::bddl::judge::Reading;
use crate::plan::bddl::parse::parse;
use crate::plan::bddl::scope::Scope;
use crate::plan::bddl::sexp::{Place, Word};
use crate::plan::bddl::words::{self, Meaning};
use crate::plan::fact::{Body, Fact};
use crate::sim::scene::Scene;
use crate::sim::vocab::Ix;

/// How many facts a formula may be written out to; the largest published goal needs 96.
const MOST: usize = 100_000;

/// A formula bound to a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The formula as read.
    pub formula: Formula,
    /// The verdict that counts for it.
    pub reading: Reading,
    /// It as a sentence.
    pub(super) words: String,
    /// Whether things are seen through others, so that any change may change it.
    pub(super) through: bool,
    /// All facts it speaks of, each once, none denied.
    pub(super) atoms: Vec<Fact>,
    pub(super) ground: Ground,
    /// The published expansion, unless it would be too large.
    pub(super) options: Option<Options>,
    /// The facts it asks for, if it asks for some facts together and nothing else.
    conjunction: Option<Vec<Fact>>,
}

/// A fact wanted present or absent: a place in [`Bound::atoms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Which fact.
    pub atom: u32,
    /// Whether it is wanted absent.
    pub negated: bool,
}

/// A formula without variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    Atom(u32),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
    Imply(Box<Self>, Box<Self>),
    All(Each),
    Any(Each),
    Count(usize, Each),
    Pairs(Pairs),
}

/// The objects of a type, each with what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Each {
    /// The type in words.
    pub(super) what: Box<str>,
    pub(super) of: Vec<(Ix, Ground)>,
}

/// Pairs of objects, each with what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pairs {
    /// How many are wanted.
    pub(super) wanted: usize,
    /// The first type in words.
    pub(super) what: Box<str>,
    /// Whether that number is the formula's (`fornpairs`), not the size of the smaller side.
    pub(super) numbered: bool,
    /// Per object of the first type: those of the second. All rows are equally long.
    pub(super) rows: Vec<(Ix, Vec<(Ix, Ground)>)>,
}

impl Pairs {
    /// How many columns there are.
    pub(super) fn width(&self) -> usize {
        self.rows.first().map_or(0, |(_, row)| row.len())
    }
}

impl Bound {
    /// Reads a formula and binds it.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn read(scene: &Scene, text: &str) -> Result<Self, Diagnostic> {
        Self::new(&Scope::new(scene), parse(text)?)
    }

    /// Binds a formula.
    ///
    /// # Errors
    /// An object, type or predicate that the scene or its world does not have, or too many facts; with line and column.
    pub fn new(scope: &Scope<'_>, formula: Formula) -> Result<Self, Diagnostic> {
        let mut binder = Binder {
            scope,
            variables: Vec::new(),
            atoms: Vec::new(),
            known: FxHashMap::default(),
            size: 0,
        };
        let ground = binder.ground(&formula)?;
        let atoms = binder.atoms;
        let options = expand::options(&ground);
        let conjunction = conjunction(&ground).map(|all| {
            let fact = |l: Literal| literal(&atoms, l);
            all.into_iter().map(fact).collect()
        });
        Ok(Self {
            words: words::sentence(scope, &formula),
            through: scope.scene().dialect().reading.view.is_some(),
            formula,
            reading: Reading::default(),
            atoms,
            ground,
            options,
            conjunction,
        })
    }

    /// The same formula, of which this verdict counts.
    #[must_use]
    pub fn counted_by(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// It as a sentence: `every plate inside cabinet_0`.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// All facts it speaks of, each once, none denied.
    pub fn atoms(&self) -> &[Fact] {
        &self.atoms
    }

    /// The facts it asks for, if it asks for these facts together and nothing else: then the three verdicts are one.
    pub fn conjunction(&self) -> Option<&[Fact]> {
        self.conjunction.as_deref()
    }

    /// The published expansion: lists of facts, of which one must hold in full. `None` if it is too large to write out.
    pub fn options(&self) -> Option<&[Vec<Literal>]> {
        self.options.as_deref()
    }

    /// The fact of a literal, denied where the literal is.
    pub fn fact(&self, literal: Literal) -> Fact {
        self::literal(&self.atoms, literal)
    }

    /// Ways to make it hold by the published expansion, as lists of facts; the first comes from the first ordering.
    pub fn ways(&self) -> impl Iterator<Item = Vec<Fact>> + '_ {
        let fact = |&l: &Literal| self.fact(l);
        let options = self.options.iter().flatten();
        options.map(move |option| option.iter().map(fact).collect())
    }
}

fn literal(atoms: &[Fact], literal: Literal) -> Fact {
    let atom = atoms.get(literal.atom as usize);
    let body = atom.map_or_else(
        || Body::State(Vec::new(), crate::sim::vocab::State(0)),
        |a| a.body.clone(),
    );
    Fact {
        negated: literal.negated,
        body,
    }
}

/// The literals of a formula that is nothing but some of them together.
pub(super) fn conjunction(ground: &Ground) -> Option<Vec<Literal>> {
    match ground {
        Ground::Atom(atom) => Some(vec![Literal {
            atom: *atom,
            negated: false,
        }]),
        Ground::Not(one) => match **one {
            Ground::Atom(atom) => Some(vec![Literal {
                atom,
                negated: true,
            }]),
            _ => None,
        },
        Ground::And(all) => {
            let parts: Option<Vec<_>> = all.iter().map(conjunction).collect();
            parts.map(|p| p.concat())
        }
        Ground::All(each) => {
            let parts: Option<Vec<_>> = each.of.iter().map(|(_, one)| conjunction(one)).collect();
            parts.map(|p| p.concat())
        }
        _ => None,
    }
}

struct Binder<'s> {
    scope: &'s Scope<'s>,
    /// Variables in force, the innermost last.
    variables: Vec<(Box<str>, Ix)>,
    atoms: Vec<Fact>,
    known: FxHashMap<(Meaning, [Ix; 2]), u32>,
    size: usize,
}

impl Binder<'_> {
    fn ground(&mut self, formula: &Formula) -> Result<Ground, Diagnostic> {
        match formula {
            Formula::Atom { predicate, terms } => self.atom(predicate, terms),
            Formula::And(all) => Ok(Ground::And(self.list(all)?)),
            Formula::Or(all) => Ok(Ground::Or(self.list(all)?)),
            Formula::Not(one) => Ok(Ground::Not(Box::new(self.ground(one)?))),
            Formula::Imply(a, b) => Ok(Ground::Imply(
                Box::new(self.ground(a)?),
                Box::new(self.ground(b)?),
            )),
            Formula::ForAll(v, one) => Ok(Ground::All(self.named(v, one)?)),
            Formula::Exists(v, one) => Ok(Ground::Any(self.named(v, one)?)),
            Formula::ForN(n, v, one) => Ok(Ground::Count(*n as usize, self.named(v, one)?)),
            Formula::ForPairs(a, b, one) => self.pairs(None, (a, b), one),
            Formula::ForNPairs(n, a, b, one) => self.pairs(Some(*n as usize), (a, b), one),
        }
    }

    fn list(&mut self, all: &[Formula]) -> Result<Vec<Ground>, Diagnostic> {
        all.iter().map(|one| self.ground(one)).collect()
    }

    fn named(&mut self, v: &Typed, one: &Formula) -> Result<Each, Diagnostic> {
        Ok(Each {
            what: words::label(&v.category.text).into(),
            of: self.each(v, None, one)?,
        })
    }

    /// The formula once for each object of a type but `not`.
    fn each(
        &mut self,
        v: &Typed,
        not: Option<Ix>,
        one: &Formula,
    ) -> Result<Vec<(Ix, Ground)>, Diagnostic> {
        let objects = self.scope.objects(&v.category)?.to_vec();
        let mut all = Vec::new();
        for ix in objects {
            if not == Some(ix) {
                continue;
            }
            self.variables.push((v.name.text.clone(), ix));
            let ground = self.ground(one);
            self.variables.pop();
            all.push((ix, ground?));
        }
        Ok(all)
    }

    fn pairs(
        &mut self,
        number: Option<usize>,
        (a, b): (&Typed, &Typed),
        one: &Formula,
    ) -> Result<Ground, Diagnostic> {
        let objects = self.scope.objects(&a.category)?.to_vec();
        let mut rows = Vec::new();
        for ix in objects {
            self.variables.push((a.name.text.clone(), ix));
            let row = self.each(b, Some(ix), one);
            self.variables.pop();
            rows.push((ix, row?));
        }
        let mut pairs = Pairs {
            wanted: 0,
            what: words::label(&a.category.text).into(),
            numbered: number.is_some(),
            rows,
        };
        let most = pairs.rows.len().min(pairs.width());
        pairs.wanted = number.unwrap_or(most);
        if pairs.wanted > most {
            let message = format!(
                "{} pairs are wanted, and there are {most} at most",
                pairs.wanted
            );
            return Err(a.category.place.error(message).help("ask for fewer"));
        }
        Ok(Ground::Pairs(pairs))
    }

    fn atom(&mut self, predicate: &Word, terms: &[Term]) -> Result<Ground, Diagnostic> {
        self.size += 1;
        if self.size > MOST {
            return Err(too_many(predicate.place));
        }
        let dialect = self.scope.scene().dialect();
        let meaning = words::meaning(dialect, predicate, terms.len())?;
        let mut nodes = [Ix::NONE; 2];
        for (slot, term) in nodes.iter_mut().zip(terms) {
            *slot = self.object(term)?;
        }
        if let Some(&atom) = self.known.get(&(meaning, nodes)) {
            return Ok(Ground::Atom(atom));
        }
        let [x, y] = nodes;
        let atom = self.atoms.len() as u32;
        self.known.insert((meaning, nodes), atom);
        self.atoms.push(Fact {
            negated: false,
            body: match meaning {
                Meaning::State(state) => Body::State(vec![x], state),
                Meaning::Relation(rel) => Body::Edge(vec![x], rel, vec![y]),
            },
        });
        Ok(Ground::Atom(atom))
    }

    fn object(&self, term: &Term) -> Result<Ix, Diagnostic> {
        let own = self.variables.iter().rev();
        match own.into_iter().find(|(name, _)| *name == term.name.text) {
            Some(&(_, ix)) => Ok(ix),
            None => self.scope.object(&term.name),
        }
    }
}

fn too_many(place: Place) -> Diagnostic {
    place
        .error(format!(
            "written out, the formula has more than {MOST} facts"
        ))
        .help("use fewer quantifiers within each other")
}
