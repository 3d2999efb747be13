//! Giving a skill to another publisher, who has to agree.

use prowess_registry::protocol::{
    Millis, Transfer, TransferAnswer, TransferList, TransferParty, TransferRequest, TransferredSkill,
};
use prowess_store::registry::{Handover, HandoverState};

use crate::hub::{Hub, Wanted, normal_handle};
use crate::publish::{check_text, new_id};
use crate::refusal::Refusal;

/// The lifetime of an offer: 14 days, in milliseconds.
const OFFER_TIME: i64 = 14 * 24 * 60 * 60 * 1000;
const MAX_MESSAGE: usize = 500;

/// The reply to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The new owner agrees.
    Accept,
    /// The new owner does not.
    Reject,
    /// The old owner takes it back.
    Cancel,
}

/// The direction of offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Incoming,
    Outgoing,
}

impl Hub {
    pub(crate) fn offer(
        &self,
        handle: &str,
        wanted: &Wanted,
        request: &TransferRequest,
    ) -> Result<TransferAnswer, Refusal> {
        let skill = self.own(wanted, handle)?;
        let taker = normal_handle(&request.to_user_handle);
        if taker == handle {
            return Err(Refusal::bad("The skill is yours already"));
        }
        if !self.store.is_known(&taker)? {
            return Err(Refusal::not_found("There is no such publisher"));
        }
        check_text("message", request.message.as_deref().unwrap_or_default(), 0, MAX_MESSAGE)?;
        let now = self.now();
        let handover = Handover {
            id: new_id(),
            giver: handle.to_owned(),
            taker,
            message: request.message.clone(),
            requested_at: now,
            expires_at: now.saturating_add(OFFER_TIME),
            skill,
        };
        self.store.offer(&handover)?;
        Ok(TransferAnswer {
            ok: true,
            skill_slug: Some(handover.skill.slug),
            transfer_id: Some(handover.id),
            to_user_handle: Some(handover.taker),
            expires_at: Some(Millis(handover.expires_at)),
        })
    }

    pub(crate) fn reply(
        &self,
        handle: &str,
        wanted: &Wanted,
        reply: Reply,
    ) -> Result<TransferAnswer, Refusal> {
        let is_meant = |offer: &Handover| {
            let by = if reply == Reply::Cancel { &offer.giver } else { &offer.taker };
            by == handle
                && offer.skill.slug == wanted.slug
                && wanted.owner.as_ref().is_none_or(|owner| *owner == offer.giver)
        };
        let missing = || Refusal::not_found("There is no such transfer");
        let offer = self.store.offers(handle, self.now())?.into_iter().find(is_meant).ok_or_else(missing)?;
        let state = match reply {
            Reply::Accept => self.store.accept_offer(&offer.id, self.now())?,
            Reply::Reject | Reply::Cancel if self.store.drop_offer(&offer.id)? => HandoverState::Done,
            Reply::Reject | Reply::Cancel => HandoverState::Missing,
        };
        match state {
            HandoverState::Missing => Err(missing()),
            HandoverState::SlugTaken => {
                Err(Refusal::conflict(format!("@{handle} has a skill {} already", offer.skill.slug)))
            }
            HandoverState::Done => {
                self.search.forget();
                let skill_slug = Some(offer.skill.slug);
                Ok(TransferAnswer { ok: true, skill_slug, ..TransferAnswer::default() })
            }
        }
    }

    pub(crate) fn offers(&self, handle: &str, direction: Direction) -> Result<TransferList, Refusal> {
        let is_wanted = |offer: &Handover| match direction {
            Direction::Incoming => offer.taker == handle,
            Direction::Outgoing => offer.giver == handle,
        };
        let offers = self.store.offers(handle, self.now())?;
        Ok(TransferList { transfers: offers.into_iter().filter(is_wanted).map(told).collect() })
    }
}

fn told(offer: Handover) -> Transfer {
    let party =
        |handle: String| TransferParty { id: handle.clone(), handle: Some(handle), display_name: None };
    Transfer {
        id: offer.id,
        skill: TransferredSkill {
            id: offer.skill.id,
            slug: offer.skill.slug,
            display_name: offer.skill.display_name,
        },
        from_user: Some(party(offer.giver)),
        to_user: Some(party(offer.taker)),
        message: offer.message,
        requested_at: Millis(offer.requested_at),
        expires_at: Millis(offer.expires_at),
    }
}
