// One id for ever, in front of versions that the owner changes after a delay. Versions use parley/library/version; what that means for
// state and trust is said in docs/contract-authors.md.
import { Address, caller, Json } from "parley";
import * as ownership from "parley/library/ownership";
import * as proxy from "parley/library/proxy";

export const NAME = "proxy";
export const VERSION = "1.0.0";

@struct
class ProxyStatus {
  version: string;
  proposed: string;
  proposedFrom: u64;
  owner: string;
}

/** Seconds between a proposal and the upgrade, for ever. */
export function init(delayS: u64): void {
  proxy.begin(delayS);
  ownership.begin(caller());
}

/** Calls a method of the version. */
@payable
export function call(method: string, args: Json): void {
  proxy.forward(method, args);
}

/** Asks a view of the version. */
@view
export function ask(method: string, args: Json): void {
  proxy.forward(method, args);
}

export function propose(version: Address): void {
  proxy.propose(version);
}

export function cancel(): void {
  proxy.cancel();
}

/** Moves a part of the state; true when the version has changed. Anyone may pay for it. */
export function step(): bool {
  return proxy.step();
}

export function offer_ownership(to: Address): void {
  ownership.offer(to);
}

export function accept_ownership(): void {
  ownership.accept();
}

@view
export function status(): ProxyStatus {
  return new ProxyStatus(proxy.version(), proxy.proposed(), proxy.proposedFrom(), ownership.owner());
}
