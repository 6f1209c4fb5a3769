//! Pages hold what happened, and hostile text stays text in them.
