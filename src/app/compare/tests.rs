//! Tests of runs side by side as the screens have them.
