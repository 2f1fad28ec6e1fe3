//! Handicap stones: the fixed points of GTP, and sensible free placements.

use crate::types::{Point, points};

/// The largest number of fixed handicap stones on a board of this size, as GTP defines it.
pub fn max_fixed(size: usize) -> usize {
    match size {
        0..=6 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// The fixed handicap points, in the order in which GNU Go names them; None if the number is not
/// allowed on this board.
pub fn fixed(size: usize, stones: usize) -> Option<Vec<Point>> {
    if stones < 2 || stones > max_fixed(size) {
        return None;
    }
    let low = if size >= 13 { 4 } else { 3 };
    let (high, middle) = (size + 1 - low, size.div_ceil(2));
    let corners = [(high, high), (low, low), (low, high), (high, low)];
    let mut list = corners[..stones.min(4)].to_vec();
    if stones >= 6 {
        list.extend([(low, middle), (high, middle)]);
    }
    if stones >= 8 {
        list.extend([(middle, high), (middle, low)]);
    }
    if stones >= 5 && stones % 2 == 1 {
        list.push((middle, middle));
    }
    Some(list.into_iter().map(|(column, row)| Point::new(column, row)).collect())
}

/// Points for a free handicap: the fixed points as far as they go, then, one by one, the point
/// farthest from all stones so far, not on the first two lines where there is room. Gives fewer
/// stones than asked when the board is too small to hold them without filling it.
pub fn free(size: usize, stones: usize) -> Vec<Point> {
    let room = (size * size).saturating_sub(2) / 2;
    let stones = stones.min(room);
    let mut list = fixed(size, stones.min(max_fixed(size))).unwrap_or_default();
    let low = if size >= 7 { 3 } else { 2.min(size / 2) };
    while list.len() < stones {
        let distance = |a: Point, b: Point| {
            let (dx, dy) = (a.column().abs_diff(b.column()), a.row().abs_diff(b.row()));
            dx * dx + dy * dy
        };
        let candidate = points(size).filter(|p| !list.contains(p)).max_by_key(|&point| {
            let apart = list.iter().map(|&other| distance(point, other)).min().unwrap_or(0);
            let middle = size.div_ceil(2);
            let central = point.column().abs_diff(middle) + point.row().abs_diff(middle);
            (point.line(size) >= low, apart, usize::MAX - central)
        });
        match candidate {
            Some(point) => list.push(point),
            None => break,
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[Point]) -> String {
        list.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fixed_points_are_those_of_gtp() {
        let at = |size, stones| names(&fixed(size, stones).unwrap());
        assert_eq!(at(19, 2), "Q16 D4");
        assert_eq!(at(19, 3), "Q16 D4 D16");
        assert_eq!(at(19, 4), "Q16 D4 D16 Q4");
        assert_eq!(at(19, 5), "Q16 D4 D16 Q4 K10");
        assert_eq!(at(19, 6), "Q16 D4 D16 Q4 D10 Q10");
        assert_eq!(at(19, 7), "Q16 D4 D16 Q4 D10 Q10 K10");
        assert_eq!(at(19, 9), "Q16 D4 D16 Q4 D10 Q10 K16 K4 K10");
        assert_eq!(at(9, 4), "G7 C3 C7 G3");
        assert_eq!(at(13, 5), "K10 D4 D10 K4 G7");
        assert_eq!(at(8, 4), "F6 C3 C6 F3");
        assert_eq!(at(7, 4), "E5 C3 C5 E3");
    }

    #[test]
    fn wrong_numbers_are_refused() {
        for (size, stones) in [(19, 0), (19, 1), (19, 10), (6, 2), (7, 5), (10, 5), (2, 2)] {
            assert_eq!(fixed(size, stones), None, "{stones} on {size}");
        }
    }

    #[test]
    fn free_placement_gives_distinct_points_and_never_fills_the_board() {
        for size in 2..=19 {
            for stones in [1, 2, 5, 9, 13, 25, 400] {
                let mut list = free(size, stones);
                assert!(list.len() <= stones && list.len() < size * size);
                let len = list.len();
                list.sort_unstable();
                list.dedup();
                assert_eq!(list.len(), len);
                assert!(list.iter().all(|p| p.is_on_board(size)));
            }
        }
        assert_eq!(free(19, 13).len(), 13);
        assert!(free(19, 13).iter().all(|p| p.line(19) >= 3));
    }
}
