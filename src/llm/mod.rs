//! Chat models over HTTP: requests of [`crate::agent::chat`] to endpoints and back.
