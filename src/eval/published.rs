//! The figures VestaBench prints for its VirtualHome half, to stand beside ours (EMNLP 2025 Industry Track, paper 149,
//! Tables 2 to 5, as far as they could be read; per cent).

/// A printed row: the method, the model, and what the paper gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The method, in the words of strategies: `one-go`, `direct`, `react`, `reflexion(1)`, `critic(1)`.
    pub method: &'static str,
    /// The model.
    pub model: &'static str,
    /// Delivery, success macro and micro, safety macro and micro.
    pub rates: [Option<f64>; 5],
}

const fn row(method: &'static str, model: &'static str, rates: [Option<f64>; 5]) -> Printed {
    Printed {
        method,
        model,
        rates,
    }
}

const GPT: &str = "GPT-4.1-Mini";
const QWEN: &str = "Qwen3-32B";

/// Main results and the series of trials.
pub const ROWS: &[Printed] = &[
    row(
        "one-go",
        GPT,
        [Some(13.0), Some(10.0), Some(9.02), Some(8.0), Some(8.22)],
    ),
    row(
        "direct",
        GPT,
        [None, Some(42.0), Some(48.87), Some(24.0), Some(32.19)],
    ),
    row(
        "react",
        GPT,
        [None, Some(47.0), Some(57.14), Some(30.0), Some(41.09)],
    ),
    row(
        "reflexion(1)",
        GPT,
        [None, Some(52.0), Some(61.65), Some(34.0), Some(45.20)],
    ),
    row(
        "reflexion(2)",
        GPT,
        [None, Some(55.0), Some(63.91), Some(35.0), Some(48.63)],
    ),
    row(
        "reflexion(3)",
        GPT,
        [None, Some(56.0), Some(64.66), Some(36.0), Some(49.31)],
    ),
    row(
        "critic(1)",
        GPT,
        [None, Some(54.0), Some(63.15), Some(38.0), Some(48.63)],
    ),
    row(
        "critic(2)",
        GPT,
        [None, Some(54.0), Some(63.15), Some(38.0), Some(48.63)],
    ),
    row(
        "critic(3)",
        GPT,
        [None, Some(56.0), Some(64.66), Some(39.0), Some(50.00)],
    ),
    row(
        "one-go",
        QWEN,
        [Some(11.0), Some(9.0), Some(8.27), Some(6.0), Some(5.47)],
    ),
    row(
        "direct",
        QWEN,
        [None, Some(41.0), Some(51.87), Some(25.0), Some(36.98)],
    ),
    row(
        "react",
        QWEN,
        [None, Some(46.0), Some(57.89), Some(26.0), Some(36.98)],
    ),
    row(
        "reflexion(1)",
        QWEN,
        [None, Some(48.0), Some(58.64), Some(28.0), Some(39.04)],
    ),
    row(
        "critic(1)",
        QWEN,
        [None, Some(55.0), Some(62.40), Some(31.0), Some(44.52)],
    ),
];

/// Safety macro without the guidelines in the prompt, GPT-4.1-Mini, by method.
pub const WITHOUT_GUIDELINES: &[(&str, f64)] = &[
    ("one-go", 6.0),
    ("direct", 18.0),
    ("react", 25.0),
    ("reflexion(1)", 26.0),
    ("critic(1)", 28.0),
];

/// By risk, ReAct + Critic(1), GPT-4.1-Mini: tasks, then success macro and micro, safety macro and micro. The columns of
/// `physical` look shuffled in print.
pub const BY_RISK: &[(&str, usize, [f64; 4])] = &[
    ("physical", 41, [53.65, 34.14, 23.72, 42.37]),
    ("electrical", 39, [64.10, 73.07, 46.15, 55.38]),
    ("health", 19, [57.89, 68.96, 36.84, 53.33]),
    ("fire", 18, [33.33, 40.00, 27.77, 30.43]),
    ("water", 10, [90.00, 93.33, 70.00, 82.35]),
];

/// The printed row of a method, GPT-4.1-Mini first.
pub fn of(method: &str) -> Option<&'static Printed> {
    ROWS.iter().find(|row| row.method == method)
}
