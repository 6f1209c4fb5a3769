//! Tokens to formulas, by recursive descent; how deep is bounded, so no text can exhaust the stack.
//!
//! ```text
//! rule    := [ 'A' binders '.' ] 'H' unary
//! formula := disj [ '->' formula ]
//! disj    := conj ('|' conj)*      conj := since ('&' since)*      since := unary ('S' unary)*
//! unary   := ('!'|'Y'|'O'|'H') unary | ('A'|'E') binders '.' formula | '(' formula ')' | atom
//! binders := var ':' guard ('|' guard)* (',' binders)?
//! atom    := 'start' | 'end' | 'true' | var ('='|'!=') var | fact ['(' var (',' var)* ')']
//!          | 'act' '(' ACTION ('|' ACTION)* [',' var [',' var]] ')' | 'run' '(' formula ')' '<=' number
//! ```

use super::lexer::{Kind, Piece, Token, tokens};
use crate::base::diag::Diagnostic;
use crate::safety::ast::{Ast, Binder, Name, Span};

/// How many levels a formula may be nested. Rules people write stay below 12.
pub const MAX_DEPTH: usize = 100;

/// How many `S` may follow each other without parentheses.
const MAX_CHAIN: usize = 10;

/// Words with a meaning of their own, which no variable may have.
pub const RESERVED: [&str; 12] = [
    "A", "E", "H", "O", "Y", "S", "act", "run", "start", "end", "true", "me",
];

type Parsed<T> = Result<T, Diagnostic>;

/// Reads a formula.
///
/// # Errors
/// What is wrong and where; `at` is named where the text ends too early.
pub fn formula(pieces: &[Piece<'_>], at: Span) -> Parsed<Ast> {
    let mut parser = Parser::new(pieces, at)?;
    let ast = parser.formula(0)?;
    parser.finish()?;
    Ok(ast)
}

/// Reads a rule: a formula of the shape `A x:guard. H body`, or `H body`.
///
/// # Errors
/// As [`formula`]; also a formula of another shape.
pub fn rule(pieces: &[Piece<'_>], at: Span) -> Parsed<Ast> {
    let ast = formula(pieces, at)?;
    let body = match &ast {
        Ast::All(_, body) => body,
        other => other,
    };
    if matches!(body, Ast::Hist(_)) {
        return Ok(ast);
    }
    Err(wrong(at, "a rule says what must hold at every position")
        .help("write A x:guard. H(...), or H(...) alone"))
}

/// Reads what a fact block declares: `name`, `name(x, y)` or `name(x:guard, y:guard)`. A parameter without guards has
/// none in the answer.
///
/// # Errors
/// As [`formula`].
pub fn head(pieces: &[Piece<'_>], at: Span) -> Parsed<(Name, Vec<Binder>)> {
    let mut parser = Parser::new(pieces, at)?;
    let name = parser.name("the name of a fact")?;
    let mut params = Vec::new();
    if parser.eat("(") {
        loop {
            let var = parser.name("the name of a parameter")?;
            let guards = if parser.eat(":") {
                parser.alternatives("a tag, a class or a property")?
            } else {
                Vec::new()
            };
            params.push(Binder { var, guards });
            if !parser.eat(",") {
                break;
            }
        }
        parser.need(")")?;
    }
    parser.finish()?;
    Ok((name, params))
}

fn wrong(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("", message).at(at.line, Some(at.column))
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    end: Span,
}

impl<'t> Parser<'t> {
    fn new(pieces: &[Piece<'t>], at: Span) -> Parsed<Self> {
        let end = pieces.last().map_or(at, |p| Span {
            line: p.span.line,
            column: p.span.column + p.text.trim_end().chars().count() as u32,
        });
        Ok(Self {
            tokens: tokens(pieces)?,
            next: 0,
            end,
        })
    }

    fn peek(&self) -> Option<Kind<'t>> {
        self.tokens.get(self.next).map(|t| t.kind)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.next).map_or(self.end, |t| t.span)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Kind::Sign(s)) if s == sign);
        self.next += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Kind::Word(w)) if w == word);
        self.next += usize::from(found);
        found
    }

    fn need(&mut self, sign: &'static str) -> Parsed<()> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("\"{sign}\"")))
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match self.peek() {
            None => "the formula ends here".to_owned(),
            Some(Kind::Word(w)) => format!("\"{w}\" stands here"),
            Some(Kind::Number(n)) => format!("{n} stands here"),
            Some(Kind::Sign(s)) => format!("\"{s}\" stands here"),
        };
        wrong(self.span(), format!("{found} where {wanted} is expected"))
    }

    fn finish(&self) -> Parsed<()> {
        if self.peek().is_none() {
            return Ok(());
        }
        let help = match self.peek() {
            Some(Kind::Sign(")")) => "there is one ) too many",
            Some(Kind::Sign("=" | "!=")) => "only two variables can be compared",
            _ => "join formulas with &, |, -> or S",
        };
        Err(self.unexpected("the end of the formula").help(help))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        let Some(Kind::Word(text)) = self.peek() else {
            return Err(self.unexpected(what));
        };
        self.next += 1;
        Ok(Name {
            text: text.to_owned(),
            span,
        })
    }

    fn alternatives(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut all = vec![self.name(what)?];
        while self.eat("|") {
            all.push(self.name(what)?);
        }
        Ok(all)
    }

    fn binders(&mut self) -> Parsed<Vec<Binder>> {
        let mut all = Vec::new();
        loop {
            let var = self.name("a variable")?;
            if !self.eat(":") {
                return Err(wrong(
                    self.span(),
                    format!("the variable {} has no guard", var.text),
                )
                .help(format!("write {}:TAG to say what it ranges over", var.text)));
            }
            let guards = self.alternatives("a tag, a class or a property")?;
            all.push(Binder { var, guards });
            if !self.eat(",") {
                break;
            }
        }
        if !self.eat(".") {
            return Err(self
                .unexpected("\".\"")
                .help("a full stop ends the variables: A x:tag, y:tag. formula"));
        }
        Ok(all)
    }

    /// One level deeper, if there is room.
    fn deeper(&self, depth: usize) -> Parsed<usize> {
        if depth < MAX_DEPTH {
            return Ok(depth + 1);
        }
        Err(wrong(
            self.span(),
            format!("the formula is nested deeper than {MAX_DEPTH} levels"),
        )
        .help("split it into several rules or declare a fact"))
    }

    fn formula(&mut self, depth: usize) -> Parsed<Ast> {
        let depth = self.deeper(depth)?;
        let left = self.disj(depth)?;
        if !self.eat("->") {
            return Ok(left);
        }
        let right = self.formula(depth)?;
        Ok(Ast::Implies(Box::new(left), Box::new(right)))
    }

    fn disj(&mut self, depth: usize) -> Parsed<Ast> {
        let first = self.conj(depth)?;
        if !self.eat("|") {
            return Ok(first);
        }
        let mut all = vec![first, self.conj(depth)?];
        while self.eat("|") {
            all.push(self.conj(depth)?);
        }
        Ok(Ast::Or(all))
    }

    fn conj(&mut self, depth: usize) -> Parsed<Ast> {
        let first = self.since(depth)?;
        if !self.eat("&") {
            return Ok(first);
        }
        let mut all = vec![first, self.since(depth)?];
        while self.eat("&") {
            all.push(self.since(depth)?);
        }
        Ok(Ast::And(all))
    }

    fn since(&mut self, depth: usize) -> Parsed<Ast> {
        let mut left = self.unary(depth)?;
        let mut chained = 0;
        while self.eat_word("S") {
            // Each further S nests what stands before it.
            chained += 1;
            if chained > MAX_CHAIN {
                return Err(
                    wrong(self.span(), format!("more than {MAX_CHAIN} S in a row"))
                        .help("split the formula into several rules or declare a fact"),
                );
            }
            let right = self.unary(depth)?;
            left = Ast::Since(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self, depth: usize) -> Parsed<Ast> {
        let depth = self.deeper(depth)?;
        if self.eat("!") {
            return Ok(Ast::Not(Box::new(self.unary(depth)?)));
        }
        if self.eat("(") {
            let inner = self.formula(depth)?;
            self.need(")")?;
            return Ok(inner);
        }
        let Some(Kind::Word(word)) = self.peek() else {
            return Err(self.unexpected("a fact, an action or \"(\""));
        };
        let wrap = match word {
            "Y" => Ast::Prev,
            "O" => Ast::Once,
            "H" => Ast::Hist,
            "A" | "E" => {
                self.next += 1;
                let binders = self.binders()?;
                let body = Box::new(self.formula(depth)?);
                return Ok(if word == "A" {
                    Ast::All(binders, body)
                } else {
                    Ast::Some(binders, body)
                });
            }
            _ => return self.atom(depth),
        };
        self.next += 1;
        Ok(wrap(Box::new(self.unary(depth)?)))
    }

    fn atom(&mut self, depth: usize) -> Parsed<Ast> {
        let name = self.name("a fact")?;
        match name.text.as_str() {
            "true" => return Ok(Ast::True),
            "start" => return Ok(Ast::Start),
            "end" => return Ok(Ast::End),
            "S" => {
                return Err(wrong(name.span, "S has nothing on its left")
                    .help("write f S g: g held once, and f ever since"));
            }
            "act" => return self.act(),
            "run" => return self.run(depth),
            _ => {}
        }
        if self.eat("=") {
            return Ok(Ast::Same(name, self.name("a variable")?));
        }
        if self.eat("!=") {
            let other = self.name("a variable")?;
            return Ok(Ast::Not(Box::new(Ast::Same(name, other))));
        }
        let mut args = Vec::new();
        if self.eat("(") {
            args = self.arguments()?;
            self.need(")")?;
        }
        Ok(Ast::Fact(name, args))
    }

    fn arguments(&mut self) -> Parsed<Vec<Name>> {
        let mut args = vec![self.name("a variable")?];
        while self.eat(",") {
            args.push(self.name("a variable")?);
        }
        Ok(args)
    }

    fn act(&mut self) -> Parsed<Ast> {
        self.need("(")?;
        let verbs = self.alternatives("the name of an action")?;
        let args = if self.eat(",") {
            self.arguments()?
        } else {
            Vec::new()
        };
        self.need(")")?;
        Ok(Ast::Act(verbs, args))
    }

    fn run(&mut self, depth: usize) -> Parsed<Ast> {
        let help = "run(f) <= k says that f held at no more than k positions in a row";
        let inner = |p: &mut Self| {
            p.need("(")?;
            let f = p.formula(depth)?;
            p.need(")")?;
            Ok(f)
        };
        let f = inner(self)?;
        if !self.eat("<=") {
            return Err(self.unexpected("\"<=\"").help(help));
        }
        let Some(Kind::Number(most)) = self.peek() else {
            return Err(self.unexpected("a number").help(help));
        };
        self.next += 1;
        Ok(Ast::Run(Box::new(f), most))
    }
}
