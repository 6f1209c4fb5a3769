//! The program driven by keys, and the registries.
