// One id for ever, in front of versions that come and go. The owner proposes a version, everyone has the delay to look at it and to leave,
// then the state is copied page by page, and calls go to the new one. What is called meanwhile is refused.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import {
  Address, Args, blockTime, caller, callContract, checkedAdd, demand, emit, Json, JsonReader, quote, returnJson, self, StorageSet,
  StorageValue, value,
} from "parley";
import { demandOwner } from "parley/library/ownership";

export const MIN_DELAY_S: u64 = 3_600;
export const MAX_DELAY_S: u64 = 31_536_000;

@event
class UpgradeProposed {
  @indexed version: Address;
  possibleFrom: u64;
}

@event
class UpgradeCancelled {
  @indexed version: Address;
}

@event
class Upgraded {
  @indexed version: Address;
}

@lazy const current = new StorageValue<Address>("proxy.current");
@lazy const next = new StorageValue<Address>("proxy.next");
@lazy const possibleFrom = new StorageValue<u64>("proxy.from");
@lazy const delay = new StorageValue<u64>("proxy.delay");
@lazy const cursor = new StorageValue<string>("proxy.cursor");
@lazy const isMoving = new StorageValue<bool>("proxy.moving");
/** A version whose copy was broken off, or that was left, holds state that is not followed any more. */
@lazy const used = new StorageSet<Address>("proxy.used");

/** Sets the delay for ever: call it in `init`. */
export function begin(delayS: u64): void {
  demand(delayS >= MIN_DELAY_S && delayS <= MAX_DELAY_S, "the delay is an hour to a year");
  demand(!delay.exists(), "the delay is set already");
  delay.set(delayS);
}

/** The version that is called; empty before the first one. */
export function version(): Address {
  return current.get();
}

/** The version that was proposed; empty for none. */
export function proposed(): Address {
  return next.get();
}

/** Unix seconds from which the proposed version can be moved to. */
export function proposedFrom(): u64 {
  return possibleFrom.get();
}

/** Calls a method of the version with the caller before its arguments, and returns what it returns. */
export function forward(method: string, args: Json): void {
  demand(current.exists(), "there is no version yet");
  demand(!isMoving.get(), "an upgrade is under way");
  // Methods of a version that are the proxy's own business.
  demand(!isReserved(method), "only an upgrade calls " + method);
  const outcome = callContract(current.get(), method, new Args().string(caller()).with(Args.of(args)), value());
  demand(outcome.isOk, outcome.text);
  if (outcome.text.length > 0) returnJson(outcome.text);
}

/** The owner proposes a version. The first one needs no delay: nothing trusts the proxy yet. */
export function propose(to: Address): void {
  demandOwner();
  demand(!isMoving.get(), "an upgrade is under way");
  demand(!used.has(to), "a version is used once");
  const theirs = callContract(to, "proxy", new Args());
  demand(theirs.isOk && theirs.text == quote(self()), "the contract is no version of this proxy");
  const from = current.exists() ? checkedAdd<u64>(blockTime(), delay.get()) : blockTime();
  next.set(to);
  possibleFrom.set(from);
  emit(new UpgradeProposed(to, from));
}

/** The owner takes a proposal back, or breaks a move off; the version before goes on as it was. */
export function cancel(): void {
  demandOwner();
  demand(next.exists(), "no version is proposed");
  emit(new UpgradeCancelled(next.get()));
  if (isMoving.get()) used.add(next.get());
  stop();
}

/** Moves one page of the state, and with the last one the µT; true when the version has changed. Anyone may pay for a step. */
export function step(): bool {
  demand(next.exists(), "no version is proposed");
  demand(blockTime() >= possibleFrom.get(), "the delay has not passed");
  const to = next.get();
  if (current.exists()) {
    isMoving.set(true);
    const from = current.get();
    const page = must(from, "export_state", new Args().string(cursor.get()));
    must(to, "import_state", new Args().json(page));
    const last = lastOf(page);
    if (last !== null) {
      cursor.set(last);
      return false;
    }
    must(from, "hand_over", new Args().string(to));
    used.add(from);
  }
  current.set(to);
  stop();
  emit(new Upgraded(to));
  return true;
}

function isReserved(method: string): bool {
  return method == "export_state" || method == "import_state" || method == "hand_over";
}

function must(id: Address, method: string, args: Args): string {
  const outcome = callContract(id, method, args);
  demand(outcome.isOk, method + " failed: " + outcome.text);
  return outcome.text;
}

function lastOf(page: Json): string | null {
  const reader = new JsonReader(String.UTF8.encode(page), "the page");
  let last: string | null = null;
  reader.startObject();
  for (let first = true; ; first = false) {
    const name = reader.member(first);
    if (name === null) break;
    if (name != "last") reader.raw();
    else if (!reader.isNull()) last = reader.string();
  }
  return last;
}

function stop(): void {
  next.remove();
  possibleFrom.remove();
  cursor.remove();
  isMoving.remove();
}
