use super::*;

const WIDTH: usize = 5;

fn vector(seed: u16) -> Vec<f32> {
    let values: Vec<f32> = (0..WIDTH).map(|place| (f32::from(seed) * 1.7 + place as f32).sin()).collect();
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.iter().map(|value| value / length).collect()
}

fn add(cache: &mut VectorCache, seeds: &[u16]) {
    let vectors: Vec<(TextKey, Vec<f32>)> =
        seeds.iter().map(|seed| (TextKey::of(&seed.to_string()), vector(*seed))).collect();
    let vectors: Vec<(TextKey, &[f32])> =
        vectors.iter().map(|(key, vector)| (*key, vector.as_slice())).collect();
    cache.add(&vectors);
}

fn has(cache: &VectorCache, seed: u16) -> bool {
    let Some(kept) = cache.get(TextKey::of(&seed.to_string())) else { return false };
    kept.iter().zip(vector(seed)).all(|(kept, given)| (kept - given).abs() < 1e-4)
}

fn segments(folder: &Path) -> Vec<PathBuf> {
    prowess_fs::cache_files(&folder.join("vectors/e-1"), "vec")
}

#[test]
fn what_was_added_is_there_in_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = VectorCache::open(folder.path(), "e-1", WIDTH);
    add(&mut cache, &[1, 2, 3]);
    assert!(has(&cache, 2) && !has(&cache, 4));
    let next = VectorCache::open(folder.path(), "e-1", WIDTH);
    assert!([1, 2, 3].iter().all(|seed| has(&next, *seed)));
    assert!(!has(&VectorCache::open(folder.path(), "e-2", WIDTH), 1), "another encoder has its own");
}

#[test]
fn many_segments_become_one_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    // Two that do not know of each other add by turns.
    let mut caches = [0, 1].map(|_| VectorCache::open(folder.path(), "e-1", WIDTH));
    for seed in 0..60 {
        add(&mut caches[usize::from(seed % 2)], &[seed]);
        assert!(segments(folder.path()).len() < MANY_SEGMENTS);
    }
    let next = VectorCache::open(folder.path(), "e-1", WIDTH);
    assert!((0..60).all(|seed| has(&next, seed)));
}

#[test]
fn processes_at_the_same_time_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4_u16 {
            let folder = folder.path();
            scope.spawn(move || {
                for round in 0..25 {
                    let mut cache = VectorCache::open(folder, "e-1", WIDTH);
                    add(&mut cache, &[writer * 100 + round]);
                }
            });
        }
    });
    let next = VectorCache::open(folder.path(), "e-1", WIDTH);
    let missing: Vec<u16> = (0..4_u16)
        .flat_map(|writer| (0..25).map(move |round| writer * 100 + round))
        .filter(|seed| !has(&next, *seed))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn damage_reads_as_empty() {
    let folder = tempfile::tempdir().unwrap();
    add(&mut VectorCache::open(folder.path(), "e-1", WIDTH), &[1, 2]);
    let file = segments(folder.path()).remove(0);
    let whole = prowess_fs::read_file(&file, MAX_BYTES).unwrap();
    for cut in 0..whole.len() {
        prowess_fs::write_replaceable(&file, &whole[..cut]).unwrap();
        assert!(!has(&VectorCache::open(folder.path(), "e-1", WIDTH), 1), "{cut}");
    }
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x40;
        prowess_fs::write_replaceable(&file, &bytes).unwrap();
        assert!(!has(&VectorCache::open(folder.path(), "e-1", WIDTH), 1), "{place}");
    }
    prowess_fs::write_replaceable(&file, &whole).unwrap();
    assert!(VectorCache::open(folder.path(), "e-1", WIDTH + 1).segments.is_empty(), "another width");
}

#[test]
fn a_cache_that_cannot_be_written_still_answers() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut cache = VectorCache::open(file.path(), "e-1", WIDTH);
    add(&mut cache, &[7]);
    assert!(has(&cache, 7));
}

#[test]
fn an_odd_name_stays_inside_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache =
        VectorCache::open(&folder.path().join("cache"), "endpoint-../../../x/y:latest-1a2b", WIDTH);
    add(&mut cache, &[1]);
    let made: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(made, ["cache"]);
    assert_eq!(segments(&folder.path().join("cache")).len(), 0, "and has a folder of its own");
}
