// µT that are released to a beneficiary over time. A grant that says so can be revoked: what was released until then stays the
// beneficiary's, the rest goes back.
import { Address, blockTime, caller, demand, emit, StorageMap, StorageValue, transfer, value } from "parley";
import * as payments from "parley/library/payments";
import { demandRecipient } from "parley/library/recipients";
import { released } from "parley/library/schedule";

export const NAME = "vesting";
export const VERSION = "1.0.0";

const MAX_DURATION_S: u64 = 20 * 365 * 86_400;

@struct
class Grant {
  from: Address;
  to: Address;
  total: u64;
  taken: u64;
  start: u64;
  cliffS: u64;
  durationS: u64;
  isRevocable: bool;
}

@event class Granted { @indexed id: u64; @indexed from: Address; @indexed to: Address; total: u64; }
@event class Claimed { @indexed id: u64; @indexed to: Address; amount: u64; }
@event class Revoked { @indexed id: u64; released: u64; returned: u64; }

const last = new StorageValue<u64>("last");
const grants = new StorageMap<u64, Grant>("grants");

/** Grants the attached µT; returns the number of the grant. */
@payable
export function grant(to: Address, start: u64, cliffS: u64, durationS: u64, isRevocable: bool): u64 {
  demandRecipient(to);
  demand(value() > 0, "a grant is more than nothing");
  demand(durationS > 0 && durationS <= MAX_DURATION_S && cliffS <= durationS, "a grant takes up to 20 years, its cliff no longer");
  demand(start <= blockTime() + MAX_DURATION_S, "the start is unix seconds within 20 years");
  const id = last.get() + 1;
  last.set(id);
  grants.set(id, new Grant(caller(), to, value(), 0, start, cliffS, durationS, isRevocable));
  emit(new Granted(id, caller(), to, value()));
  return id;
}

/** Pays what is released and was not taken yet to the beneficiary; anyone can pay for the call. */
export function claim(id: u64): u64 {
  const found = grantOf(id);
  const amount = claimable(id);
  demand(amount > 0, "nothing more is released yet");
  found.taken += amount;
  if (found.taken == found.total) grants.remove(id);
  else grants.set(id, found);
  demand(transfer(found.to, amount), "the payment failed");
  emit(new Claimed(id, found.to, amount));
  return amount;
}

/** Ends a revocable grant. Both sides take what is theirs with `withdraw`. Only for whom it came from. */
export function revoke(id: u64): void {
  const found = grantOf(id);
  demand(found.isRevocable && caller() == found.from, "only whom a revocable grant came from revokes it");
  const due = claimable(id);
  const rest = found.total - found.taken - due;
  grants.remove(id);
  payments.owe(found.to, due);
  payments.owe(found.from, rest);
  emit(new Revoked(id, due, rest));
}

/** Takes what a revoked grant left to the caller. */
export function withdraw(): u64 {
  return payments.pay(caller());
}

/** Released by now and not taken yet. */
@view
export function claimable(id: u64): u64 {
  const found = grantOf(id);
  return released(found.total, found.start, found.cliffS, found.durationS, blockTime()) - found.taken;
}

@view
export function grant_of(id: u64): Grant {
  return grantOf(id);
}

@view
export function owed(to: Address): u64 {
  return payments.owed(to);
}

function grantOf(id: u64): Grant {
  demand(grants.has(id), "there is no such grant");
  return grants.get(id);
}
