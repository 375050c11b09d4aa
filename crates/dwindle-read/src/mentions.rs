//! From what the tokens of a text have to do with names to the mentions of names in it.
//!
//! Three things show only when the whole text is known. An import introduces its last name, if
//! nothing in it is marked. An assignment introduces what nothing around it does. And where nothing at
//! all is marked, the first mention of a name introduces it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use dwindle_core::{How, Mention, TreeBuilder};

use super::languages::{ALL_NAMES, Trait};
use super::naming::{Naming, bare, is_one_of, is_word};

const NONE: u32 = u32::MAX;

/// Where nothing says what is introduced, a word that occurs more often is one of the language.
const OFTEN: usize = 16;

/// Takes what there is to know of a text, in its order.
pub(super) struct Gathering<'a> {
    bytes: &'a [u8],
    /// What is special about the language.
    traits: &'static [Trait],
    numbers: HashMap<Arc<[u8]>, u32>,
    spellings: Vec<Arc<[u8]>>,
    spans: Vec<Range<u32>>,
    entries: Vec<Entry>,
    open: Vec<Open>,
    scopes: Vec<Scope>,
    /// What each part of an import has in which nothing is marked.
    imports: Vec<Range<usize>>,
}

/// A token that has to do with names.
#[derive(Clone, Copy)]
struct Entry {
    token: u32,
    /// None where there are several words in it.
    name: u32,
    naming: Naming,
    /// Part of an import.
    import: bool,
}

struct Open {
    import: bool,
    /// Where a new one would be looked for in an import.
    part: bool,
    first: usize,
    marked: bool,
    /// Whether it ends with what stands for all names.
    all: bool,
    path: bool,
    scope: Option<usize>,
}

/// A scope with something in it, by the entries that it has.
struct Scope {
    entries: Range<usize>,
    /// The name of the node that it is.
    head: u32,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(bytes: &'a [u8], traits: &'static [Trait]) -> Self {
        Self {
            bytes,
            traits,
            numbers: HashMap::new(),
            spellings: Vec::new(),
            spans: Vec::new(),
            entries: Vec::new(),
            open: Vec::new(),
            scopes: Vec::new(),
            imports: Vec::new(),
        }
    }

    fn has(&self, own: Trait) -> bool {
        self.traits.contains(&own)
    }

    /// A node begins; a `part` is one of several that can go, a `path` has no parts.
    pub(super) fn open(&mut self, import: bool, part: bool, path: bool) {
        let inside = self.open.last().is_some_and(|open| open.import);
        let in_path = self.open.last().is_some_and(|open| open.path);
        let part = part && !in_path;
        let first = self.entries.len();
        self.open.push(Open {
            import: import || inside,
            part: part && inside || import && !inside,
            first,
            marked: false,
            all: false,
            path: path || in_path,
            scope: None,
        });
    }

    /// The node that began last is a scope.
    pub(super) fn scope(&mut self) {
        let first = self.entries.len();
        if let Some(open) = self.open.last_mut().filter(|open| open.scope.is_none()) {
            self.scopes.push(Scope { entries: first..first, head: NONE });
            open.scope = Some(self.scopes.len() - 1);
        }
    }

    /// The innermost node ends.
    pub(super) fn close(&mut self) {
        let Some(mut open) = self.open.pop() else { return };
        let end = self.entries.len();
        if open.part && !open.marked && open.first < end {
            if !open.all {
                self.imports.push(open.first..end);
            }
            open.marked = true;
        }
        if let Some(scope) = open.scope {
            self.scopes[scope].entries.end = end;
        }
        if let Some(around) = self.open.last_mut() {
            around.marked |= open.marked;
            around.all |= open.all;
        }
    }

    /// The next token; `part` if it is one of several that can go.
    pub(super) fn token(&mut self, span: Range<u32>, naming: Naming, part: bool) {
        let token = self.spans.len() as u32;
        let text = &self.bytes[span.start as usize..span.end as usize];
        self.spans.push(span);
        let import = self.open.last().is_some_and(|open| open.import);
        if naming == Naming::Nothing {
            if import
                && is_one_of(text, ALL_NAMES)
                && let Some(open) = self.open.last_mut()
            {
                open.all = true;
            }
            return;
        }
        let several = matches!(naming, Naming::Words | Naming::Code | Naming::Builtin);
        let name = if several { NONE } else { self.number(self.name_in(text)) };
        let part = part && import && self.open.last().is_some_and(|open| !open.path);
        if part {
            self.open(false, true, false);
        }
        if let Some(open) = self.open.last_mut() {
            open.all = false;
            open.marked |= matches!(naming, Naming::Introduces | Naming::Heads);
        }
        if naming == Naming::Heads
            && let Some(scope) = self.open.iter().rev().find_map(|open| open.scope)
        {
            self.scopes[scope].head = name;
        }
        self.entries.push(Entry { token, name, naming, import });
        if part {
            self.close();
        }
    }

    /// The name that a token is. In a Lisp all signs but `|` around it are a part of it.
    fn name_in(&self, text: &'a [u8]) -> &'a [u8] {
        match text {
            [b'|', name @ .., b'|'] if self.has(Trait::Lisp) => name,
            name if self.has(Trait::Lisp) => name,
            _ => bare(text),
        }
    }

    fn number(&mut self, word: &[u8]) -> u32 {
        if let Some(number) = self.find(word) {
            return number;
        }
        let number = self.spellings.len() as u32;
        let spelling: Arc<[u8]> =
            if self.has(Trait::FoldsCase) { word.to_ascii_lowercase().into() } else { word.into() };
        self.spellings.push(spelling.clone());
        self.numbers.insert(spelling, number);
        number
    }

    fn find(&self, word: &[u8]) -> Option<u32> {
        if self.has(Trait::FoldsCase) && word.iter().any(u8::is_ascii_uppercase) {
            return self.numbers.get(&*word.to_ascii_lowercase()).copied();
        }
        self.numbers.get(word).copied()
    }

    /// All mentions, the text being over. With `first`, where nothing is marked, the first mention of a
    /// name introduces it.
    pub(super) fn settle(mut self, first: bool) -> Mentions {
        while !self.open.is_empty() {
            self.close();
        }
        self.scopes.retain(|scope| !scope.entries.is_empty());
        let mut how: Vec<How> = self.entries.iter().map(|entry| how(entry.naming)).collect();
        let in_paths = self.settle_imports(&mut how);
        self.settle_scopes(&mut how);
        if first && !how.contains(&How::Introduces) && in_paths.is_empty() {
            self.first_mentions(&mut how);
        }
        self.settle_paths(&mut how);
        self.write(&how, &in_paths)
    }

    /// Marks the last name of each import. The result is what words in strings introduce.
    fn settle_imports(&mut self, how: &mut [How]) -> HashMap<u32, u32> {
        let mut in_paths = HashMap::new();
        for entries in std::mem::take(&mut self.imports) {
            let last = entries.end - 1;
            let entry = self.entries[last];
            if entry.name != NONE {
                how[last] = How::Introduces;
            } else if let Some(name) = self.last_of_path(entry.token) {
                in_paths.insert(entry.token, name);
            }
        }
        in_paths
    }

    /// The last part of a path that is a name somewhere.
    fn last_of_path(&self, token: u32) -> Option<u32> {
        let path = bare(self.text(token));
        let is_version = |part: &&[u8]| {
            self.has(Trait::VersionedImports) && part[0] == b'v' && part[1..].iter().all(u8::is_ascii_digit)
        };
        let mut parts = path.rsplit(|&byte| byte == b'/').filter(|part| !part.is_empty());
        parts.find(|part| !is_version(part)).and_then(|part| self.find(part))
    }

    /// What assignments introduce, and what only seems to be introduced.
    fn settle_scopes(&self, how: &mut [How]) {
        // How many of the scopes that are open introduce each name.
        let mut known = vec![0u32; self.spellings.len()];
        let mut own = self.own_introductions(how).into_iter();
        let around = own.next().unwrap_or_default();
        around.iter().for_each(|&name| known[name as usize] += 1);
        // Their ends, their own names and what they introduce.
        let mut open: Vec<(usize, u32, Vec<u32>)> = vec![(usize::MAX, NONE, around)];
        let mut scopes = self.scopes.iter().zip(own).peekable();
        for (index, (entry, how)) in self.entries.iter().zip(how).enumerate() {
            while let Some((_, _, names)) = open.pop_if(|(end, ..)| *end <= index) {
                names.iter().for_each(|&name| known[name as usize] -= 1);
            }
            while let Some((scope, names)) = scopes.next_if(|(scope, _)| scope.entries.start <= index) {
                names.iter().for_each(|&name| known[name as usize] += 1);
                open.push((scope.entries.end, scope.head, names));
            }
            match entry.naming {
                // A constructor is called like its class.
                Naming::Introduces if open.iter().rev().take(2).any(|(_, head, _)| *head == entry.name) => {
                    *how = How::Uses;
                }
                Naming::Assigns if known[entry.name as usize] == 0 => {
                    *how = How::Introduces;
                    known[entry.name as usize] += 1;
                    if let Some((.., names)) = open.last_mut() {
                        names.push(entry.name);
                    }
                }
                _ => {}
            }
        }
    }

    /// The names that each scope introduces, that around all of them first.
    fn own_introductions(&self, how: &[How]) -> Vec<Vec<u32>> {
        let mut own = vec![Vec::new(); self.scopes.len() + 1];
        let mut open: Vec<usize> = Vec::new();
        let mut next = 0;
        for (index, entry) in self.entries.iter().enumerate() {
            while open.last().is_some_and(|&scope| self.scopes[scope].entries.end <= index) {
                open.pop();
            }
            while self.scopes.get(next).is_some_and(|scope| scope.entries.start <= index) {
                open.push(next);
                next += 1;
            }
            if how[index] == How::Introduces {
                // The name of a scope is known around it.
                let depth = open.len() - usize::from(entry.naming == Naming::Heads && !open.is_empty());
                own[depth.checked_sub(1).map_or(0, |depth| open[depth] + 1)].push(entry.name);
            }
        }
        own
    }

    /// Nothing is marked: what comes first introduces, but for a word at the start of a line, which is a
    /// keyword or a command unless it gets a value.
    fn first_mentions(&self, how: &mut [How]) {
        let mut count = vec![0; self.spellings.len()];
        let named = self.entries.iter().filter(|entry| entry.name != NONE);
        named.for_each(|entry| count[entry.name as usize] += 1);
        let mut seen: Vec<bool> = count.iter().map(|&count| count > OFTEN).collect();
        for (how, entry) in how.iter_mut().zip(&self.entries) {
            if entry.name == NONE || std::mem::replace(&mut seen[entry.name as usize], true) {
                continue;
            }
            let token = entry.token as usize;
            let before = token.checked_sub(1).map_or(0, |before| self.spans[before].end as usize);
            let gap = &self.bytes[before..self.spans[token].start as usize];
            let starts_line = token == 0 || gap.contains(&b'\n');
            let behind = self.spans.get(token + 1).map(|span| self.bytes[span.start as usize]);
            if !starts_line || matches!(behind, Some(b'=' | b':')) {
                *how = How::Introduces;
            }
        }
    }

    /// What stands before the last name in the path of an import is used only if it is declared here.
    fn settle_paths(&self, how: &mut [How]) {
        let declared = self.introduced(how, |entry| !entry.import);
        for (how, entry) in how.iter_mut().zip(&self.entries) {
            if entry.import && entry.name != NONE && *how == How::Uses && !declared[entry.name as usize] {
                *how = How::Weak;
            }
        }
    }

    /// Which names are introduced by entries that are so.
    fn introduced(&self, how: &[How], is: impl Fn(&Entry) -> bool) -> Vec<bool> {
        let mut introduced = vec![false; self.spellings.len()];
        for (how, entry) in how.iter().zip(&self.entries) {
            if *how == How::Introduces && entry.name != NONE && is(entry) {
                introduced[entry.name as usize] = true;
            }
        }
        introduced
    }

    /// Puts it all into the order of the tokens, with the words that are in comments and strings.
    fn write(self, how: &[How], in_paths: &HashMap<u32, u32>) -> Mentions {
        let mut list = Vec::with_capacity(self.entries.len());
        let introduced = self.introduced(how, |_| true);
        let mut entries = self.entries.iter().zip(how).peekable();
        let mut seen = 0;
        for (token, span) in (0..).zip(&self.spans) {
            let imported = entries.peek().is_some_and(|(entry, _)| entry.token == token && entry.import);
            let gap = &self.bytes[seen..span.start as usize];
            let mention = |name: u32, how: How| Mention { token, name, how, imported };
            let weak = |word: &[u8]| Some(mention(self.find(word)?, How::Weak));
            list.extend(words(gap).filter_map(weak));
            seen = span.end as usize;
            let Some((entry, &how)) = entries.next_if(|(entry, _)| entry.token == token) else { continue };
            if entry.name != NONE {
                list.push(mention(entry.name, how));
                continue;
            }
            let path = in_paths.get(&token);
            let found = words(self.text(token)).filter_map(|word| self.find(word));
            let found = found.filter(|&name| entry.naming != Naming::Builtin || introduced[name as usize]);
            list.extend(found.filter(|name| Some(name) != path).map(|name| mention(name, how)));
            list.extend(path.map(|&name| mention(name, How::Introduces)));
        }
        Mentions { list, spellings: self.spellings }
    }

    fn text(&self, token: u32) -> &'a [u8] {
        let span = &self.spans[token as usize];
        &self.bytes[span.start as usize..span.end as usize]
    }
}

/// The mentions of names in a text of which nothing but the tokens is known.
pub(super) fn of_words(bytes: &[u8], tokens: impl Iterator<Item = Range<u32>>) -> Mentions {
    let naming = |span: Range<u32>| match &bytes[span.start as usize..span.end as usize] {
        [b'"' | b'\'' | b'`', ..] => Naming::Words,
        text if is_word(text) => Naming::Uses,
        _ => Naming::Nothing,
    };
    of_tokens(bytes, tokens.map(|span| (span.clone(), naming(span))), true)
}

/// The mentions of names in a text without scopes and imports; for `first` see [`Gathering::settle`].
pub(super) fn of_tokens(
    bytes: &[u8],
    tokens: impl Iterator<Item = (Range<u32>, Naming)>,
    first: bool,
) -> Mentions {
    let mut gathering = Gathering::new(bytes, &[]);
    tokens.for_each(|(span, naming)| gathering.token(span, naming, false));
    gathering.settle(first)
}

fn how(naming: Naming) -> How {
    match naming {
        Naming::Introduces | Naming::Heads => How::Introduces,
        Naming::Uses | Naming::Assigns | Naming::Code | Naming::Builtin => How::Uses,
        Naming::Words | Naming::Nothing => How::Weak,
    }
}

/// The words of a text.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
    text.split(move |byte| !letter(byte)).filter(|word| !word.is_empty() && !word[0].is_ascii_digit())
}

/// The mentions of names in a text.
pub(super) struct Mentions {
    list: Vec<Mention>,
    spellings: Vec<Arc<[u8]>>,
}

impl Mentions {
    /// Tells `builder`, which has all tokens.
    pub(super) fn tell(self, builder: &mut TreeBuilder) {
        builder.names(&self.spellings, self.list);
    }
}
