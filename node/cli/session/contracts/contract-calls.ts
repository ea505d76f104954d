// Calls of contracts: the transaction of one, and what it logged once it is in a block.
import type { NodeClient } from "#shared/api/client.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { DEFAULT_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import type { ContractId, NativeContractName } from "#shared/protocol/transactions/contracts.ts";
import { wellKnownContract } from "../accounts/account-names.ts";
import { onOneLine } from "../printing/printable-line.ts";
import type { Details, Draft, Plan, Submitted } from "../submit.ts";

export interface ContractCall {
  readonly contractId: ContractId;
  readonly method: string;
  /** JSON list of the arguments, "" for none. */
  readonly argsJson: string;
  readonly amountUt?: AmountUt;
  readonly gasLimit?: number;
}

/** A call of a contract that the network brings along. */
export interface NativeCall extends Pick<ContractCall, "method" | "argsJson" | "amountUt"> {
  /** What it does, in words. */
  readonly what: string;
  /** Contract to use instead of the network's first one of that name. */
  readonly contractId?: ContractId;
}

const MAX_LOGS = 100;

/** The transaction of a call. */
export function draftOfCall({ contractId, method, argsJson, amountUt, gasLimit }: ContractCall): Draft {
  const payload = { contract_id: contractId, method, args_json: argsJson, gas_limit: gasLimit ?? DEFAULT_GAS_LIMIT };
  return { type: "CALL_CONTRACT", amount: amountUt ?? 0, payload };
}

/** Plan of a call of a native contract. @throws CodedError NOT_FOUND when the network has none of that name. */
export async function planNativeCall(client: NodeClient, name: NativeContractName, { what, ...call }: NativeCall): Promise<Plan> {
  const contractId = call.contractId ?? (await wellKnownContract(client, name));
  return { what, draft: draftOfCall({ ...call, contractId }), result: (submitted) => detailsOfCall(client, contractId, submitted) };
}

/** What a call logged, when it is in a block already. */
export async function detailsOfCall(client: NodeClient, contractId: ContractId, { id, block_index }: Submitted): Promise<Details> {
  if (block_index === undefined) return { fields: { contract_id: contractId } };
  const { logs } = await client.listContractLogs({ contractID: contractId, limit: MAX_LOGS });
  const messages = logs.filter((log) => log.tx_id === id).map((log) => log.message);
  messages.reverse();
  return { fields: { contract_id: contractId, logs: messages }, lines: messages.map((message) => `log  ${onOneLine(message)}`) };
}
