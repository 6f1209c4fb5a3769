//! Pages for a browser: one file without scripts, links to elsewhere or fonts of its own, light or dark as the reader's
//! screen is, and fit for paper.
//!
//! Text that may come from anywhere goes through [`text`] or [`lines`]: both use the sanitiser of [`crate::base::text`],
//! so that a page cannot act, reorder or hide, and write out what HTML would read as its own.

use std::fmt::Write as _;

use crate::base::text::clean;

/// How pages look. Colours are those of the reader's choice; on paper everything is black on white and nothing scrolls.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2126;--ground:#fff;--dim:#5b6570;--line:#d4d9de;--soft:#f3f5f7;--good:#146c2e;--bad:#b3261e;--warn:#8a5a00}\
@media(prefers-color-scheme:dark){:root{--ink:#e4e7ea;--ground:#16191d;--dim:#9aa4af;--line:#3a4149;--soft:#20252b;--good:#6fd08c;--bad:#ff8a80;--warn:#f0b95a}}\
*{box-sizing:border-box}\
body{margin:0 auto;max-width:62rem;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}\
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.2rem;margin-top:2.2rem;border-bottom:1px solid var(--line)}h3{font-size:1rem;margin:1.2rem 0 .3rem}\
p,li,td,th,dd,h1,h3,.said{unicode-bidi:plaintext;overflow-wrap:anywhere}\
a{color:inherit}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0}dt{color:var(--dim)}dd{margin:0}\
.wide{overflow-x:auto}\
table{border-collapse:collapse;font-size:.9rem}th,td{padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}\
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums}\
ul{margin:.2rem 0;padding-left:1.2rem}\
.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}.dim{color:var(--dim)}\
.verdict{font-size:1.15rem;font-weight:600}\
.said{margin:.4rem 0;padding:.4rem .8rem;background:var(--soft);border-left:3px solid var(--line);max-height:22em;overflow:auto}\
.facts{font-family:ui-monospace,monospace;font-size:.85rem;list-style:none;padding-left:1rem}\
figure{margin:1rem 0;overflow-x:auto}figure svg{background:#fff}\
:target{outline:2px solid var(--warn)}\
@media print{:root{color-scheme:light;--ink:#000;--ground:#fff;--dim:#444;--line:#999;--soft:#f4f4f4;--good:#000;--bad:#000;--warn:#000}\
body{max-width:none;padding:0;font-size:10.5pt}.said,.wide,figure{max-height:none;overflow:visible}section{break-inside:avoid-page}h2,h3{break-after:avoid}}";

/// A whole page. `body` is HTML, its texts escaped already.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        text(title)
    )
}

/// One line of text, fit to stand between tags and within double quotes.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// Text of several lines: their ends stay, a tab is four blanks.
pub fn lines(many: &str) -> String {
    let each: Vec<String> = many
        .lines()
        .map(|line| text(&line.replace('\t', "    ")))
        .collect();
    each.join("<br>\n")
}

/// The address of a page beside this one, for a link; every byte that is not plain is written as `%41`.
pub fn address(file: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    let each = file.bytes().map(|b| {
        if plain(b) {
            char::from(b).to_string()
        } else {
            format!("%{b:02X}")
        }
    });
    // A name with a colon or a slash must not be read as a scheme or a path: both are written out above.
    each.collect()
}

/// A table: heads with whether they stand over numbers, and rows of cells, which are HTML already.
pub fn table(heads: &[(&str, bool)], rows: &[Vec<String>]) -> String {
    let class = |numeric: bool| if numeric { " class=\"n\"" } else { "" };
    let mut out = String::from("<div class=\"wide\"><table>\n<thead><tr>");
    for (head, numeric) in heads {
        let _ = write!(
            out,
            "<th scope=\"col\"{}>{}</th>",
            class(*numeric),
            text(head)
        );
    }
    out += "</tr></thead>\n<tbody>\n";
    for row in rows {
        out += "<tr>";
        for (cell, (_, numeric)) in row.iter().zip(heads) {
            let _ = write!(out, "<td{}>{cell}</td>", class(*numeric));
        }
        out += "</tr>\n";
    }
    out + "</tbody></table></div>\n"
}

/// Names with what they are, which is HTML already; those that say nothing are left out.
pub fn facts(all: &[(&str, String)]) -> String {
    let told = all.iter().filter(|(_, what)| !what.is_empty());
    let each = told.map(|(name, what)| format!("<dt>{}</dt><dd>{what}</dd>\n", text(name)));
    format!("<dl>\n{}</dl>\n", each.collect::<String>())
}

/// A list of items, which are HTML already; nothing where there are none.
pub fn list(class: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let each = items.iter().map(|item| format!("<li>{item}</li>\n"));
    format!(
        "<ul class=\"{class}\">\n{}</ul>\n",
        each.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            text("<a href=\"x\" o='y'>&\u{1b}[2J\u{202e}ab"),
            "&lt;a href=&quot;x&quot; o=&#39;y&#39;&gt;&amp;␛[2J‹U+202E›ab"
        );
        assert_eq!(lines("a\n\t<b>\r\nc"), "a<br>\n    &lt;b&gt;<br>\nc");
        assert_eq!(
            address("javascript:x/ä.html"),
            "javascript%3Ax%2F%C3%A4.html"
        );
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        assert_eq!(
            facts(&[("a", "1".to_owned()), ("b", String::new())]),
            "<dl>\n<dt>a</dt><dd>1</dd>\n</dl>\n"
        );
        assert_eq!(list("x", &[]), "");
    }
}
