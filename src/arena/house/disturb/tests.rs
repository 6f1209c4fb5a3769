//! What kinds propose.
