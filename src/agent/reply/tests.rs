//! Replies of every kind, and replies of no kind at all.
