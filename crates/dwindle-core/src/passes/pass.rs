//! The passes and levels by their names.

use crate::named::named;

named! {
    /// A transformation pass. Each is a function from a tree to choices.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Pass {
        /// A node goes.
        Delete = "delete",
        /// A pair of brackets goes, with what is inside of it or before it, or without.
        Brackets = "brackets",
        /// What reads the same at several places changes at all of them.
        Alike = "alike",
        /// What names tie to each other goes at once.
        Along = "along",
        /// A parameter goes with its arguments.
        Parameters = "parameters",
        /// A call becomes an argument, or the body of what is called.
        Calls = "calls",
        /// A body becomes the least one.
        Bodies = "bodies",
        /// A function has no result any more.
        Results = "results",
        /// Two neighbours become one that begins as the first and ends as the second.
        Halves = "halves",
        /// What is inside of something comes in its place, and its name goes where it qualifies another.
        Flatten = "flatten",
        /// A node below a node comes in its place.
        Hoist = "hoist",
        /// What is inside of an element of a list comes in its place.
        Splice = "splice",
        /// A shorter text of the same kind comes in the place of a node.
        Replace = "replace",
        /// A file of a folder comes in the place of what imports it, or behind another one.
        Files = "files",
        /// Two declarations become one, or a declaration and an assignment.
        Join = "join",
        /// An operation on two numbers becomes its value.
        Fold = "fold",
        /// A name becomes something out of its declaration.
        Inline = "inline",
        /// A name becomes a value that stands beside it in a statement.
        Values = "values",
        /// One level of pointers or arrays goes wherever a name is mentioned.
        Pointers = "pointers",
        /// What has one member becomes that.
        Unwrap = "unwrap",
        /// The type parameters of a name go, with the arguments wherever it is mentioned.
        Generics = "generics",
        /// A node comes in the place of a mention of a name in it.
        Relocate = "relocate",
        /// All mentions of a name mention another one, and what introduces the first goes.
        Merge = "merge",
        /// The same, but nothing goes.
        Unite = "unite",
        /// All mentions of a name get a shorter one.
        Rename = "rename",
        /// Numbers and strings get shorter.
        Literals = "literals",
        /// Characters go out of numbers, strings and other long tokens.
        Shorten = "shorten",
        /// Characters go out of all mentions of a long name.
        LongNames = "long-names",
        /// Characters go out of all mentions of a name.
        Abbreviate = "abbreviate",
        /// Blank lines and other blanks, and comments, go.
        Layout = "layout",
        /// What the language can say with fewer tokens is said so.
        Phrases = "phrases",
        /// A word that is no name becomes another one.
        Words = "words",
        /// An operator becomes a shorter one.
        Operators = "operators",
        /// Tokens go, whatever the syntax says.
        Tokens = "tokens",
        /// Some tokens one behind the other go.
        Windows = "windows",
        /// Two parts go that read the same or have the same place in two lists.
        Twins = "twins",
        /// Any other two tokens or nodes go.
        Pairs = "pairs",
    }
}

named! {
    /// How much is done.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Level {
        /// Deletion only.
        Fast = "fast",
        /// The passes that pay, until they find nothing more.
        Default = "default",
        /// All passes, until they find nothing more.
        Thorough = "thorough",
    }
}
