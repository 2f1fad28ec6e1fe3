//! The feature groups of a model file, by name.
//!
//! A file lists its groups in the order of their numbers; the numbers of this program's features are found
//! by the names. A group that the file does not know has no number there, one that changed its axes counts
//! as another group: so a feature can be added, dropped or moved without training everything anew.

use super::features::{FeatureId, GROUPS, Group, OWNER, SHAPES};
use super::format::{ModelError, Reader, checksum};

/// The 3x3 shapes are a group like the others in a file.
const SHAPE_GROUP: &str = "3x3 shape";

/// What a file says of one group.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    name: String,
    values: u16,
    /// A number made of the names of the axes and of their values.
    axes: u64,
}

impl Entry {
    fn of(group: &Group) -> Entry {
        let mut text = String::new();
        for (axis, values) in group.axes {
            text += &format!("{axis}: {}\n", values.join(", "));
        }
        Entry { name: group.name.to_owned(), values: group.values, axes: checksum(text.as_bytes()) }
    }
}

/// The groups of a file, or of this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GroupTable(Vec<Entry>);

impl GroupTable {
    /// The groups that this program computes.
    pub(super) fn own() -> GroupTable {
        let shapes = Entry { name: SHAPE_GROUP.to_owned(), values: SHAPES, axes: 0 };
        GroupTable(GROUPS.iter().map(|group| Entry::of(group)).chain([shapes]).collect())
    }

    /// How many features there are.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|entry| usize::from(entry.values)).sum()
    }

    /// Appends the table to the body of a file.
    pub(super) fn write(&self, body: &mut Vec<u8>) {
        body.extend((self.0.len() as u16).to_le_bytes());
        for Entry { name, values, axes } in &self.0 {
            body.push(name.len() as u8);
            body.extend(name.as_bytes());
            body.extend(values.to_le_bytes());
            body.extend(axes.to_le_bytes());
        }
    }

    /// Reads a table.
    pub(super) fn read(reader: &mut Reader) -> Result<GroupTable, ModelError> {
        let count = usize::from(reader.u16()?);
        let mut table = GroupTable(Vec::new());
        for _ in 0..count {
            let length = usize::from(reader.u8()?);
            let name = std::str::from_utf8(reader.take(length)?)
                .map_err(|_| ModelError::Content("the name of a feature group is no text"))?;
            let entry = Entry { name: name.to_owned(), values: reader.u16()?, axes: reader.u64()? };
            if table.0.iter().any(|known| known.name == entry.name) {
                return Err(ModelError::Content("two feature groups have one name"));
            }
            table.0.push(entry);
        }
        if table.count() > usize::from(FeatureId::MAX) {
            return Err(ModelError::Content("too many features"));
        }
        Ok(table)
    }

    /// For each feature of this program its number in the file, if it is there.
    pub(super) fn numbers(&self) -> Vec<Option<usize>> {
        let mut numbers = Vec::new();
        for own in GroupTable::own().0 {
            let mut first = 0;
            let mut found = None;
            for entry in &self.0 {
                if *entry == own {
                    found = Some(first);
                }
                first += usize::from(entry.values);
            }
            numbers.extend((0..usize::from(own.values)).map(|value| found.map(|at| at + value)));
        }
        numbers
    }

    /// What the file and this program do not share, in words; none if they agree.
    pub(super) fn difference(&self) -> Option<String> {
        let own = GroupTable::own();
        let missing = |from: &GroupTable, of: &GroupTable| -> Vec<String> {
            let unknown = of.0.iter().filter(|entry| !from.0.contains(entry));
            unknown.map(|entry| entry.name.clone()).collect()
        };
        let (mut new, dropped) = (missing(self, &own), missing(&own, self));
        // No move has it unless somebody plays for it: a file without it lacks nothing.
        new.retain(|name| name != OWNER.name);
        let mut parts = Vec::new();
        if !new.is_empty() {
            parts.push(format!("starting at zero: {}", new.join(", ")));
        }
        if !dropped.is_empty() {
            parts.push(format!("dropped: {}", dropped.join(", ")));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one group fewer, one that nobody knows, and the others in another order.
    fn foreign() -> GroupTable {
        let mut table = GroupTable::own();
        table.0.remove(1);
        table.0.swap(0, 3);
        table.0.insert(2, Entry { name: "moon phase".to_owned(), values: 4, axes: 1 });
        table
    }

    #[test]
    fn tables_round_trip_and_agree_with_themselves() {
        for table in [GroupTable::own(), foreign()] {
            let mut bytes = Vec::new();
            table.write(&mut bytes);
            assert_eq!(GroupTable::read(&mut Reader { bytes: &bytes }).unwrap(), table);
        }
        let own = GroupTable::own();
        assert_eq!(own.difference(), None);
        assert!(own.numbers().iter().enumerate().all(|(id, &number)| number == Some(id)));
    }

    #[test]
    fn groups_are_found_by_name() {
        let (own, file) = (GroupTable::own(), foreign());
        let numbers = file.numbers();
        assert_eq!(numbers.len(), own.count());
        let first = |group: usize| -> usize {
            own.0[..group].iter().map(|entry| usize::from(entry.values)).sum()
        };
        assert_eq!(numbers[first(1)], None, "a group that the file lacks");
        let place = file.0.iter().position(|entry| *entry == own.0[0]).unwrap();
        let before: usize = file.0[..place].iter().map(|entry| usize::from(entry.values)).sum();
        assert_eq!(numbers[0], Some(before), "a group that stands elsewhere");
        let said = file.difference().unwrap();
        assert!(said.contains(&own.0[1].name) && said.contains("moon phase"), "{said}");
    }

    #[test]
    fn a_group_with_other_axes_is_another_group() {
        let mut table = GroupTable::own();
        table.0[2].axes ^= 1;
        assert!(table.difference().unwrap().contains(&table.0[2].name));
    }
}
