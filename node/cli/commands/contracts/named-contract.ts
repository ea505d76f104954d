// What the commands about a deployed contract share: the contract by its name, its ABI, and its calls.
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { type ContractAbi, type ContractId, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import type { NamesOptions } from "../../session/contracts/names-option.ts";
import { contractIdOf } from "../../session/names/contract-names.ts";

/** A contract on the chain of a node. */
export interface NamedContract {
  /** As it was given. */
  readonly name: string;
  readonly id: ContractId;
  readonly abi: ContractAbi;
}

/** A call that a person wrote. */
export interface WrittenCall {
  readonly method: string;
  readonly argsJson: string;
}

export const CONTRACT_ARGUMENT = "its name, its id, or a native contract's name";

/** The contract of a name or an id. @throws CodedError NOT_FOUND */
export async function findContract(client: NodeClient, name: string, { names }: NamesOptions): Promise<NamedContract> {
  const id = await contractIdOf(client, name, names);
  const { abi_json } = await client.getContract({ contractID: id });
  const abi = parseContractAbi(abi_json);
  if (abi === undefined) throw new CodedError("UPSTREAM_FAILED", `The node sent no ABI of ${name}`);
  return { name, id, abi };
}

/** What a view returns. @throws CodedError TX_REJECTED with the reason. */
export async function askView(
  client: NodeClient,
  { id }: NamedContract,
  { method, argsJson, from }: WrittenCall & { readonly from: string | undefined },
): Promise<Output<"callView">> {
  const asking = from === undefined ? {} : { from };
  return succeeded(await client.callView({ contractID: id, body: { method, args_json: argsJson, ...asking } }));
}

/** A trial of a call, before anything is signed or paid. @throws CodedError TX_REJECTED with the reason. */
export async function tryCall(
  client: NodeClient,
  { id }: NamedContract,
  { method, argsJson, from, amount }: WrittenCall & { readonly from: string; readonly amount?: AmountUt | undefined },
): Promise<Output<"estimateCall">> {
  const attached = amount === undefined ? {} : { amount_ut: amount };
  return succeeded(await client.estimateCall({ contractID: id, body: { method, args_json: argsJson, from, ...attached } }));
}

/** @throws CodedError with the contract's reason. */
export function succeeded<T extends Output<"callView">>(outcome: T): T {
  if (outcome.status === "ok") return outcome;
  throw new CodedError("TX_REJECTED", `The call would fail: ${outcome.reason}`);
}
