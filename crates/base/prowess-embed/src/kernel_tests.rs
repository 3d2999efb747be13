use super::*;

/// Numbers without a pattern, the same every time.
fn numbers(seed: u32) -> impl Iterator<Item = u32> {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223).rotate_left(7));
    std::iter::successors(Some(seed), next).skip(1)
}

fn tiles(columns: usize, seed: u32) -> Vec<Tile> {
    let mut numbers = numbers(seed).map(|number| number.to_le_bytes()[1].cast_signed());
    (0..columns).map(|_| std::array::from_fn(|_| numbers.next().unwrap())).collect()
}

fn pairs(columns: usize, seed: u32) -> Vec<Pair> {
    let mut numbers = numbers(seed).map(u32::to_le_bytes);
    let mut number = || numbers.next().map(|[_, low, high, _]| i16::from_le_bytes([low, high])).unwrap();
    (0..columns).map(|_| [number(), number()]).collect()
}

fn scales(groups: usize, seed: u32) -> Vec<[f32; ROWS]> {
    let mut numbers = numbers(seed).map(|number| (number >> 8) as f32 * 1e-9);
    (0..groups).map(|_| std::array::from_fn(|_| numbers.next().unwrap())).collect()
}

struct Dot<'a, const TOKENS: usize>(Strip<'a>, [&'a [Pair]; TOKENS]);

impl<const TOKENS: usize> Job for Dot<'_, TOKENS> {
    type Output = [Products; TOKENS];

    #[inline(always)]
    fn run<K: Kernel>(self) -> Self::Output {
        K::dot(self.0, self.1)
    }
}

/// As the definition says, without any block.
fn by_definition(strip: Strip<'_>, pairs: &[Pair], row: usize) -> f32 {
    let groups = strip.tiles.chunks(strip.group).zip(pairs.chunks(strip.group)).zip(strip.scales);
    groups.fold(0.0, |total, ((tiles, pairs), scales)| {
        let products = tiles
            .iter()
            .zip(pairs)
            .flat_map(|(tile, pair)| [(tile[2 * row], pair[0]), (tile[2 * row + 1], pair[1])]);
        let sum = products.fold(0_i32, |sum, (weight, activation)| {
            sum.wrapping_add(i32::from(weight) * i32::from(activation))
        });
        total + sum as f32 * scales[row]
    })
}

#[test]
fn every_path_gives_the_same_products() {
    for (group, groups) in [(1, 1), (32, 1), (32, 6), (32, 24), (192, 1), (768, 1), (5, 3), (8, 0)] {
        let columns = group * groups;
        let (tiles, scales) = (tiles(columns, 1), scales(groups, 2));
        let pairs = [3, 4, 5, 6, 7, 8, 9, 10].map(|seed| pairs(columns, seed));
        let strip = Strip { tiles: &tiles, scales: &scales, group };
        let expected: [Products; 8] =
            std::array::from_fn(|token| std::array::from_fn(|row| by_definition(strip, &pairs[token], row)));
        for path in Path::available() {
            let all = path.run(Dot::<8>(strip, std::array::from_fn(|token| pairs[token].as_slice())));
            assert_eq!(all, expected, "{path:?}, {groups} groups of {group}");
            let one = path.run(Dot::<1>(strip, [&pairs[2]]));
            assert_eq!(one[0], expected[2], "{path:?}, {groups} groups of {group}, one token");
        }
    }
}

#[test]
fn the_portable_path_is_always_there() {
    assert_eq!(Path::available().last(), Some(Path::Portable));
    assert!(Path::available().any(|path| path == Path::best()));
}
