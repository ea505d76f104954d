// Genesis state: balances, validators, supply and native contracts.

import { type Genesis, genesisSupply } from "#shared/protocol/chain/genesis.ts";
import { sortValidators } from "#shared/protocol/chain/validators.ts";
import { type NativeContractName, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { nativeContract } from "./contracts/native/native-contracts.ts";
import { credit } from "./records/balance.ts";
import { type ContractRecord, writeContract } from "./records/contract-records.ts";
import { writeSupply, writeValidators } from "./records/records.ts";
import { writeValidatorRecord } from "./records/validator-records.ts";
import type { StateView } from "./state-view.ts";

/** Writes the state of block 0 into an empty view. The genesis is a parsed, checked one. */
export function applyGenesis(view: StateView, genesis: Genesis): void {
  for (const account of genesis.accounts) credit(view, account.pub_key, account.balance_ut);
  const validators = genesis.validators.map((validator) => ({ publicKey: validator.pub_key, bondUt: validator.bond_ut }));
  writeValidators(view, sortValidators(validators));
  for (const { publicKey } of validators)
    writeValidatorRecord(view, publicKey, { changedAt: 0, bannedUntil: 0, terms: [{ from: 0, to: undefined }] });
  writeSupply(view, genesisSupply(genesis));
  for (const name of genesis.contracts) writeContract(view, nativeRecord(name));
}

function nativeRecord(name: NativeContractName): ContractRecord {
  const contract = nativeContract(name);
  assertInvariant(contract !== undefined, "A genesis names only native contracts that exist");
  return {
    id: nativeContractId(name),
    deployerPub: "",
    deployedAt: 0,
    wasmSize: 0,
    wasmWeight: 0,
    vmVersion: 0,
    native: name,
    abiJson: JSON.stringify(contract.abi),
    codeHash: "",
  };
}
