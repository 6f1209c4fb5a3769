//! Pages of HTML that need nothing else: no script, no font, no picture of others. Light or dark as the reader's system is, and
//! good on paper.

use std::fmt::Write as _;

use super::text::clean;

/// A text that says in HTML what it says, and nothing more: what would act on a terminal or a page is written out.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        for c in clean(line).chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\'' => out.push_str("&#39;"),
                c => out.push(c),
            }
        }
    }
    out
}

/// A name that can stand after `#` in an address: letters, digits and dashes.
pub fn anchor(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    text.chars().map(plain).collect()
}

const STYLE: &str = "\
:root{color-scheme:light dark;--text:#1b1f24;--dim:#59636e;--line:#d1d9e0;--bad:#b3261e;--good:#1a7f37;--warn:#8a5a00;--back:#fff}
@media (prefers-color-scheme:dark){:root{--text:#e6e9ed;--dim:#9aa4af;--line:#3a424c;--bad:#ff8a80;--good:#6fd08c;--warn:#e3b341;--back:#14181d}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back);max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid var(--line)}h3{font-size:1rem;margin:1rem 0 .2rem}
table{border-collapse:collapse;margin:.5rem 0}th,td{text-align:left;vertical-align:top;padding:.15rem .8rem .15rem 0}
thead th{border-bottom:1px solid var(--line)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.bad{color:var(--bad)}.good{color:var(--good)}.warn{color:var(--warn)}.dim{color:var(--dim)}
section:target{outline:2px solid var(--warn);outline-offset:.3rem}
ul{margin:.2rem 0;padding-left:1.2rem}.said{white-space:pre-wrap;border-left:3px solid var(--line);padding-left:.6rem;margin:.3rem 0}
svg{max-width:100%;height:auto;background:#fff}a{color:inherit}
@media print{body{max-width:none;margin:0}section{break-inside:avoid}}";

/// A page with a title; `body` is HTML.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    let mut out = String::with_capacity(body.len() + 4096);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_acts() {
        let text = "<script>alert('x')</script> & \"q\"\u{1b}[2J\u{202e}\nnext";
        let safe = escape(text);
        assert_eq!(
            safe,
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;q&quot;\u{241b}[2J&lt;U+202E&gt;\nnext"
        );
        assert_eq!(anchor("s8 <x>"), "s8--x-");
    }

    #[test]
    fn a_page_asks_for_nothing_elsewhere() {
        let page = page("A & B", "<p>x</p>");
        assert!(page.contains("<title>A &amp; B</title>"));
        for word in ["http", "src=", "<script", "@import", "url("] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
