//! XML by its elements and attributes (Misherghi, *Hierarchical Delta Debugging*, on the DOM).
//!
//! An element goes with its start tag, its content and its end tag, so what remains is well-formed
//! if the input was; the document element stays. Attributes, text and its words, references,
//! comments, processing instructions, the declarations of a DTD, the document type and the XML
//! declaration go too. An element may stand where any other one does. Attributes are children of
//! their element, before its content.
//!
//! White space belongs to the gaps. Tokens weigh what the tree-sitter grammar of XML makes of them:
//! a quoted value is its two quotes (and the references in it), a run of text is one token however
//! many words it has, a comment none.
//!
//! The reader checks nothing that can be read on: an end tag that nothing waits for is a node of its
//! own, an element without an end tag ends with what is around it. Where it gives up (markup that
//! never ends), so does [`parse`].

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use dwindle_core::{Quotes, Role, Slot, Tree, TreeBuilder};
use quick_xml::Reader;
use quick_xml::events::Event;

use super::mentions;
use super::naming::{Naming, is_word};
use crate::cancellation;
use crate::vocabulary::lexicon;

/// Extensions of files that are XML, whether or not they say so in their first line.
pub(super) const EXTENSIONS: &[&str] = &[
    "xml", "svg", "xsl", "xslt", "xsd", "rng", "xhtml", "plist", "pom", "wsdl", "rss", "atom", "kml", "gpx",
    "csproj", "vcxproj", "nuspec", "resx", "xaml", "xul", "xib", "xlf", "xliff", "rdf", "owl", "mathml",
    "dae", "gml", "osm", "fodt", "graphml", "scxml", "dita", "dbk",
];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Why a text cannot be read as XML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotXml {
    /// A byte 0: most likely UTF-16.
    #[error("a byte 0 at offset {0}: not XML in an encoding that extends ASCII")]
    Nul(usize),
    /// The reader gave up.
    #[error("not XML at offset {offset}: {reason}")]
    Broken {
        /// Where the markup that it cannot read begins, in bytes.
        offset: u64,
        /// What it says.
        reason: String,
    },
    /// There is nothing but text.
    #[error("no element")]
    NoElement,
}

/// Whether a file of this name and these bytes is XML.
pub fn recognise(path: &Path, bytes: &[u8]) -> bool {
    let named = path
        .extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension)));
    let start = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    let declared =
        start.strip_prefix(b"<?xml").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace));
    named || declared
}

/// The tree of `bytes`, in time linear in their number.
pub fn parse(bytes: Vec<u8>) -> Result<Tree, NotXml> {
    if let Some(nul) = bytes.iter().position(|&byte| byte == 0) {
        return Err(NotXml::Nul(nul));
    }
    // The reader wants UTF-8 and the structure is ASCII: a letter for every other byte leaves all
    // offsets as they are, whatever the encoding.
    let ascii = bytes.iter().map(|&byte| if byte.is_ascii() { byte as char } else { 'x' });
    let source: String = ascii.collect();
    let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut reader = Reader::from_str(&source[start..]);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut document = Document::new(bytes, &source);
    let mut at = start;
    loop {
        let event = reader.read_event().map_err(|error| NotXml::Broken {
            offset: start as u64 + reader.error_position(),
            reason: error.to_string(),
        })?;
        let span = at..start + reader.buffer_position() as usize;
        at = span.end;
        match event {
            Event::Eof => break,
            Event::Text(_) => document.characters(span),
            Event::GeneralRef(_) => document.reference(span),
            event => {
                document.flush_text();
                match event {
                    Event::Start(_) => document.start(span, false),
                    Event::Empty(_) => document.start(span, true),
                    Event::End(_) => document.end(span),
                    Event::CData(_) => document.cdata(span),
                    Event::Comment(_) => document.leaf(span, 0, Kind::Comment, Role::Deletable),
                    Event::Decl(_) => document.instruction(span, true),
                    Event::PI(_) => document.instruction(span, false),
                    _ => document.doctype(span),
                }
            }
        }
    }
    document.finish()
}

macro_rules! kinds {
    ($($kind:ident = $name:literal,)*) => {
        #[derive(Clone, Copy)]
        enum Kind { $($kind),* }

        const KINDS: &[&str] = &[$($name),*];
    };
}

kinds! {
    Document = "document",
    XmlDeclaration = "xml_declaration",
    Doctype = "doctype",
    ExternalId = "external_id",
    Subset = "internal_subset",
    Declaration = "markup_declaration",
    Instruction = "processing_instruction",
    Comment = "comment",
    Element = "element",
    Attribute = "attribute",
    Text = "text",
    Word = "word",
    Reference = "reference",
    CData = "cdata",
    StrayEnd = "stray_end_tag",
    Name = "name",
    Equals = "=",
    Value = "value",
    Delimiter = "delimiter",
    Other = "token",
}

/// A document that is being read.
struct Document<'a> {
    builder: TreeBuilder,
    /// The tokens of the builder with what they have to do with names.
    namings: Vec<(Range<u32>, Naming)>,
    /// What the next value does with a name that it is.
    value: Naming,
    /// Whether the next word is the name of an entity.
    entity: bool,
    /// The text with a letter for every byte that is not ASCII.
    source: &'a str,
    /// The names of the elements that are open, outermost first, and how many there are of each.
    open: Vec<&'a str>,
    waiting: HashMap<&'a str, usize>,
    /// Whether the document element has begun.
    begun: bool,
    /// The words and references of the run of text that is being read, with their weights.
    text: Vec<(Range<usize>, u32, Kind)>,
}

impl<'a> Document<'a> {
    fn new(bytes: Vec<u8>, source: &'a str) -> Self {
        let mut builder =
            TreeBuilder::cancelled_by(cancellation::current(), bytes, lexicon(KINDS.iter().copied()));
        builder.open(Kind::Document as u32, Role::Fixed);
        Self {
            builder,
            namings: Vec::new(),
            value: Naming::Words,
            entity: false,
            source,
            open: Vec::new(),
            waiting: HashMap::new(),
            begun: false,
            text: Vec::new(),
        }
    }

    fn finish(mut self) -> Result<Tree, NotXml> {
        if !self.begun {
            return Err(NotXml::NoElement);
        }
        self.flush_text();
        (0..=self.open.len()).for_each(|_| self.builder.close());
        let namings = self.namings.into_iter();
        mentions::of_tokens(self.source.as_bytes(), namings, false).tell(&mut self.builder);
        let element = Kind::Element as u32;
        self.builder.guess(|kind| (kind == element).then_some(0));
        Ok(self.builder.finish(Quotes::Known, &[Slot { kinds: vec![element], minimal: None }]))
    }

    /// Adds a token, if there is anything at `span`.
    fn leaf(&mut self, span: Range<usize>, weight: u32, kind: Kind, role: Role) {
        if !span.is_empty() {
            let naming = self.naming(&self.source[span.clone()], kind);
            self.entity = self.source[span.clone()] == *"ENTITY" || self.entity && naming == Naming::Nothing;
            let span = span.start as u32..span.end as u32;
            self.namings.push((span.clone(), naming));
            self.builder.token(span, weight, kind as u32, role);
        }
    }

    /// What a token has to do with names: entities are introduced, and values of attributes that give a
    /// name; references and other values use those.
    fn naming(&self, text: &str, kind: Kind) -> Naming {
        let is_word = is_word(text.as_bytes());
        match kind {
            Kind::Value if is_word => self.value,
            Kind::Reference => Naming::Uses,
            Kind::Other if self.entity && is_word => Naming::Introduces,
            Kind::Name | Kind::Equals | Kind::Delimiter | Kind::Other => Naming::Nothing,
            _ => Naming::Words,
        }
    }

    fn fixed(&mut self, span: Range<usize>, kind: Kind) {
        self.leaf(span, 1, kind, Role::Fixed);
    }

    fn node(&mut self, kind: Kind, role: Role) {
        self.builder.open(kind as u32, role);
    }

    /// The words of `span`; together they weigh as one token.
    fn words(&self, span: Range<usize>) -> impl Iterator<Item = (Range<usize>, u32)> + use<'a> {
        let source = self.source;
        let mut at = span.start;
        let mut weight = 1;
        std::iter::from_fn(move || {
            at = skip_space(source, at..span.end);
            let word = at..find(source, at..span.end, is_space);
            at = word.end;
            (!word.is_empty()).then(|| (word, std::mem::replace(&mut weight, 0)))
        })
    }

    fn characters(&mut self, span: Range<usize>) {
        let words = self.words(span).map(|(word, weight)| (word, weight, Kind::Word));
        self.text.extend(words);
    }

    fn reference(&mut self, span: Range<usize>) {
        let weight = references(&self.source[span.clone()]);
        self.text.push((span, weight, Kind::Reference));
    }

    /// Adds the run of text that ends here.
    fn flush_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if let [(span, weight, kind)] = &text[..] {
            let kind = if matches!(kind, Kind::Word) { Kind::Text } else { *kind };
            self.leaf(span.clone(), *weight, kind, Role::Deletable);
            return;
        }
        self.node(Kind::Text, Role::Deletable);
        for (span, weight, kind) in text {
            self.leaf(span, weight, kind, Role::Deletable);
        }
        self.builder.close();
    }

    fn start(&mut self, span: Range<usize>, empty: bool) {
        let first = !std::mem::replace(&mut self.begun, true);
        self.node(Kind::Element, if first { Role::Fixed } else { Role::Deletable });
        let close = span.end - if empty { 2 } else { 1 };
        self.fixed(span.start..span.start + 1, Kind::Delimiter);
        let name = span.start + 1..find(self.source, span.start + 1..close, is_space);
        self.fixed(name.clone(), Kind::Name);
        self.attributes(name.end..close, |_| (Role::Deletable, 2));
        self.fixed(close..span.end, Kind::Delimiter);
        if empty {
            self.builder.close();
        } else {
            let name = &self.source[name];
            self.open.push(name);
            *self.waiting.entry(name).or_default() += 1;
        }
    }

    fn end(&mut self, span: Range<usize>) {
        let close = span.end - 1;
        let name = span.start + 2..find(self.source, span.start + 2..close, is_space);
        let waiting = self.waiting.get_mut(&self.source[name.clone()]).filter(|waiting| **waiting > 0);
        if waiting.is_none() {
            return self.leaf(span, 3, Kind::StrayEnd, Role::Deletable);
        }
        while let Some(open) = self.open.pop() {
            *self.waiting.get_mut(open).expect("counted when opened") -= 1;
            if open == &self.source[name.clone()] {
                break;
            }
            self.builder.close();
        }
        self.fixed(span.start..span.start + 2, Kind::Delimiter);
        self.fixed(name.clone(), Kind::Name);
        self.attributes(name.end..close, |_| (Role::Deletable, 2));
        self.fixed(close..span.end, Kind::Delimiter);
        self.builder.close();
    }

    /// The attributes in `span`, each with the role that `of` gives its name and the weight of its
    /// value, references apart.
    fn attributes(&mut self, span: Range<usize>, of: impl Fn(&str) -> (Role, u32)) {
        let mut at = skip_space(self.source, span.clone());
        while at < span.end {
            // An equals sign without a name stands for one, so that every turn takes something.
            let name = at..find(self.source, at + 1..span.end, |byte| is_space(byte) || byte == b'=');
            let (role, weight) = of(&self.source[name.clone()]);
            self.node(Kind::Attribute, role);
            self.fixed(name.clone(), Kind::Name);
            at = skip_space(self.source, name.end..span.end);
            if at < span.end && self.source.as_bytes()[at] == b'=' {
                self.fixed(at..at + 1, Kind::Equals);
                let start = skip_space(self.source, at + 1..span.end);
                let value = start..value_end(self.source, start..span.end);
                let quoted = self.source[value.clone()].starts_with(['"', '\'']);
                let weight = if quoted { weight + references(&self.source[value.clone()]) } else { 1 };
                at = value.end;
                let names = matches!(&self.source[name], "id" | "name" | "xml:id");
                self.value = if names { Naming::Introduces } else { Naming::Uses };
                self.leaf(value, weight, Kind::Value, Role::Fixed);
                self.value = Naming::Words;
            }
            self.builder.close();
            at = skip_space(self.source, at..span.end);
        }
    }

    fn cdata(&mut self, span: Range<usize>) {
        let (content, close) = (span.start + "<![CDATA[".len(), span.end - "]]>".len());
        self.node(Kind::CData, Role::Deletable);
        self.leaf(span.start..content, 3, Kind::Delimiter, Role::Fixed);
        for (word, weight) in self.words(content..close) {
            self.leaf(word, weight, Kind::Word, Role::Deletable);
        }
        self.fixed(close..span.end, Kind::Delimiter);
        self.builder.close();
    }

    /// The XML declaration, or a processing instruction.
    fn instruction(&mut self, span: Range<usize>, declaration: bool) {
        let (open, close) = (span.start + 2, span.end - 2);
        let target = open..find(self.source, open..close.max(open), is_space);
        let with_attributes =
            declaration || matches!(&self.source[target.clone()], "xml-stylesheet" | "xml-model");
        if !with_attributes || close < open {
            return self.leaf(span, 3, Kind::Instruction, Role::Deletable);
        }
        self.node(if declaration { Kind::XmlDeclaration } else { Kind::Instruction }, Role::Deletable);
        self.fixed(span.start..open, Kind::Delimiter);
        self.fixed(target.clone(), Kind::Name);
        self.attributes(target.end..close, |name| match name {
            "version" if declaration => (Role::Fixed, 3),
            _ => (Role::Deletable, if declaration { 3 } else { 2 }),
        });
        self.fixed(close..span.end, Kind::Delimiter);
        self.builder.close();
    }

    /// The document type: `<!DOCTYPE name external-id [ declarations ]>`.
    fn doctype(&mut self, span: Range<usize>) {
        let close = span.end - 1;
        self.node(Kind::Doctype, Role::Deletable);
        let mut nodes = Vec::new();
        let mut literals = Literals::Value;
        let mut words = 0;
        let mut at = span.start;
        while at < close {
            let token = at..at + dtd_token(&self.source[at..close]);
            let text = &self.source[token.clone()];
            let inside = nodes.last().copied();
            match (inside, text) {
                (Some(Kind::Subset), _) if text.starts_with("<!--") => {
                    self.leaf(token.clone(), 0, Kind::Comment, Role::Deletable);
                }
                (Some(Kind::Subset), _) if text.starts_with("<?") => {
                    self.leaf(token.clone(), 3, Kind::Instruction, Role::Deletable);
                }
                (Some(Kind::Subset), _) if text.starts_with('%') => {
                    self.leaf(token.clone(), 3, Kind::Reference, Role::Deletable);
                }
                (Some(Kind::Subset), "<!") => {
                    self.node(Kind::Declaration, Role::Deletable);
                    nodes.push(Kind::Declaration);
                    literals = Literals::Value;
                    self.fixed(token.clone(), Kind::Delimiter);
                }
                (Some(Kind::Declaration), ">") | (Some(Kind::Subset), "]") => {
                    self.fixed(token.clone(), Kind::Delimiter);
                    self.builder.close();
                    nodes.pop();
                }
                (None | Some(Kind::ExternalId), "[") => {
                    if nodes.pop().is_some() {
                        self.builder.close();
                    }
                    self.node(Kind::Subset, Role::Deletable);
                    nodes.push(Kind::Subset);
                    self.fixed(token.clone(), Kind::Delimiter);
                }
                _ if text.starts_with(['"', '\'']) => {
                    let weight = literals.next_weight(text);
                    self.leaf(token.clone(), weight, Kind::Value, Role::Fixed);
                }
                _ => {
                    if matches!(text, "SYSTEM" | "PUBLIC") {
                        literals = if text == "PUBLIC" { Literals::Public } else { Literals::System };
                        if inside.is_none() && words >= 3 {
                            self.node(Kind::ExternalId, Role::Deletable);
                            nodes.push(Kind::ExternalId);
                        }
                    }
                    let weight = if text.len() > 2 && text.starts_with('%') { 3 } else { 1 };
                    self.leaf(token.clone(), weight, Kind::Other, Role::Fixed);
                }
            }
            words += 1;
            at = skip_space(self.source, token.end..close);
        }
        nodes.iter().for_each(|_| self.builder.close());
        self.fixed(close..span.end, Kind::Delimiter);
        self.builder.close();
    }
}

/// What the next literal of a document type is.
#[derive(Clone, Copy)]
enum Literals {
    Value,
    Public,
    System,
}

impl Literals {
    /// What the literal `text` weighs: an address is a token between the two quotes.
    fn next_weight(&mut self, text: &str) -> u32 {
        match *self {
            Self::Value => 2 + references(text),
            Self::Public => {
                *self = Self::System;
                2
            }
            Self::System => {
                *self = Self::Value;
                if text.len() > 2 { 3 } else { 2 }
            }
        }
    }
}

/// The length of the token that starts `text`, inside a document type.
fn dtd_token(text: &str) -> usize {
    let until = |end: &str| text.find(end).map_or(text.len(), |found| found + end.len());
    let name_end = |from: usize| {
        find(text, from..text.len(), |byte| is_space(byte) || b"<>[]()|,*+?%;\"'&".contains(&byte))
    };
    match text.as_bytes() {
        [b'<', b'!', b'-', b'-', ..] => text[4..].find("-->").map_or(text.len(), |found| found + 7),
        [b'<', b'?', ..] => until("?>"),
        [b'<', b'!', ..] => 2,
        [b'"' | b'\'', ..] => value_end(text, 0..text.len()),
        [b'%', ..] => {
            let end = name_end(1);
            if end > 1 && text[end..].starts_with(';') { end + 1 } else { 1 }
        }
        _ => name_end(0).max(1),
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The first offset in `span` of a byte of which `is` holds, or the end of `span`.
fn find(source: &str, span: Range<usize>, is: impl Fn(u8) -> bool) -> usize {
    let end = span.end;
    let start = span.start.min(end);
    source.as_bytes()[start..end].iter().position(|&byte| is(byte)).map_or(end, |found| start + found)
}

fn skip_space(source: &str, span: Range<usize>) -> usize {
    find(source, span, |byte| !is_space(byte))
}

/// The end of the value that starts `span`: behind its second quote, or at white space.
fn value_end(source: &str, span: Range<usize>) -> usize {
    match source.as_bytes()[span.clone()].first() {
        Some(&quote @ (b'"' | b'\'')) => {
            (find(source, span.start + 1..span.end, |byte| byte == quote) + 1).min(span.end)
        }
        _ => find(source, span, is_space),
    }
}

/// What the references in `text` weigh: `&` name `;`, but `&#` and `;` around a number.
fn references(text: &str) -> u32 {
    let reference = |rest: &str| {
        let number = rest.starts_with('#');
        let end =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '#' | '_' | '-' | '.' | ':'));
        match end {
            Some(end) if end > 0 && rest[end..].starts_with(';') => {
                if number {
                    2
                } else {
                    3
                }
            }
            _ => 0,
        }
    };
    text.split('&').skip(1).map(reference).sum()
}

#[cfg(test)]
mod tests;
