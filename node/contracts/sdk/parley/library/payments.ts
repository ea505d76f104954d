// µT that the contract owes. Each takes its own: one who cannot be paid, or does not come, holds up no other.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { Address, balance, checkedAdd, demand, emit, StorageMap, StorageValue, transfer } from "parley";

@event
class Paid {
  @indexed to: Address;
  amount: u64;
}

@lazy const debts = new StorageMap<Address, u64>("payments.owed");
@lazy const sum = new StorageValue<u64>("payments.sum");

/** µT that the contract owes to an address. */
export function owed(to: Address): u64 {
  return debts.get(to);
}

/** µT that the contract owes to all together. */
export function total(): u64 {
  return sum.get();
}

/** µT of the contract's balance that it owes to no address. */
export function free(): u64 {
  return balance() - sum.get();
}

/** Notes a debt. The contract must have the µT, or the call ends. */
export function owe(to: Address, amount: u64): void {
  if (amount == 0) return;
  demand(free() >= amount, "the contract does not have what it would owe");
  debts.set(to, checkedAdd<u64>(debts.get(to), amount));
  sum.set(checkedAdd<u64>(sum.get(), amount));
}

/** Pays what is owed to an address, to that address alone; returns how much it was. */
export function pay(to: Address): u64 {
  const amount = debts.get(to);
  demand(amount > 0, "nothing is owed to this address");
  debts.remove(to);
  sum.set(sum.get() - amount);
  demand(transfer(to, amount), "the payment failed");
  emit(new Paid(to, amount));
  return amount;
}
