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

struct DotSmall<'a, const TOKENS: usize>(Strip<'a>, [(&'a [Pair], &'a [f32]); TOKENS]);

impl<const TOKENS: usize> Job for DotSmall<'_, TOKENS> {
    type Output = [Products; TOKENS];

    #[inline(always)]
    fn run<K: Kernel>(self) -> Self::Output {
        let byte = |number: i16| u8::try_from(number + 128).unwrap();
        let bytes = self.1.map(|(pairs, _)| -> Vec<Quad> {
            pairs.as_chunks().0.iter().map(|[[a, b], [c, d]]| [*a, *b, *c, *d].map(byte)).collect()
        });
        let rows = std::array::from_fn(|token| {
            let (pairs, scales) = self.1[token];
            Small { bytes: &bytes[token], pairs, scales }
        });
        K::dot_small(self.0, rows)
    }
}

#[test]
fn every_path_gives_the_same_products_of_bytes() {
    for (group, groups) in [(2, 1), (32, 1), (32, 6), (32, 24), (6, 3), (8, 0)] {
        let columns = group * groups;
        let (tiles, scales) = (tiles(columns, 1), scales(groups, 2));
        let strip = Strip { tiles: &tiles, scales: &scales, group };
        let rows: [_; 12] = std::array::from_fn(|token| {
            let seed = 3 + u32::try_from(token).unwrap();
            let mut pairs = pairs(columns, seed);
            for number in pairs.as_flattened_mut() {
                *number %= 128;
            }
            let factors: Vec<f32> = (0..groups).map(|group| (group + token + 1) as f32 * 0.01).collect();
            (pairs, factors)
        });
        let expected: [Products; 12] = std::array::from_fn(|token| {
            let (pairs, factors) = &rows[token];
            std::array::from_fn(|row| {
                let parts = factors.iter().enumerate().map(|(index, factor)| {
                    let columns = index * group..(index + 1) * group;
                    let part =
                        Strip { tiles: &tiles[columns.clone()], scales: &scales[index..=index], group };
                    by_definition(part, &pairs[columns], row) * factor
                });
                parts.fold(0.0, |total, part| total + part)
            })
        });
        for path in Path::available() {
            let all = std::array::from_fn(|token| (rows[token].0.as_slice(), rows[token].1.as_slice()));
            assert_eq!(
                path.run(DotSmall::<12>(strip, all)),
                expected,
                "{path:?}, {groups} groups of {group}"
            );
            assert_eq!(path.run(DotSmall::<1>(strip, [all[5]]))[0], expected[5], "{path:?}, one token");
        }
    }
}

#[test]
fn the_portable_path_is_always_there() {
    assert_eq!(Path::available().last(), Some(Path::Portable));
    assert!(Path::available().any(|path| path == Path::best()));
}
