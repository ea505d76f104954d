// Escrow: a buyer's µT wait with the contract until the deal is settled. The same rules, words and state as the native contract:
// @ts-nocheck — AssemblyScript, compiled by the test.
// `e:<deal>:x` is its state: a active, d disputed, r released, f refunded; `:b` buyer, `:s` seller, `:m` arbiter, `:v` µT, `:t` deadline.
import { argBool, argKey, argString, argU64, blockTime, caller, demand, isUsable, log, revert, storage, transfer, value } from "parley";

const MAX_LIFE: u64 = 31_536_000;

class Deal {
  constructor(
    readonly id: string,
    readonly state: string,
    readonly buyer: string,
    readonly seller: string,
    readonly arbiter: string,
  ) {}
}

/** The caller is the buyer: deal id, seller, arbiter ("" for none), deadline in unix seconds. */
export function open(): void {
  const id = argString(0);
  const seller = argKey(1, "seller");
  const arbiter = argString(2) == "" ? "" : argKey(2, "arbiter");
  const deadline = argU64(3);
  const buyer = caller();
  demand(isDealId(id), "a deal id has 1 to 64 of A-Z a-z 0-9 . _ -");
  demand(value() > 0, "a deal is about an attached amount");
  demand(deadline > blockTime() && deadline <= blockTime() + MAX_LIFE, "the deadline is unix seconds within a year");
  demand(seller != buyer && arbiter != buyer && arbiter != seller, "buyer, seller and arbiter are three");
  demand(isUsable(seller), "seller is no usable key");
  demand(!storage.has("e:" + id + ":x"), "the deal id is taken");
  storage.set("e:" + id + ":b", buyer);
  storage.set("e:" + id + ":s", seller);
  storage.set("e:" + id + ":m", arbiter);
  storage.setU64("e:" + id + ":v", value());
  storage.setU64("e:" + id + ":t", deadline);
  storage.set("e:" + id + ":x", "a");
  log("open " + id + " " + buyer + " " + seller + " " + value().toString());
}

/** The buyer pays the seller. */
export function release(): void {
  const deal = openDeal();
  demand(caller() == deal.buyer, "only the buyer releases");
  settle(deal, "r");
}

/** The seller pays the buyer back. */
export function refund(): void {
  const deal = openDeal();
  demand(caller() == deal.seller, "only the seller refunds");
  settle(deal, "f");
}

/** From now on the arbiter decides, unless one of the two gives in. */
export function dispute(): void {
  const deal = openDeal();
  demand(deal.state == "a" && deal.arbiter != "", "the deal is disputed already, or has no arbiter");
  demand(caller() == deal.buyer || caller() == deal.seller, "only buyer and seller dispute");
  storage.set("e:" + deal.id + ":x", "d");
  log("dispute " + deal.id + " " + caller());
}

/** The arbiter decides a disputed deal. */
export function resolve(): void {
  const deal = openDeal();
  demand(deal.state == "d" && caller() == deal.arbiter, "only the arbiter resolves, and only a disputed deal");
  settle(deal, argBool(1) ? "r" : "f");
}

/** Pays the buyer back after the deadline, at anybody's call. */
export function timeout(): void {
  const deal = openDeal();
  demand(deal.state == "a", "a disputed deal waits for its arbiter");
  demand(blockTime() >= storage.getU64("e:" + deal.id + ":t"), "the deadline has not passed");
  settle(deal, "f");
}

function isDealId(id: string): bool {
  if (id.length < 1 || id.length > 64) return false;
  for (let at = 0; at < id.length; at += 1) if (!isDealCharacter(id.charCodeAt(at))) return false;
  return true;
}

function isDealCharacter(code: i32): bool {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code == 0x2d || code == 0x2e || code == 0x5f;
}

function openDeal(): Deal {
  const id = argString(0);
  const state = isDealId(id) ? text("e:" + id + ":x") : "";
  if (state != "a" && state != "d") revert("there is no such open deal");
  return new Deal(id, state, text("e:" + id + ":b"), text("e:" + id + ":s"), text("e:" + id + ":m"));
}

function settle(deal: Deal, state: string): void {
  const to = state == "r" ? deal.seller : deal.buyer;
  const amount = storage.getU64("e:" + deal.id + ":v");
  demand(transfer(to, amount), "the contract cannot pay");
  storage.set("e:" + deal.id + ":x", state);
  log((state == "r" ? "release " : "refund ") + deal.id + " " + to + " " + amount.toString());
}

function text(key: string): string {
  const found = storage.get(key);
  return found === null ? "" : found;
}
