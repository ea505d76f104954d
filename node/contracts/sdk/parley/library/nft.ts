// Things of which there is one each, by a number: owners, approvals, operators. The contract that imports it says who may mint.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { Address, checkedAdd, demand, emit, isAddress, pairKey, StorageMap, StorageSet, StorageValue } from "parley";
import { demandRecipient } from "parley/library/recipients";

const MAX_URI_BYTES: i32 = 256;

@event
class Transfer {
  @indexed id: u64;
  @indexed from: Address;
  @indexed to: Address;
}

@event
class Mint {
  @indexed id: u64;
  @indexed to: Address;
  uri: string;
}

@event
class Burn {
  @indexed id: u64;
  @indexed from: Address;
}

@event
class Approval {
  @indexed id: u64;
  @indexed holder: Address;
  @indexed spender: Address;
}

@event
class OperatorChanged {
  @indexed holder: Address;
  @indexed operator: Address;
  isAllowed: bool;
}

@lazy const owners = new StorageMap<u64, Address>("nft.owners");
@lazy const uris = new StorageMap<u64, string>("nft.uris");
@lazy const approved = new StorageMap<u64, Address>("nft.approved");
@lazy const operators = new StorageSet<string>("nft.operators");
@lazy const counts = new StorageMap<Address, u64>("nft.counts");
@lazy const lastId = new StorageValue<u64>("nft.last");

/** Who has it; one that is not there ends the call. */
export function ownerOf(id: u64): Address {
  demand(owners.has(id), "there is no such token");
  return owners.get(id);
}

/** Where it is described; one that is not there ends the call. */
export function uriOf(id: u64): string {
  demand(owners.has(id), "there is no such token");
  return uris.get(id);
}

/** How many an address has. */
export function balanceOf(holder: Address): u64 {
  return counts.get(holder);
}

/** Who may move one beside its owner and the owner's operators; empty for none. */
export function approvedFor(id: u64): Address {
  return approved.get(id);
}

/** True when an operator may move all that a holder has and will have. */
export function isOperator(holder: Address, operator: Address): bool {
  return operators.has(pairKey(holder, operator));
}

/** Makes one and returns its number, from 1 on; a number never comes again. The caller of this function decides who may do that. */
export function mint(to: Address, uri: string): u64 {
  demandRecipient(to);
  demand(String.UTF8.byteLength(uri) <= MAX_URI_BYTES, "a URI has at most 256 bytes");
  const id = checkedAdd<u64>(lastId.get(), 1);
  lastId.set(id);
  owners.set(id, to);
  uris.set(id, uri);
  counts.set(to, counts.get(to) + 1);
  emit(new Mint(id, to, uri));
  return id;
}

/** Moves one. Allowed are its owner, whom the owner approved for it, and the owner's operators. `by` is `caller()`. */
export function move(by: Address, to: Address, id: u64): void {
  const from = demandAllowed(by, id);
  demandRecipient(to);
  demand(to != from, "the recipient has it already");
  approved.remove(id);
  owners.set(id, to);
  setCount(from, counts.get(from) - 1);
  counts.set(to, counts.get(to) + 1);
  emit(new Transfer(id, from, to));
}

/** Destroys one. Allowed are those who could move it. */
export function burn(by: Address, id: u64): void {
  const from = demandAllowed(by, id);
  approved.remove(id);
  owners.remove(id);
  uris.remove(id);
  setCount(from, counts.get(from) - 1);
  emit(new Burn(id, from));
}

/** Lets an address move one, until it is moved; an empty address lets none. Allowed are the owner and its operators. */
export function approve(by: Address, spender: Address, id: u64): void {
  const holder = ownerOf(id);
  demand(by == holder || isOperator(holder, by), "only the owner and its operators approve");
  demand(spender == "" || (isAddress(spender) && spender != holder), "the spender is another address");
  if (spender == "") approved.remove(id);
  else approved.set(id, spender);
  emit(new Approval(id, holder, spender));
}

/** Lets an operator move all that a holder has and will have, or no longer. The holder is `caller()`. */
export function setOperator(holder: Address, operator: Address, isAllowed: bool): void {
  demand(isAddress(operator) && operator != holder, "the operator is another address");
  if (isAllowed) operators.add(pairKey(holder, operator));
  else operators.remove(pairKey(holder, operator));
  emit(new OperatorChanged(holder, operator, isAllowed));
}

/** The owner of one that an address may move. */
function demandAllowed(by: Address, id: u64): Address {
  const holder = ownerOf(id);
  demand(by == holder || by == approved.get(id) || isOperator(holder, by), "the caller may not move this token");
  return holder;
}

function setCount(holder: Address, count: u64): void {
  if (count == 0) counts.remove(holder);
  else counts.set(holder, count);
}
