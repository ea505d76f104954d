// A purse of several keys. A payment, a call of another contract or a change of the members happens when enough of those who are members
// then have approved it.
import { Address, Args, blockTime, caller, callContract, checkedAdd, demand, emit, Json, pairKey, StorageMap, StorageSet, StorageValue, transfer, value } from "parley";
import { demandRecipient } from "parley/library/recipients";

export const NAME = "multisig";
export const VERSION = "2.0.0";

const MAX_MEMBERS: i32 = 32;
const LIFE_S: u64 = 30 * 86_400;

/** What is proposed: `method` is empty for a payment, and "members" with the contract's own rule for a change of those. */
@struct
class Proposal {
  by: Address;
  kind: string;
  to: string;
  amount: u64;
  method: string;
  args: Json;
  expires: u64;
}

@event class Deposited { @indexed from: Address; amount: u64; }
@event class Proposed { @indexed id: u64; @indexed by: Address; kind: string; }
@event class Approved { @indexed id: u64; @indexed by: Address; }
@event class Revoked { @indexed id: u64; @indexed by: Address; }
@event class Executed { @indexed id: u64; @indexed by: Address; }
@event class MembersChanged { members: Address[]; need: u64; }

const members = new StorageSet<Address>("members");
const need = new StorageValue<u64>("need");
const last = new StorageValue<u64>("last");
const proposals = new StorageMap<u64, Proposal>("proposals");
const approvals = new StorageSet<string>("approvals");

export function init(first: Address[], needed: u64): void {
  setMembers(first, needed);
}

/** Puts the attached µT into the purse. */
@payable
export function deposit(): void {
  demand(value() > 0, "a deposit is more than nothing");
  emit(new Deposited(caller(), value()));
}

/** Proposes a payment, and approves it. Returns its number. */
export function propose_payment(to: Address, amount: u64): u64 {
  demandRecipient(to);
  demand(amount > 0, "a payment is more than nothing");
  return propose("pay", to, amount, "", "[]");
}

/** Proposes a call of another contract, with µT attached, and approves it. */
export function propose_call(to: Address, method: string, args: Json, amount: u64): u64 {
  demandRecipient(to);
  demand(to.length == 16, "only contracts are called");
  Args.of(args);
  return propose("call", to, amount, method, args);
}

/** Proposes other members and another number of approvals. */
export function propose_members(next: Address[], needed: u64): u64 {
  demandMembers(next, needed);
  let list = "";
  for (let at = 0; at < next.length; at += 1) list += (at == 0 ? '"' : ',"') + next[at] + '"';
  return propose("members", "", needed, "", "[" + list + "]");
}

/** Approves a proposal as it stands. */
export function approve(id: u64): void {
  demandMember();
  demandOpen(id);
  const key = approvalKey(id, caller());
  demand(!approvals.has(key), "the member approved it already");
  approvals.add(key);
  emit(new Approved(id, caller()));
}

/** Takes an approval back. */
export function revoke(id: u64): void {
  const key = approvalKey(id, caller());
  demand(approvals.has(key), "the caller has not approved it");
  approvals.remove(key);
  emit(new Revoked(id, caller()));
}

/** Carries a proposal out that enough members have approved. What fails can be tried again until it expires. */
export function execute(id: u64): void {
  demandMember();
  const proposal = demandOpen(id);
  demand(approvals_of(id) >= need.get(), "there are not enough approvals");
  proposals.remove(id);
  emit(new Executed(id, caller()));
  if (proposal.kind == "pay") {
    demand(transfer(proposal.to, proposal.amount), "the purse cannot pay");
  } else if (proposal.kind == "call") {
    const outcome = callContract(proposal.to, proposal.method, Args.of(proposal.args), proposal.amount);
    demand(outcome.isOk, "the other contract says " + outcome.text);
  } else {
    setMembers(addressesOf(proposal.args), proposal.amount);
  }
}

/** A proposal that is open. */
@view
export function proposal(id: u64): Proposal {
  return proposals.get(id);
}

/** Approvals of those who are members now. */
@view
export function approvals_of(id: u64): u64 {
  const all = members.first(MAX_MEMBERS);
  let count: u64 = 0;
  for (let at = 0; at < all.length; at += 1) if (approvals.has(approvalKey(id, all[at]))) count += 1;
  return count;
}

@view
export function members_now(): Address[] {
  return members.first(MAX_MEMBERS);
}

@view
export function needed(): u64 {
  return need.get();
}

function propose(kind: string, to: string, amount: u64, method: string, args: Json): u64 {
  demandMember();
  const id = last.get() + 1;
  last.set(id);
  proposals.set(id, new Proposal(caller(), kind, to, amount, method, args, checkedAdd<u64>(blockTime(), LIFE_S)));
  approvals.add(approvalKey(id, caller()));
  emit(new Proposed(id, caller(), kind));
  emit(new Approved(id, caller()));
  return id;
}

function approvalKey(id: u64, member: Address): string {
  return pairKey(id.toString(), member);
}

function demandMember(): void {
  demand(members.has(caller()), "only members do that");
}

function demandOpen(id: u64): Proposal {
  demand(proposals.has(id), "there is no such open proposal");
  const found = proposals.get(id);
  demand(blockTime() <= found.expires, "the proposal has expired");
  return found;
}

function demandMembers(next: Address[], needed: u64): void {
  demand(next.length > 0 && next.length <= MAX_MEMBERS, "a purse has 1 to 32 members");
  demand(needed > 0 && needed <= <u64>next.length, "the number of approvals is 1 to that of the members");
  for (let at = 0; at < next.length; at += 1) {
    demandRecipient(next[at]);
    demand(next.indexOf(next[at]) == at, "a member is named twice");
  }
}

function setMembers(next: Address[], needed: u64): void {
  demandMembers(next, needed);
  const before = members.first(MAX_MEMBERS);
  for (let at = 0; at < before.length; at += 1) members.remove(before[at]);
  for (let at = 0; at < next.length; at += 1) members.add(next[at]);
  need.set(needed);
  emit(new MembersChanged(next, needed));
}

/** Addresses of the list that `propose_members` wrote. */
function addressesOf(list: Json): Address[] {
  const found = new Array<Address>();
  const parts = list.split('"');
  for (let at = 1; at < parts.length; at += 2) found.push(parts[at]);
  return found;
}
