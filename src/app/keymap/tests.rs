//! Reading and asking the key map.
