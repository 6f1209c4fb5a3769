//! Settings read from text: what is taken and what is said of the rest.

use super::*;

fn read(values: &[(&'static str, &'static str)]) -> Result<Settings, String> {
    Settings::read(
        values
            .iter()
            .map(|(name, text)| ("config.toml:3", *name, *text)),
    )
}

#[test]
fn values_are_read_in_order() {
    let settings = Settings::read([
        ("config.toml:1", "kind", "ollama"),
        ("config.toml:2", "model", "small"),
        ("config.toml:3", "seed", "4"),
        ("config.toml:4", "header", "X-Team: kitchen"),
        ("VESTA_LLM_MODEL", "model", " qwen3:8b "),
        ("VESTA_LLM_TEMPERATURE", "temperature", "none"),
        ("--seed", "seed", "none"),
        ("--first-timeout", "first_timeout", "2.5"),
        ("--per-minute", "per_minute", "30"),
        ("--header", "header", "x-more: a: b"),
    ])
    .unwrap();
    let expected = Settings {
        kind: &kind::OLLAMA,
        base: Url::parse("http://127.0.0.1:11434/v1").unwrap(),
        model: "qwen3:8b".into(),
        temperature: None,
        seed: None,
        timeouts: Timeouts {
            first: Duration::from_millis(2500),
            ..settings.timeouts
        },
        per_minute: Some(30),
        headers: vec![
            ("x-team".into(), "kitchen".into()),
            ("x-more".into(), "a: b".into()),
        ],
        ..Settings::new(&kind::OLLAMA, "qwen3:8b").unwrap()
    };
    assert_eq!(settings, expected);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (name, text, said) in [
        ("temperature", "hot", "write a number from 0 to 2"),
        ("temperature", "NaN", "write a number from 0 to 2"),
        ("seed", "-1", "write a whole number"),
        ("max_tokens", "0", "write a whole number from 1"),
        ("stream", "yes", "write on or off"),
        ("idle_timeout", "0", "write a number from 0.001 to 86400"),
        ("concurrency", "0", "write a whole number from 1"),
        (
            "base",
            "host",
            "this is no address; write one like https://host/v1",
        ),
        (
            "base",
            "ftp://host",
            "an address begins with http:// or https://; write one",
        ),
        (
            "kind",
            "gpt",
            "no such kind of endpoint; write one of openai, azure, anthropic, vllm, ollama, llamacpp, together",
        ),
    ] {
        assert_eq!(
            read(&[("model", "m"), (name, text)]).unwrap_err(),
            format!("config.toml:3: {name} \"{text}\": {said}")
        );
    }
    assert_eq!(read(&[]).unwrap_err(), "no model is named; set model");
    assert_eq!(
        read(&[("modle", "m")]).unwrap_err(),
        "config.toml:3: modle is no setting of a model; did you mean model?"
    );
    assert_eq!(
        Settings::new(&kind::AZURE, "m").unwrap_err(),
        "azure has no usual address; set base"
    );
}

#[test]
fn keys_are_not_settings() {
    for (name, text) in [
        ("header", "Authorization: Bearer sk-canary"),
        ("header", "X-API-Key: sk-canary"),
        ("header", "sk-canary"),
        ("header", "x y: sk-canary"),
        ("key_variable", "sk-canary"),
        ("key_variable", "sk_canary"),
    ] {
        let said = read(&[("model", "m"), (name, text)]).unwrap_err();
        assert!(!said.contains("canary"), "{said}");
    }
    for base in ["https://me:secret@host/v1", "https://host/v1?key=secret"] {
        assert!(read(&[("model", "m"), ("base", base)]).is_err());
    }
}

#[test]
fn every_field_can_be_set() {
    for field in FIELDS {
        let text = match field.name {
            "kind" => "openai",
            "base" => "http://host",
            "stream" | "structured" => "off",
            "header" => "a: b",
            "key_variable" => "MY_KEY",
            _ => "1",
        };
        let values = [("", "model", "m"), ("", field.name, text)];
        assert!(Settings::read(values).is_ok(), "{}", field.name);
    }
}
