//! BLUE's committee: it scores candidates, hears the critic, revises, and chooses.

pub mod score;
