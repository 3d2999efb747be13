//! The grammar: a recursive descent whose depth is bounded.

use crate::Json5ParseError;
use crate::cursor::Cursor;
use crate::limits::MAX_DEPTH;
use crate::literal::{self, Numeral};
use crate::tree::{Container, Item, Key, Kind, Node, Shape};

/// Reads a text that is one value.
pub(crate) fn root(text: &str) -> Result<Node, Json5ParseError> {
    let mut parser = Parser::new(text);
    parser.cursor.skip_trivia()?;
    let node = parser.value()?;
    parser.cursor.skip_trivia()?;
    match parser.cursor.peek() {
        None => Ok(node),
        Some(_) => Err(parser.cursor.expected("the end of the text")),
    }
}

/// Reads a text that is one value, or nothing but white space and comments.
pub(crate) fn root_or_nothing(text: &str) -> Result<Option<Node>, Json5ParseError> {
    let mut cursor = Cursor::new(text);
    cursor.skip_trivia()?;
    if cursor.peek().is_none() {
        return Ok(None);
    }
    root(text).map(Some)
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Self { cursor: Cursor::new(text), depth: 0 }
    }

    fn value(&mut self) -> Result<Node, Json5ParseError> {
        let start = self.cursor.at();
        let kind = match self.cursor.peek() {
            Some('{') => self.container(Shape::Object)?,
            Some('[') => self.container(Shape::List)?,
            Some('"' | '\'') => Kind::Text(literal::string(&mut self.cursor)?),
            Some('+' | '-' | '.' | '0'..='9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { span: start..self.cursor.at(), kind })
    }

    fn number(&mut self) -> Result<Kind, Json5ParseError> {
        Ok(match literal::number(&mut self.cursor)? {
            Numeral::Finite(number) => Kind::Number(number),
            Numeral::NonFinite => Kind::NonFinite,
        })
    }

    fn word(&mut self) -> Result<Kind, Json5ParseError> {
        let start = self.cursor.at();
        if literal::name(&mut self.cursor)?.is_none() {
            return Err(self.cursor.expected("a value"));
        }
        match self.cursor.since(start) {
            "null" => Ok(Kind::Null),
            "true" => Ok(Kind::Bool(true)),
            "false" => Ok(Kind::Bool(false)),
            "NaN" | "Infinity" => Ok(Kind::NonFinite),
            // The word is not repeated: it may be a secret whose quotes were forgotten.
            _ => Err(self.cursor.error(start, "expected a value, found a word without quotes")),
        }
    }

    fn container(&mut self, shape: Shape) -> Result<Kind, Json5ParseError> {
        let start = self.cursor.at();
        self.cursor.bump();
        if self.depth == MAX_DEPTH {
            return Err(self.cursor.error(start, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let close = match shape {
            Shape::Object => '}',
            Shape::List => ']',
        };
        let mut items: Vec<Item> = Vec::new();
        loop {
            self.cursor.skip_trivia()?;
            if self.cursor.eat(close) {
                break;
            }
            if items.last().is_some_and(|item| item.comma.is_none()) {
                return Err(self.cursor.expected(&format!("`,` or `{close}`")));
            }
            items.push(self.item(shape)?);
        }
        self.depth -= 1;
        Ok(Kind::Container(Container { shape, items }))
    }

    /// One item and the comma after it.
    fn item(&mut self, shape: Shape) -> Result<Item, Json5ParseError> {
        let key = match shape {
            Shape::Object => Some(self.key()?),
            Shape::List => None,
        };
        let value = self.value()?;
        self.cursor.skip_trivia()?;
        let at = self.cursor.at();
        let comma = self.cursor.eat(',').then_some(at);
        Ok(Item { key, value, comma })
    }

    /// A name and the colon after it.
    fn key(&mut self) -> Result<Key, Json5ParseError> {
        let start = self.cursor.at();
        let name = match self.cursor.peek() {
            Some('"' | '\'') => literal::string(&mut self.cursor)?,
            _ => match literal::name(&mut self.cursor)? {
                Some(name) => name,
                None => return Err(self.cursor.expected("a key")),
            },
        };
        let span = start..self.cursor.at();
        self.cursor.skip_trivia()?;
        if !self.cursor.eat(':') {
            return Err(self.cursor.expected("`:`"));
        }
        self.cursor.skip_trivia()?;
        Ok(Key { name, span })
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
