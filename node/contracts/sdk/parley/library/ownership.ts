// One owner. A new one must accept, so that the contract is never handed to a key that no person has.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { Address, caller, demand, emit, StorageValue } from "parley";
import { demandRecipient } from "parley/library/recipients";

@event
class OwnerChanged {
  @indexed from: Address;
  @indexed to: Address;
}

@lazy const current = new StorageValue<Address>("ownership.owner");
@lazy const offered = new StorageValue<Address>("ownership.offered");

/** Names the first owner, once: call it in `init`. */
export function begin(owner: Address): void {
  demand(!current.exists(), "the contract has its first owner already");
  demandRecipient(owner);
  current.set(owner);
}

/** The owner; empty when there is none. */
export function owner(): Address {
  return current.get();
}

/** Ends the call unless its caller is the owner. */
export function demandOwner(): void {
  demand(current.exists() && caller() == current.get(), "only the owner does that");
}

/** The owner offers the contract; it stays the owner until the other one accepts. */
export function offer(to: Address): void {
  demandOwner();
  demandRecipient(to);
  offered.set(to);
}

/** The owner takes its offer back. */
export function withdrawOffer(): void {
  demandOwner();
  offered.remove();
}

/** Who was offered the contract becomes its owner. */
export function accept(): void {
  demand(offered.exists() && caller() == offered.get(), "the contract is not offered to the caller");
  emit(new OwnerChanged(current.get(), caller()));
  current.set(caller());
  offered.remove();
}

/** The owner leaves for good: nothing that only the owner does can be done again. */
export function renounce(): void {
  demandOwner();
  emit(new OwnerChanged(caller(), ""));
  current.remove();
  offered.remove();
}
