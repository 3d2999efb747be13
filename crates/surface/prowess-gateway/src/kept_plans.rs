//! Plans that were shown to a client, kept until they are carried out: what was downloaded and scanned for the plan is
//! what gets installed, and nothing is fetched twice.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use prowess_acquire::Plan;
use prowess_context::Context;
use prowess_types::IgnorePoison as _;

/// Plans that are kept; the one that was made first makes room.
const MAX_PLANS: usize = 8;
/// The time that a plan is kept, in milliseconds: a registry may change its mind about a skill.
const MAX_AGE_MS: u64 = 10 * 60 * 1000;

/// What a plan was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlanKey {
    /// The agent, by its id.
    pub(crate) agent: String,
    /// The skill in the registry.
    pub(crate) slug: String,
    /// The version; the newest if none was named.
    pub(crate) version: Option<String>,
    /// True if an existing skill is replaced.
    pub(crate) replace: bool,
}

/// Plans by what they were asked for and the hash of their files.
#[derive(Debug, Default)]
pub(crate) struct KeptPlans {
    plans: Mutex<VecDeque<KeptPlan>>,
}

#[derive(Debug)]
struct KeptPlan {
    key: PlanKey,
    plan: Arc<Plan>,
    /// The context that made it: another config may judge otherwise.
    context: Weak<Context>,
    made_ms: u64,
}

impl KeptPlans {
    /// Keeps a plan until it is carried out.
    pub(crate) fn keep(&self, key: PlanKey, plan: Arc<Plan>, context: &Arc<Context>, now_ms: u64) {
        let mut plans = self.current(context, now_ms);
        plans.retain(|kept| kept.key != key);
        if plans.len() >= MAX_PLANS {
            plans.pop_front();
        }
        plans.push_back(KeptPlan { key, plan, context: Arc::downgrade(context), made_ms: now_ms });
    }

    /// The plan that was made for the same question and came to these files.
    pub(crate) fn get(
        &self,
        key: &PlanKey,
        hash: &str,
        context: &Arc<Context>,
        now_ms: u64,
    ) -> Option<Arc<Plan>> {
        let plans = self.current(context, now_ms);
        let found = plans.iter().find(|kept| kept.key == *key && kept.plan.hash == hash);
        found.map(|kept| Arc::clone(&kept.plan))
    }

    /// Drops a plan that was carried out.
    pub(crate) fn forget(&self, key: &PlanKey) {
        self.lock().retain(|kept| kept.key != *key);
    }

    /// The plans that still hold.
    fn current(&self, context: &Arc<Context>, now_ms: u64) -> MutexGuard<'_, VecDeque<KeptPlan>> {
        let mut plans = self.lock();
        plans.retain(|kept| {
            let is_same_context = std::ptr::eq(kept.context.as_ptr(), Arc::as_ptr(context));
            is_same_context && now_ms.saturating_sub(kept.made_ms) < MAX_AGE_MS
        });
        plans
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<KeptPlan>> {
        self.plans.lock().ignore_poison()
    }
}
