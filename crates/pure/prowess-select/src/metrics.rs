//! How good a ranking and a gate are, measured on judged messages.
//!
//! ```
//! use prowess_select::metrics::{RankingScores, auroc};
//!
//! let judged = [(vec!["pdf", "docx"], vec!["pdf"]), (vec!["git", "jira"], vec!["jira"])];
//! let scores = RankingScores::of(judged.iter().map(|(ranking, gold)| (&ranking[..], &gold[..])));
//! assert_eq!((scores.recall_at_1, scores.recall_at_5, scores.mrr), (0.5, 1.0, 0.75));
//! assert_eq!(auroc(&[0.9, 0.8], &[0.1]), Some(1.0));
//! ```

use std::fmt;

use serde::Serialize;

/// The quantile of the normal distribution for an interval of 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// The range in which the true share lies with 95 %, by Wilson's formula.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of a share that was seen in `n` messages. Without a message nothing is known: 0 to 1.
    ///
    /// ```
    /// use prowess_select::metrics::Interval;
    ///
    /// let interval = Interval::wilson(0.9, 100);
    /// assert!((interval.low - 0.826).abs() < 1e-3 && (interval.high - 0.945).abs() < 1e-3);
    /// ```
    pub fn wilson(share: f64, n: usize) -> Self {
        if n == 0 {
            return Self { low: 0.0, high: 1.0 };
        }
        let n = n as f64;
        let square = Z95 * Z95;
        let scale = 1.0 + square / n;
        let middle = (share + square / (2.0 * n)) / scale;
        let half = Z95 / scale * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
        Self { low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }
}

/// A share of messages, with the number it was seen in and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Share {
    /// The messages that count.
    pub count: usize,
    /// All messages.
    pub n: usize,
    /// The share; 0 if there is no message.
    pub share: f64,
    /// The interval of 95 %.
    pub interval: Interval,
}

impl Share {
    /// The share of `count` in `n` messages.
    pub fn of(count: usize, n: usize) -> Self {
        let share = count as f64 / n.max(1) as f64;
        Self { count, n, share, interval: Interval::wilson(share, n) }
    }
}

/// "86.0 % (n 50, 95 % interval 73.8 to 93.0)"
impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interval { low, high } = self.interval;
        write!(
            formatter,
            "{:.1} % (n {}, 95 % interval {:.1} to {:.1})",
            self.share * 100.0,
            self.n,
            low * 100.0,
            high * 100.0
        )
    }
}

/// How deep nDCG looks.
const NDCG_DEPTH: usize = 10;

/// How well rankings put the right skills first. All zero when nothing was judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankingScores {
    /// The number of messages that were judged.
    pub count: usize,
    /// Share of messages with a right skill first.
    pub recall_at_1: f64,
    /// Share of messages with a right skill among the first five.
    pub recall_at_5: f64,
    /// Mean of one over the rank of the first right skill.
    pub mrr: f64,
    /// Gain of all right skills among the first ten, discounted by rank, relative to the best possible.
    pub ndcg_at_10: f64,
}

impl RankingScores {
    /// Scores rankings (best first) against the right answers; messages without an answer are left out.
    pub fn of<'a, T: PartialEq + 'a>(judged: impl IntoIterator<Item = (&'a [T], &'a [T])>) -> Self {
        let mut sum = Self::default();
        for (ranking, gold) in judged.into_iter().filter(|(_, gold)| !gold.is_empty()) {
            let rank = best_rank(ranking, gold);
            sum.count += 1;
            sum.recall_at_1 += f64::from(rank.is_some_and(|rank| rank <= 1));
            sum.recall_at_5 += f64::from(rank.is_some_and(|rank| rank <= 5));
            sum.mrr += rank.map_or(0.0, |rank| 1.0 / rank as f64);
            sum.ndcg_at_10 += ndcg(ranking, gold);
        }
        let mean = |total: f64| total / sum.count.max(1) as f64;
        Self {
            count: sum.count,
            recall_at_1: mean(sum.recall_at_1),
            recall_at_5: mean(sum.recall_at_5),
            mrr: mean(sum.mrr),
            ndcg_at_10: mean(sum.ndcg_at_10),
        }
    }
}

/// The rank of the first right answer, counted from one.
pub fn best_rank<T: PartialEq>(ranking: &[T], gold: &[T]) -> Option<usize> {
    ranking.iter().position(|item| gold.contains(item)).map(|index| index + 1)
}

fn ndcg<T: PartialEq>(ranking: &[T], gold: &[T]) -> f64 {
    let gain = |index: usize| 1.0 / (index as f64 + 2.0).log2();
    let found = ranking.iter().take(NDCG_DEPTH).enumerate().filter(|(_, item)| gold.contains(item));
    let reached: f64 = found.map(|(index, _)| gain(index)).sum();
    let best: f64 = (0..gold.len().min(NDCG_DEPTH)).map(gain).sum();
    reached / best
}

/// The chance that a message that wants a skill is more confident than one that wants none; ties count half.
/// None without both kinds.
pub fn auroc(wanted: &[f32], unwanted: &[f32]) -> Option<f64> {
    if wanted.is_empty() || unwanted.is_empty() {
        return None;
    }
    let mut sorted = unwanted.to_vec();
    sorted.sort_by(f32::total_cmp);
    let wins: f64 = wanted
        .iter()
        .map(|value| {
            let below = sorted.partition_point(|other| other < value);
            let not_above = sorted.partition_point(|other| other <= value);
            (below + not_above) as f64 / 2.0
        })
        .sum();
    Some(wins / (wanted.len() as f64 * unwanted.len() as f64))
}

/// What a threshold keeps and lets through.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateScores {
    /// Something loads at this confidence or above.
    pub threshold: f32,
    /// Share of the messages that want a skill and get one.
    pub kept: f64,
    /// Share of the messages that want none and get one.
    pub false_loads: f64,
}

impl GateScores {
    /// What happens at a threshold.
    pub fn at(threshold: f32, wanted: &[f32], unwanted: &[f32]) -> Self {
        let share = |values: &[f32]| {
            let passed = values.iter().filter(|&&value| value >= threshold).count();
            passed as f64 / values.len().max(1) as f64
        };
        Self { threshold, kept: share(wanted), false_loads: share(unwanted) }
    }

    /// What happens at the highest threshold that keeps at least this share of the messages that want a skill.
    pub fn keeping(share: f64, wanted: &[f32], unwanted: &[f32]) -> Self {
        let mut sorted = wanted.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let needed = (0..=sorted.len()).find(|&count| count as f64 >= share * sorted.len() as f64);
        let threshold = match needed {
            None | Some(0) => f32::INFINITY,
            Some(count) => sorted[count - 1],
        };
        Self::at(threshold, wanted, unwanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(judged: &[(&[u32], &[u32])]) -> RankingScores {
        RankingScores::of(judged.iter().copied())
    }

    #[test]
    fn nothing_judged_is_zero_not_nan() {
        assert_eq!(scores(&[]), RankingScores::default());
        assert_eq!(scores(&[(&[1, 2], &[])]), RankingScores::default());
    }

    #[test]
    fn a_missing_answer_counts_as_lost() {
        let scores = scores(&[(&[], &[1]), (&[1], &[1])]);
        assert_eq!(
            scores,
            RankingScores { count: 2, recall_at_1: 0.5, recall_at_5: 0.5, mrr: 0.5, ndcg_at_10: 0.5 }
        );
    }

    #[test]
    fn ndcg_counts_all_right_answers_and_their_order() {
        assert!((scores(&[(&[1, 2, 3], &[1, 2])]).ndcg_at_10 - 1.0).abs() < 1e-12);
        let expected = (1.0 + 0.5) / (1.0 + 1.0 / 3f64.log2());
        assert!((scores(&[(&[1, 3, 2], &[1, 2])]).ndcg_at_10 - expected).abs() < 1e-12);
        let beyond: Vec<u32> = (0..11).collect();
        assert!(scores(&[(&beyond, &[10])]).ndcg_at_10.abs() < 1e-12);
    }

    #[test]
    fn an_interval_is_wide_for_few_messages_and_never_leaves_0_to_1() {
        assert_eq!(Interval::wilson(0.5, 0), Interval { low: 0.0, high: 1.0 });
        for (count, n, low, high) in
            [(0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (5, 10, 0.237, 0.763), (950, 1000, 0.935, 0.962)]
        {
            let Interval { low: seen_low, high: seen_high } = Share::of(count, n).interval;
            assert!(
                (seen_low - low).abs() < 1e-3 && (seen_high - high).abs() < 1e-3,
                "{seen_low} {seen_high}"
            );
        }
    }

    #[test]
    fn a_share_says_its_number_and_interval() {
        insta::assert_snapshot!(Share::of(43, 50), @"86.0 % (n 50, 95 % interval 73.8 to 93.0)");
        insta::assert_snapshot!(Share::of(0, 0), @"0.0 % (n 0, 95 % interval 0.0 to 100.0)");
    }

    #[test]
    fn auroc_counts_ties_half() {
        assert_eq!(auroc(&[0.5], &[0.5]), Some(0.5));
        assert_eq!(auroc(&[0.1, 0.9], &[0.5, 0.5]), Some(0.5));
        assert_eq!(auroc(&[], &[0.5]), None);
    }

    #[test]
    fn the_threshold_that_keeps_a_share() {
        let wanted = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1];
        let gate = GateScores::keeping(0.9, &wanted, &[0.16, 0.14, 0.0, 0.0]);
        assert!((gate.threshold - 0.15).abs() < 1e-6);
        assert!((gate.kept - 0.9).abs() < 1e-12 && (gate.false_loads - 0.25).abs() < 1e-12);
        assert!(GateScores::keeping(0.9, &[], &[0.5]).false_loads.abs() < 1e-12);
    }
}
