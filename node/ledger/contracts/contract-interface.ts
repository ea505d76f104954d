// Interfaces of contracts, kept parsed: parsing a large one takes longer than most calls.
import type { ContractAbi, ContractId } from "#shared/protocol/transactions/contracts.ts";
import type { ContractRecord } from "../records/contract-records.ts";

/** Interfaces that are kept, those that were read last. */
export const KEPT_INTERFACES = 64;

const kept = new Map<ContractId, { readonly abiJson: string; readonly abi: ContractAbi }>();

/** The interface of a contract, which was checked when it was deployed. A text is compared, since ids of two chains can be the same. */
export function contractInterface({ id, abiJson }: ContractRecord): ContractAbi {
  const known = kept.get(id);
  kept.delete(id);
  const abi = known?.abiJson === abiJson ? known.abi : (JSON.parse(abiJson) as ContractAbi);
  kept.set(id, { abiJson, abi });
  const [oldest] = kept.keys();
  if (kept.size > KEPT_INTERFACES && oldest !== undefined) kept.delete(oldest);
  return abi;
}
