// English auctions. The best bid waits with the contract; who was outbid takes the own µT back, so that a bidder who cannot be paid
// does not block others. State: `n:<id>:s` seller, `:e` end (unix time), `:r` least bid, `:b` bidder, `:v` best bid; `w:<key>` µT owed.
import { argString, argU64, blockTime, caller, demand, log, returnU64, storage, transfer, value } from "parley";

const MIN_SECONDS: u64 = 60;
const MAX_SECONDS: u64 = 2_592_000;

/** Offers something: id, least bid, seconds that it lasts. */
export function open(): void {
  const id = argString(0);
  const least = argU64(1);
  const seconds = argU64(2);
  demand(id.length > 0 && id.length <= 64 && id.indexOf(":") < 0, "an id has 1 to 64 characters without a colon");
  demand(!storage.has("n:" + id + ":s"), "the id is taken");
  demand(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS, "an auction lasts a minute to thirty days");
  storage.set("n:" + id + ":s", caller());
  storage.setU64("n:" + id + ":e", blockTime() + seconds);
  storage.setU64("n:" + id + ":r", least == 0 ? 1 : least);
  log("open " + id + " " + caller());
}

/** Bids the attached µT. The next bid must be a twentieth higher. */
export function bid(): void {
  const id = argString(0);
  const amount = value();
  demand(storage.has("n:" + id + ":s"), "there is no such auction");
  demand(blockTime() < storage.getU64("n:" + id + ":e"), "the auction is over");
  demand(amount >= storage.getU64("n:" + id + ":r"), "the bid is too low");
  const before = storage.get("n:" + id + ":b");
  if (before !== null) owe(before, storage.getU64("n:" + id + ":v"));
  storage.set("n:" + id + ":b", caller());
  storage.setU64("n:" + id + ":v", amount);
  storage.setU64("n:" + id + ":r", amount + amount / 20 + 1);
  log("bid " + id + " " + caller() + " " + amount.toString());
}

/** Ends an auction whose time is over, at anybody's call: the seller can take the best bid. */
export function close(): void {
  const id = argString(0);
  const seller = storage.get("n:" + id + ":s");
  demand(seller !== null, "there is no such auction");
  const end = storage.getU64("n:" + id + ":e");
  demand(end != 0, "the auction is closed");
  demand(blockTime() >= end, "the auction is not over");
  storage.remove("n:" + id + ":e");
  const winner = storage.get("n:" + id + ":b");
  const amount = storage.getU64("n:" + id + ":v");
  if (winner !== null) owe(seller!, amount);
  log("close " + id + " " + (winner === null ? "unsold" : winner) + " " + amount.toString());
}

/** Takes back what the contract owes the caller. */
export function withdraw(): void {
  const amount = storage.getU64("w:" + caller());
  demand(amount > 0, "there is nothing to take");
  storage.remove("w:" + caller());
  demand(transfer(caller(), amount), "the contract cannot pay");
  log("withdraw " + caller() + " " + amount.toString());
}

/** What the contract owes a key. */
export function owed(): void {
  returnU64(storage.getU64("w:" + argString(0)));
}

/** The least that the next bid must be. */
export function least(): void {
  returnU64(storage.getU64("n:" + argString(0) + ":r"));
}

function owe(key: string, amount: u64): void {
  storage.setU64("w:" + key, storage.getU64("w:" + key) + amount);
}
