//! What failures say.

use super::*;

fn said(message: &str, code: &str) -> Said {
    Said {
        message: message.to_owned(),
        code: code.to_owned(),
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn failures_are_told_in_a_sentence() {
    let key = Key::of_variable("THE_KEY", "sk-canary-0123456789").unwrap();
    let teller = Teller {
        host: "host:1",
        variable: "OPENAI_API_KEY",
        key: Some(&key),
    };
    for (status, message, code, kind, again, told) in [
        (
            401,
            "Incorrect: sk-ca***789",
            "invalid_api_key",
            FailureKind::Unauthorized,
            false,
            "the endpoint rejects the key (401): \"Incorrect: [key]\"; check the one in THE_KEY",
        ),
        (
            429,
            "slow down",
            "",
            FailureKind::RateLimited,
            true,
            "the endpoint gets too many requests (429): \"slow down\"; wait, or lower concurrency or per_minute",
        ),
        (
            429,
            "pay",
            "insufficient_quota",
            FailureKind::Rejected,
            false,
            "the endpoint has no quota left (429): \"pay\"; check the account",
        ),
        (
            500,
            "a\n\u{1b}[31mb",
            "",
            FailureKind::Server,
            true,
            "the endpoint failed (500): \"a ␛[31mb\"; try again later",
        ),
        (
            529,
            "",
            "",
            FailureKind::Server,
            true,
            "the endpoint failed (529); try again later",
        ),
        (
            404,
            "no model",
            "",
            FailureKind::Rejected,
            false,
            "the endpoint knows no such place or model (404): \"no model\"; check base and model",
        ),
        (
            400,
            "bad",
            "",
            FailureKind::Rejected,
            false,
            "the endpoint rejects the request (400): \"bad\"; check model and settings",
        ),
        (
            200,
            "busy",
            "overloaded_error",
            FailureKind::Server,
            true,
            "the endpoint failed (overloaded_error): \"busy\"; try again later",
        ),
        (
            200,
            "too many",
            "rate_limit_error",
            FailureKind::RateLimited,
            true,
            "the endpoint gets too many requests (rate_limit_error): \"too many\"; wait, or lower concurrency or per_minute",
        ),
        (
            200,
            "bad",
            "400 BadRequestError",
            FailureKind::Rejected,
            false,
            "the endpoint rejects the request (400 BadRequestError): \"bad\"; check model and settings",
        ),
    ] {
        let fault = teller.told(status, &said(message, code));
        assert_eq!(
            (
                fault.failure.kind,
                fault.again,
                fault.failure.message.as_str()
            ),
            (kind, again, format!("host:1: {told}").as_str())
        );
    }
    let keyless = Teller {
        key: None,
        ..teller
    };
    assert_eq!(
        keyless.told(401, &said("", "")).failure.message,
        "host:1: the endpoint wants a key (401); put one into OPENAI_API_KEY"
    );
}

#[test]
fn only_rejected_requests_can_be_made_otherwise() {
    let teller = Teller {
        host: "h",
        variable: "V",
        key: None,
    };
    let rejected = |status| teller.told(status, &said("why", "")).rejected;
    assert_eq!(rejected(400), Some("why".to_owned()));
    assert_eq!(rejected(422), Some("why".to_owned()));
    assert_eq!(rejected(401), None);
    assert_eq!(rejected(404), None);
    assert_eq!(rejected(500), None);
}
