// A buyer's µT wait with the contract until the deal is settled: the buyer releases, the seller refunds, an arbiter decides a dispute, and
// after the deadline the buyer gets them back. What is settled is taken by whom it is owed to.
import { Address, blockTime, caller, demand, emit, StorageMap, value } from "parley";
import * as payments from "parley/library/payments";
import { demandRecipient } from "parley/library/recipients";

export const NAME = "escrow";
export const VERSION = "2.0.0";

const MAX_LIFE_S: u64 = 365 * 86_400;
/** An arbiter who is gone locks no money for ever. */
const DISPUTE_S: u64 = 30 * 86_400;

@struct
class Deal {
  state: string;
  buyer: Address;
  seller: Address;
  arbiter: Address | null;
  amount: u64;
  deadline: u64;
}

@event class Opened { @indexed id: string; @indexed buyer: Address; @indexed seller: Address; amount: u64; }
@event class Disputed { @indexed id: string; by: Address; }
@event class Settled { @indexed id: string; @indexed to: Address; amount: u64; }

const deals = new StorageMap<string, Deal>("deals");

/** The caller is the buyer, and attaches what the deal is about. */
@payable
export function open(id: string, seller: Address, arbiter: Address | null, deadline: u64): void {
  const buyer = caller();
  demand(id.length > 0 && id.length <= 64, "a deal id has 1 to 64 characters");
  demand(!deals.has(id), "the deal id is taken");
  demand(value() > 0, "a deal is about an attached amount");
  demand(deadline > blockTime() && deadline <= blockTime() + MAX_LIFE_S, "the deadline is unix seconds within a year");
  demandRecipient(seller);
  demand(seller != buyer && (arbiter === null || (arbiter != buyer && arbiter != seller)), "buyer, seller and arbiter are three");
  deals.set(id, new Deal("active", buyer, seller, arbiter, value(), deadline));
  emit(new Opened(id, buyer, seller, value()));
}

/** The buyer gives the amount to the seller. */
export function release(id: string): void {
  const found = openDeal(id);
  demand(caller() == found.buyer, "only the buyer releases");
  settle(id, found, found.seller);
}

/** The seller gives the amount back. */
export function refund(id: string): void {
  const found = openDeal(id);
  demand(caller() == found.seller, "only the seller refunds");
  settle(id, found, found.buyer);
}

/** From now on the arbiter decides, unless one of the two gives in. Possible until the deadline. */
export function dispute(id: string): void {
  const found = openDeal(id);
  demand(found.state == "active" && found.arbiter !== null, "the deal is disputed already, or has no arbiter");
  demand(caller() == found.buyer || caller() == found.seller, "only buyer and seller dispute");
  demand(blockTime() < found.deadline, "the deadline has passed");
  found.state = "disputed";
  found.deadline = blockTime() + DISPUTE_S;
  deals.set(id, found);
  emit(new Disputed(id, caller()));
}

/** The arbiter decides a disputed deal. */
export function resolve(id: string, toSeller: bool): void {
  const found = openDeal(id);
  demand(found.state == "disputed" && caller() == found.arbiter!, "only the arbiter resolves, and only a disputed deal");
  settle(id, found, toSeller ? found.seller : found.buyer);
}

/** Gives the amount back to the buyer after the deadline, by any caller; of a disputed deal 30 days after the dispute began. */
export function timeout(id: string): void {
  const found = openDeal(id);
  demand(blockTime() >= found.deadline, "the deadline has not passed");
  settle(id, found, found.buyer);
}

/** Takes what is owed to the caller. */
export function withdraw(): u64 {
  return payments.pay(caller());
}

@view
export function deal(id: string): Deal {
  return deals.get(id);
}

@view
export function owed(to: Address): u64 {
  return payments.owed(to);
}

function openDeal(id: string): Deal {
  demand(deals.has(id), "there is no such deal");
  const found = deals.get(id);
  demand(found.state == "active" || found.state == "disputed", "the deal is settled");
  return found;
}

function settle(id: string, found: Deal, to: Address): void {
  found.state = to == found.seller ? "released" : "refunded";
  deals.set(id, found);
  payments.owe(to, found.amount);
  emit(new Settled(id, to, found.amount));
}
