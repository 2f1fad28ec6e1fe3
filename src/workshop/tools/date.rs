//! The date, as SGF and tables write it.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Today in Greenwich, as 2026-11-16: files that were made in two places can be put in order.
pub fn today() -> String {
    Timestamp::now().to_zoned(TimeZone::UTC).date().to_string()
}
