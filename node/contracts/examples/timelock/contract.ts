// A delay between a decision and its effect: calls of other contracts are announced, and happen after the delay at the earliest. Make it
// the owner of another contract, so that its users see every change of rules before it holds.
import { Address, Args, blockTime, caller, callContract, checkedAdd, demand, emit, Json, StorageMap, StorageValue, value } from "parley";
import * as ownership from "parley/library/ownership";
import { demandRecipient } from "parley/library/recipients";

export const NAME = "timelock";
export const VERSION = "1.0.0";

const MIN_DELAY_S: u64 = 60;
const MAX_DELAY_S: u64 = 365 * 86_400;
/** An announced call that was forgotten does not happen years later. */
const GRACE_S: u64 = 14 * 86_400;

/** A call that was announced; `to` is empty for a change of the delay. */
@struct
class Announced {
  to: string;
  method: string;
  args: Json;
  amount: u64;
  from: u64;
}

@event class Scheduled { @indexed id: u64; @indexed to: string; method: string; amount: u64; from: u64; }
@event class Cancelled { @indexed id: u64; }
@event class Executed { @indexed id: u64; }

const delay = new StorageValue<u64>("delay");
const last = new StorageValue<u64>("last");
const calls = new StorageMap<u64, Announced>("calls");

export function init(delayS: u64): void {
  demandDelay(delayS);
  delay.set(delayS);
  ownership.begin(caller());
}

/** Puts µT in, for calls that attach some. */
@payable
export function deposit(): void {
  demand(value() > 0, "a deposit is more than nothing");
}

/** Announces a call; returns its number. Only for the owner. */
export function schedule(to: Address, method: string, args: Json, amount: u64): u64 {
  demandRecipient(to);
  demand(to.length == 16, "only contracts are called");
  Args.of(args);
  return announce(to, method, args, amount);
}

/** Announces another delay, which holds for what is announced after it came about. */
export function schedule_delay(delayS: u64): u64 {
  demandDelay(delayS);
  return announce("", "delay", "[]", delayS);
}

/** Takes a call back. Only for the owner. */
export function cancel(id: u64): void {
  ownership.demandOwner();
  demand(calls.has(id), "there is no such announced call");
  calls.remove(id);
  emit(new Cancelled(id));
}

/** Makes an announced call after its delay, once. Only for the owner. */
export function execute(id: u64): void {
  ownership.demandOwner();
  demand(calls.has(id), "there is no such announced call");
  const announced = calls.get(id);
  demand(blockTime() >= announced.from, "the delay has not passed");
  demand(blockTime() <= announced.from + GRACE_S, "the announced call has expired");
  calls.remove(id);
  emit(new Executed(id));
  if (announced.to == "") {
    delay.set(announced.amount);
    return;
  }
  const outcome = callContract(announced.to, announced.method, Args.of(announced.args), announced.amount);
  demand(outcome.isOk, "the other contract says " + outcome.text);
}

export function offer_ownership(to: Address): void {
  ownership.offer(to);
}

export function accept_ownership(): void {
  ownership.accept();
}

@view
export function announced(id: u64): Announced {
  return calls.get(id);
}

@view
export function delay_s(): u64 {
  return delay.get();
}

function announce(to: string, method: string, args: Json, amount: u64): u64 {
  ownership.demandOwner();
  const id = last.get() + 1;
  last.set(id);
  const from = checkedAdd<u64>(blockTime(), delay.get());
  calls.set(id, new Announced(to, method, args, amount, from));
  emit(new Scheduled(id, to, method, amount, from));
  return id;
}

function demandDelay(seconds: u64): void {
  demand(seconds >= MIN_DELAY_S && seconds <= MAX_DELAY_S, "the delay is a minute to a year");
}
