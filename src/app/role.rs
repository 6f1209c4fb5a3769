//! Colour roles: what a piece of text *is*. Screens name roles; only a theme knows colours.

/// What a piece of text is; the theme decides how it looks (`assets/themes`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Role {
    /// Ordinary text.
    #[default]
    Text,
    /// Text of less weight.
    Dim,
    /// Border of a pane without the focus.
    Border,
    /// Border of the pane with the focus.
    BorderFocus,
    /// The row under the cursor.
    Cursor,
    /// A picked row.
    Picked,
    /// Holds, safe, done.
    Good,
    /// One more fact breaks it.
    Armed,
    /// Must be discharged soon.
    Pending,
    /// Violated: filled.
    Bad,
    /// Refused.
    Refused,
    /// The BLUE side.
    SideBlue,
    /// The RED side.
    SideRed,
    /// A fact that came.
    Add,
    /// A fact that went.
    Del,
    /// A fact that changed.
    Change,
    /// A live run.
    Live,
    /// A paused run.
    Paused,
    /// Something `Enter` opens.
    Link,
    /// A key in footer and help.
    Key,
    /// A title.
    Title,
    /// An error notice.
    Error,
    /// Kept from before, perhaps out of date.
    Stale,
    /// In files: the name of a field or a thing.
    CodeName,
    /// In files: a text in quotes.
    CodeText,
    /// In files: a number.
    CodeNumber,
    /// In files: a word with a meaning of its own.
    CodeWord,
    /// In files: a remark.
    CodeRemark,
}

/// Every role with the name theme files use.
pub const ROLES: &[(Role, &str)] = &[
    (Role::Text, "text"),
    (Role::Dim, "dim"),
    (Role::Border, "border"),
    (Role::BorderFocus, "border-focus"),
    (Role::Cursor, "cursor"),
    (Role::Picked, "picked"),
    (Role::Good, "good"),
    (Role::Armed, "armed"),
    (Role::Pending, "pending"),
    (Role::Bad, "bad"),
    (Role::Refused, "refused"),
    (Role::SideBlue, "side-blue"),
    (Role::SideRed, "side-red"),
    (Role::Add, "add"),
    (Role::Del, "del"),
    (Role::Change, "change"),
    (Role::Live, "live"),
    (Role::Paused, "paused"),
    (Role::Link, "link"),
    (Role::Key, "key"),
    (Role::Title, "title"),
    (Role::Error, "error"),
    (Role::Stale, "stale"),
    (Role::CodeName, "code-name"),
    (Role::CodeText, "code-text"),
    (Role::CodeNumber, "code-number"),
    (Role::CodeWord, "code-word"),
    (Role::CodeRemark, "code-remark"),
];
