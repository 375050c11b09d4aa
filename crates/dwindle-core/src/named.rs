//! Enums whose values people choose by name.

/// Such an enum: each value with its name.
macro_rules! named {
    ($(#[$attribute:meta])* pub enum $enum:ident { $($(#[$doc:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$attribute])*
        pub enum $enum {
            $($(#[$doc])* $value,)*
        }

        impl $enum {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// The name by which people choose it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)*
                }
            }
        }
    };
}

pub(crate) use named;
