//! Machines that work for somebody else.

use super::words::{BACKGROUND, CONCEAL, TOLD_TO_RUN};
use crate::blocks::Kinds;
use crate::rule::{ScanRule, Trigger};
use crate::signal::signals;
use crate::{Category, ScanSeverity};

signals! { super::persistence::END;
    /// Miners and their protocols by name.
    MINER ["stratum+", "stratum1+", "xmrig", "coinhive", "coinimp", "cryptonight", "minerd", "cpuminer", "nicehash", "ethminer", "nbminer", "lolminer", "phoenixminer", "xmr-stak", "t-rex", "cgminer", "bfgminer", "randomx", "kawpow", "minergate", "webminepool", "cryptoloot", "monero-miner", "moneroocean", "nanopool", "2miners", "supportxmr", "hashvault", "f2pool"]
        r"stratum1?\+(tcp|ssl|tls)|\bxmrig\b|coinhive|coinimp|cryptonight|\bminerd\b|cpuminer|\bethminer\b|\bnbminer\b|\blolminer\b|phoenixminer|xmr-stak|\bcgminer\b|\bbfgminer\b|minergate|webminepool|cryptoloot|moneroocean|supportxmr|hashvault\.pro|nanopool\.org|2miners\.com";
    /// A pool to work for.
    POOL ["pool.", "pool at", "mining.", "--algo", "--wallet", "--pool", "--coin", "wallet address", "payout address", "hashes", "hashing", "hashrate", "mine ", "mines ", "mining "]
        r"\b(pool|mining)\.[\w.-]+:\d{2,5}|\bpool at\b[^\n]*:\d{2,5}|--(algo|wallet|pool|coin)[ =]\S+|\b(wallet|payout) address\b|\bhash(es|ing|rate)\b[^.\n]*\bpool\b|(mine|mines|mining) (monero|xmr|bitcoin|coins?|crypto\w*)\b";
    /// Work that goes on unseen.
    IDLE_WORK []
        r"\bin the background\b|\bidle (time|cpu|cycles?)?\b|\bwhile waiting\b|\bkeep\b[^.\n]*\brunning\b|\bspare (cpu|cycles|compute)|cpu-max-threads|--threads[ =]\d";
}

pub(crate) static RULES: &[ScanRule] = &[ScanRule {
    id: "mining/miner",
    category: Category::Mining,
    severity: ScanSeverity::Critical,
    title: "a cryptocurrency miner",
    why: "the computing power of the machine is used for a third party",
    fix: "remove the miner",
    triggers: &[
        Trigger::critical(&[&[MINER]]).only(Kinds::RUN),
        Trigger::critical(&[&[MINER], &[POOL, IDLE_WORK, TOLD_TO_RUN, CONCEAL, BACKGROUND]])
            .only(Kinds::READ),
        Trigger::critical(&[&[POOL], &[IDLE_WORK], &[TOLD_TO_RUN, CONCEAL]]),
        Trigger::critical(&[&[POOL], &[IDLE_WORK, BACKGROUND]]).only(Kinds::RUN),
    ],
}];
