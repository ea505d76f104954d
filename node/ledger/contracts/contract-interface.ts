// Records of contracts, kept decoded and with their interfaces parsed: to read a large one takes longer than most calls.
import type { ContractAbi, ContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { type ContractRecord, decodeContract } from "../records/contract-records.ts";

/** Interfaces that are kept, those that were read last. */
export const KEPT_INTERFACES = 64;

/** A contract as its record says. */
export class KeptContract {
  readonly stored: Uint8Array;
  readonly record: ContractRecord;
  #abi: ContractAbi | undefined;

  /** @param before what was kept under the id: ids of two chains can be the same, so that only the same text has the same interface */
  constructor(id: ContractId, stored: Uint8Array, before: KeptContract | undefined) {
    this.stored = stored;
    this.record = decodeContract(fromHex(id), stored);
    if (before?.record.abiJson === this.record.abiJson) this.#abi = before.#abi;
  }

  /** Its interface, which was checked when it was deployed. */
  get abi(): ContractAbi {
    this.#abi ??= JSON.parse(this.record.abiJson) as ContractAbi;
    return this.#abi;
  }
}

const kept = new Map<ContractId, KeptContract>();
let newest: KeptContract | undefined;

/** The contract of stored bytes, which no one changes: the same bytes are decoded once. */
export function keptContract(id: ContractId, stored: Uint8Array): KeptContract {
  if (newest?.stored === stored && newest.record.id === id) return newest;
  const known = kept.get(id);
  const contract = known?.stored === stored ? known : new KeptContract(id, stored, known);
  kept.delete(id);
  kept.set(id, contract);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_INTERFACES && oldest !== undefined) kept.delete(oldest);
  newest = contract;
  return contract;
}
