// All µT that any account or record holds, which must be the supply.
import { readChannel } from "#node/ledger/records/channel-records.ts";
import { readContractBalance } from "#node/ledger/records/contract-records.ts";
import { readKeepers } from "#node/ledger/records/keeper-records.ts";
import { readExistingAccount, readValidators } from "#node/ledger/records/records.ts";
import { readUnbonding } from "#node/ledger/records/validator-records.ts";
import type { Namespace, StateEntry, StateReader } from "#node/ledger/state-view.ts";
import { toHex } from "#shared/util/bytes.ts";

/** Every record of a namespace, in order. */
export function entriesOf(state: StateReader, namespace: Namespace): readonly StateEntry[] {
  const entries: StateEntry[] = [];
  const prefix = new Uint8Array(0);
  for (let entry = state.next(namespace, prefix); entry !== undefined; entry = state.next(namespace, prefix, entry.key))
    entries.push(entry);
  return entries;
}

/** Sum of balances, bonds of validators and relays, bonds on their way back, deposits of open channels and balances of contracts. */
export function heldUt(state: StateReader): number {
  const sumOf = (namespace: Namespace, amountOf: (key: string) => number | undefined): number =>
    entriesOf(state, namespace).reduce((sum, { key }) => sum + (amountOf(toHex(key)) ?? Number.NaN), 0);
  const openDeposit = (id: string): number | undefined => {
    const channel = readChannel(state, id);
    return channel?.paidUt === undefined ? channel?.depositUt : 0;
  };
  return (
    sumOf("account", (key) => readExistingAccount(state, key)?.balanceUt) +
    readValidators(state).reduce((sum, { bondUt }) => sum + bondUt, 0) +
    [...readKeepers(state).values()].reduce((sum, { bondUt, withdrawnUt }) => sum + bondUt + withdrawnUt, 0) +
    sumOf("unbonding", (key) => readUnbonding(state, key)?.amountUt) +
    sumOf("channel", openDeposit) +
    sumOf("contract_balance", (id) => readContractBalance(state, id))
  );
}
