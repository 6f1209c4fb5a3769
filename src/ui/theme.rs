//! From roles to terminal attributes: the shipped theme file and its reader.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::app::role::{ROLES, Role};
use crate::app::state::Colours;

/// The shipped theme.
pub const SHIPPED: &str = include_str!("../../assets/themes/ansi16.toml");

/// How every role looks.
#[derive(Debug, Clone)]
pub struct Theme {
    styles: Vec<Style>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    colour: BTreeMap<String, Look>,
    mono: BTreeMap<String, Look>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Look {
    fg: Option<String>,
    bg: Option<String>,
    style: Vec<String>,
}

/// The sixteen colours by the names theme files use. Never RGB: the user's own palette is kept.
const COLOURS: &[(&str, Color)] = &[
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright-black", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("bright-white", Color::White),
];

/// The attributes by the names theme files use.
const MODIFIERS: &[(&str, Modifier)] = &[
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
];

impl Look {
    fn style(&self) -> Result<Style, String> {
        let colour = |name: &Option<String>| match name {
            None => Ok(None),
            Some(name) => COLOURS
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, colour)| Some(*colour))
                .ok_or_else(|| format!("there is no colour \"{name}\"")),
        };
        let mut modifier = Modifier::empty();
        for word in &self.style {
            let known = MODIFIERS.iter().find(|(known, _)| known == word);
            let (_, bit) = known.ok_or_else(|| format!("there is no style \"{word}\""))?;
            modifier |= *bit;
        }
        Ok(Style {
            fg: colour(&self.fg)?,
            bg: colour(&self.bg)?,
            ..Style::new().add_modifier(modifier)
        })
    }
}

impl Theme {
    /// Reads a theme file.
    pub fn parse(text: &str, colours: Colours) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|err| err.message().to_owned())?;
        let table = match colours {
            Colours::Ansi16 => file.colour,
            Colours::None => file.mono,
        };
        if let Some(name) = table
            .keys()
            .find(|name| !ROLES.iter().any(|(_, role)| role == name))
        {
            return Err(format!("there is no role \"{name}\""));
        }
        let mut styles = Vec::with_capacity(ROLES.len());
        for (_, name) in ROLES {
            let look = table
                .get(*name)
                .ok_or_else(|| format!("the role \"{name}\" is missing"))?;
            styles.push(look.style().map_err(|err| format!("{name}: {err}"))?);
        }
        Ok(Self { styles })
    }

    /// The shipped theme; a test holds that it can be read.
    pub fn shipped(colours: Colours) -> Self {
        Self::parse(SHIPPED, colours).unwrap_or(Self { styles: Vec::new() })
    }

    /// How a role looks.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_theme_is_whole() {
        for colours in [Colours::Ansi16, Colours::None] {
            Theme::parse(SHIPPED, colours).unwrap();
        }
        for (at, (role, _)) in ROLES.iter().enumerate() {
            assert_eq!(*role as usize, at, "ROLES is in the order of the enum");
        }
    }

    #[test]
    fn mono_uses_bold_underline_reverse_only() {
        let theme = Theme::shipped(Colours::None);
        for (role, name) in ROLES {
            let style = theme.style(*role);
            let allowed = Modifier::BOLD | Modifier::UNDERLINED | Modifier::REVERSED;
            assert!(style.fg.is_none() && style.bg.is_none(), "{name}");
            assert!(allowed.contains(style.add_modifier), "{name}");
        }
    }

    #[test]
    fn faults_are_named() {
        let wrong = SHIPPED.replacen("fg = \"red\"", "fg = \"crimson\"", 1);
        assert!(
            Theme::parse(&wrong, Colours::Ansi16)
                .unwrap_err()
                .contains("crimson")
        );
        let missing = SHIPPED.replacen("text = {}\n", "", 1);
        assert!(
            Theme::parse(&missing, Colours::Ansi16)
                .unwrap_err()
                .contains("text")
        );
    }
}
