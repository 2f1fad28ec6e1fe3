//! The types a parameter can have.

use std::ops::RangeInclusive;

/// A type that parameters can have: read from text within a range, and shown.
pub trait Value: Sized {
    /// What limits the values.
    type Range;
    /// Reads a value; None if it is malformed or out of range.
    fn read(text: &str, range: &Self::Range) -> Option<Self>;
    /// The value as text that `read` accepts.
    fn show(&self) -> String;
    /// The allowed values in words, for error messages.
    fn allowed(range: &Self::Range) -> String;
    /// The allowed values one by one, if they can be listed.
    fn choices() -> Vec<&'static str> {
        Vec::new()
    }
}

impl Value for f64 {
    type Range = RangeInclusive<f64>;
    fn read(text: &str, range: &Self::Range) -> Option<f64> {
        text.parse().ok().filter(|value| range.contains(value))
    }
    fn show(&self) -> String {
        self.to_string()
    }
    fn allowed(range: &Self::Range) -> String {
        format!("a number from {} to {}", range.start(), range.end())
    }
}

impl Value for u64 {
    type Range = RangeInclusive<u64>;
    fn read(text: &str, range: &Self::Range) -> Option<u64> {
        text.parse().ok().filter(|value| range.contains(value))
    }
    fn show(&self) -> String {
        self.to_string()
    }
    fn allowed(range: &Self::Range) -> String {
        format!("a whole number from {} to {}", range.start(), range.end())
    }
}

impl Value for bool {
    type Range = ();
    fn read(text: &str, _: &()) -> Option<bool> {
        match text {
            "true" | "1" | "on" => Some(true),
            "false" | "0" | "off" => Some(false),
            _ => None,
        }
    }
    fn show(&self) -> String {
        self.to_string()
    }
    fn allowed(_: &()) -> String {
        "true or false".to_owned()
    }
    fn choices() -> Vec<&'static str> {
        vec!["true", "false"]
    }
}

/// Declares an enum whose variants are chosen by name.
macro_rules! choice {
    ($(#[$meta:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $type { $($(#[$doc])* $variant,)* }

        impl $type {
            /// Every choice with its name.
            pub const ALL: &'static [(&'static str, $type)] = &[$(($name, $type::$variant),)*];
        }

        impl $crate::params::Value for $type {
            type Range = ();
            fn read(text: &str, _: &()) -> Option<$type> {
                $type::ALL.iter().find(|(name, _)| *name == text).map(|&(_, value)| value)
            }
            fn show(&self) -> String {
                let found = $type::ALL.iter().find(|(_, value)| value == self);
                found.map_or_else(String::new, |(name, _)| (*name).to_owned())
            }
            fn choices() -> Vec<&'static str> {
                $type::ALL.iter().map(|(name, _)| *name).collect()
            }
            fn allowed(_: &()) -> String {
                let names = <$type as $crate::params::Value>::choices();
                match names.split_last() {
                    Some((last, rest)) if !rest.is_empty() => {
                        format!("{} or {last}", rest.join(", "))
                    }
                    _ => names.concat(),
                }
            }
        }
    };
}
pub(super) use choice;
