// An auction in which the highest bid wins. Who is outbid takes the bid back, so that none can hold up the others, and a late bid makes
// it longer, so that the last second is worth nothing.
import { Address, blockTime, caller, checkedAdd, demand, emit, mulDiv, owner, StorageValue, value } from "parley";
import * as payments from "parley/library/payments";

export const NAME = "auction";
export const VERSION = "2.0.0";

const MAX_LIFE_S: u64 = 30 * 86_400;
/** A bid this close to the end moves the end. */
const EXTENSION_S: u64 = 300;
/** Each bid is higher by a twentieth, so that it does not grow by single µT for ever. */
const STEP_PERCENT: u64 = 5;

@struct
class Auction {
  item: string;
  end: u64;
  lastEnd: u64;
  reserve: u64;
  bid: u64;
  bidder: string;
  isFinished: bool;
}

@event class Bid { @indexed bidder: Address; amount: u64; end: u64; }
@event class Finished { @indexed winner: string; amount: u64; }

const auction = new StorageValue<Auction>("auction");

/** What is sold, when it ends, and the least bid. The deployer is the seller. */
export function init(item: string, end: u64, reserve: u64): void {
  demand(item.length > 0 && item.length <= 256, "the item has 1 to 256 characters");
  demand(end > blockTime() && end <= blockTime() + MAX_LIFE_S, "the end is unix seconds within 30 days");
  demand(reserve > 0, "the least bid is more than nothing");
  auction.set(new Auction(item, end, end + MAX_LIFE_S, reserve, 0, "", false));
}

/** Bids the attached µT. */
@payable
export function bid(): void {
  const now = auction.get();
  demand(blockTime() < now.end, "the auction is over");
  demand(caller() != owner(), "the seller does not bid");
  demand(value() >= least(now), "the bid is too low");
  if (now.bid > 0) payments.owe(now.bidder, now.bid);
  now.bid = value();
  now.bidder = caller();
  if (now.end - blockTime() < EXTENSION_S && blockTime() + EXTENSION_S <= now.lastEnd) now.end = blockTime() + EXTENSION_S;
  auction.set(now);
  emit(new Bid(caller(), value(), now.end));
}

/** Ends the auction after its time; anyone can do it. The seller is owed the highest bid. */
export function finish(): void {
  const now = auction.get();
  demand(!now.isFinished && blockTime() >= now.end, "the auction is not over, or was finished");
  now.isFinished = true;
  auction.set(now);
  payments.owe(owner(), now.bid);
  emit(new Finished(now.bidder, now.bid));
}

/** Takes what is owed to the caller: bids that were outbid, and the seller's price. */
export function withdraw(): u64 {
  return payments.pay(caller());
}

@view
export function status(): Auction {
  return auction.get();
}

/** The least that is taken now. */
@view
export function least_bid(): u64 {
  return least(auction.get());
}

@view
export function owed(to: Address): u64 {
  return payments.owed(to);
}

function least(now: Auction): u64 {
  return now.bid == 0 ? now.reserve : checkedAdd<u64>(checkedAdd<u64>(now.bid, mulDiv(now.bid, STEP_PERCENT, 100)), 1);
}
