//! Prices and costs.

use super::*;

const USAGE: Usage = Usage {
    input: 1000,
    output: 100,
    cached: 400,
};

#[test]
fn tokens_have_their_price() {
    let prices = Prices::parse(
        "[[model]]\nname = \"m\"\ninput = 2.5\noutput = 10\ncached = 1.25\n\
         [[model]]\nname = \"n-4-5\"\ninput = 0.15\noutput = 0.6\ndate = \"2026-06\"\nsource = \"x\"\n",
    )
    .unwrap();
    // 600 * 2500 + 400 * 1250 + 100 * 10000
    let m = Some(Cost(3_000_000));
    let n = Some(Cost(1000 * 150 + 100 * 600));
    for (model, cost) in [
        ("m", m),
        ("m-2026-01-31", m),
        ("m-20260131", m),
        ("m-mini", None),
        ("m-2026", None),
        ("m2", None),
        ("", None),
        ("n-4-5", n),
        ("n-4-5-20250929", n),
        ("n-4", None),
    ] {
        assert_eq!(prices.cost(model, USAGE), cost, "{model}");
    }
    assert_eq!(Cost(3_000_000).to_string(), "$0.0030");
    assert_eq!(Cost(3_000_000).dollars().to_string(), "0.003");
    assert_eq!(Cost(1).to_string(), "$0.0001");
    assert_eq!(Cost(12_345_678_900).to_string(), "$12.3457");
}

#[test]
fn the_users_prices_go_over_the_shipped_ones() {
    let (shipped, fault) = Prices::shipped();
    assert_eq!(fault, None);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prices.toml");
    std::fs::write(
        &path,
        "[[model]]\nname = \"gpt-4o\"\ninput = 1\noutput = 1\n",
    )
    .unwrap();
    let prices = Prices::with_file(&path).unwrap();
    assert_eq!(prices.cost("gpt-4o", USAGE), Some(Cost(1_100_000)));
    assert_eq!(shipped.cost("gpt-4o", USAGE), Some(Cost(3_000_000)));
    assert_eq!(
        prices.cost("gpt-4o-mini", USAGE),
        shipped.cost("gpt-4o-mini", USAGE)
    );
}

#[test]
fn faults_have_lines() {
    let row = "\n[[model]]\nname = \"m\"\n";
    for (text, said) in [
        (
            format!("{row}input = -1\noutput = 1"),
            "p line 3: input: m: -1 is no price; write dollars a million tokens",
        ),
        (
            format!("{row}input = 1\noutput = 1{row}input = 1\noutput = 1"),
            "p line 7: name: m has two prices; leave one of them",
        ),
        (
            format!("{row}input = 1\noutput = 1\nprice = 3"),
            "p line 6: model: unknown field `price`, expected one of `name`, `input`, `output`, `cached`, `date`, `source`",
        ),
    ] {
        assert_eq!(
            Prices::parse(&text).unwrap_err().in_file("p").to_string(),
            said
        );
    }
}
