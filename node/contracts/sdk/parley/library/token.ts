// A fungible token: balances, allowances, permits. Every change is announced by an event; the contract that imports it says who may mint.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { Address, demand, emit, isAddress, pairKey, StorageMap, StorageValue, u128 } from "parley";
import { demandRecipient } from "parley/library/recipients";
import { demandSigned } from "parley/library/signed";

@event
class Transfer {
  @indexed from: Address;
  @indexed to: Address;
  amount: u128;
}

@event
class Approval {
  @indexed holder: Address;
  @indexed spender: Address;
  amount: u128;
}

@event
class Mint {
  @indexed to: Address;
  amount: u128;
}

@event
class Burn {
  @indexed from: Address;
  amount: u128;
}

@lazy const balances = new StorageMap<Address, u128>("token.balances");
@lazy const allowances = new StorageMap<string, u128>("token.allowances");
@lazy const minted = new StorageValue<u128>("token.supply");

/** All that there is. */
export function supply(): u128 {
  return minted.get();
}

/** What an address holds. */
export function balanceOf(holder: Address): u128 {
  return balances.get(holder);
}

/** What a spender may still take from a holder. */
export function allowance(holder: Address, spender: Address): u128 {
  return allowances.get(pairKey(holder, spender));
}

/** Makes tokens. The caller of this function decides who may do that. No balance overflows, because the supply does not. */
export function mint(to: Address, amount: u128): void {
  demandRecipient(to);
  minted.set(minted.get() + amount);
  balances.set(to, balances.get(to) + amount);
  emit(new Mint(to, amount));
}

/** Destroys tokens of an address. Give it `caller()`, or use up an allowance before. */
export function burn(from: Address, amount: u128): void {
  take(from, amount);
  minted.set(minted.get() - amount);
  emit(new Burn(from, amount));
}

/** Moves tokens. Give it `caller()` as the first address, or use up an allowance before. */
export function move(from: Address, to: Address, amount: u128): void {
  demandRecipient(to);
  take(from, amount);
  balances.set(to, balances.get(to) + amount);
  emit(new Transfer(from, to, amount));
}

/** Sets what a spender may take from a holder. Give it `caller()` as the holder. */
export function approve(holder: Address, spender: Address, amount: u128): void {
  demand(isAddress(spender) && spender != holder, "the spender is another address");
  const key = pairKey(holder, spender);
  if (amount.isZero) allowances.remove(key);
  else allowances.set(key, amount);
  emit(new Approval(holder, spender, amount));
}

/** Uses up an allowance; more than it ends the call. */
export function spend(holder: Address, spender: Address, amount: u128): void {
  const key = pairKey(holder, spender);
  const allowed = allowances.get(key);
  demand(allowed >= amount, "the allowance does not suffice");
  if (allowed == amount) allowances.remove(key);
  else allowances.set(key, allowed - amount);
}

/** Sets what a spender may take, by the holder's signature over "permit", spender and amount: anyone can send it. */
export function permit(holder: Address, spender: Address, amount: u128, deadline: u64, signature: ArrayBuffer): void {
  demandSigned(holder, "permit", [spender, amount.toString()], deadline, signature);
  approve(holder, spender, amount);
}

function take(from: Address, amount: u128): void {
  const held = balances.get(from);
  demand(held >= amount, "the balance does not suffice");
  if (held == amount) balances.remove(from);
  else balances.set(from, held - amount);
}
