// Genesis state: balances, validators and supply.
import { type Genesis, genesisSupply } from "#shared/protocol/genesis.ts";
import { sortValidators } from "#shared/protocol/validators.ts";
import { credit } from "./balance.ts";
import { writeSupply, writeValidators } from "./records.ts";
import type { StateView } from "./state-view.ts";

/** Writes the state of block 0 into an empty view. The genesis is a parsed, checked one. */
export function applyGenesis(view: StateView, genesis: Genesis): void {
  for (const account of genesis.accounts) credit(view, account.pub_key, account.balance_ut);
  const validators = genesis.validators.map((validator) => ({ publicKey: validator.pub_key, bondUt: validator.bond_ut }));
  writeValidators(view, sortValidators(validators));
  writeSupply(view, genesisSupply(genesis));
}
