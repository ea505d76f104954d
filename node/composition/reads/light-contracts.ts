// Contracts of a light node: run by its process for contracts, which is given what the node has proven.
import { type HeavyCaller, type HeavyOperation, type HeavyReads, runsContracts } from "#node/api/heavy-operations.ts";
import { JsonText } from "#node/api/json-text.ts";
import { createContractCallHandlers } from "#node/api/routes/contracts/contract-calls.ts";
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import { LightCalls } from "#node/light/queries/light-calls.ts";
import type { ModuleTrials } from "#node/light/queries/light-pool.ts";
import type { ProvenReads } from "#node/light/reads/proven-reads.ts";
import type { ContractQueries } from "#node/queries/read-queries.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { ContractProcess } from "./contract-process.ts";

type AnyHandler = (input: unknown) => unknown;

/** Calls for requests, of each caller in turn, with the gas that it took to find out what they need. */
export function lightContractReads(reads: ProvenReads, contracts: ContractQueries, process: ContractProcess): HeavyReads {
  return {
    answers: runsContracts,
    searchGas: LIGHT_LIMITS.searchGas,
    read: async (operation: HeavyOperation, input: unknown, caller?: HeavyCaller): Promise<JsonText> => {
      const calls = new LightCalls(reads, (call) => process.runPass(call, caller));
      const handlers = createContractCallHandlers({ contracts, calls }) as unknown as Readonly<Record<HeavyOperation, AnyHandler>>;
      return new JsonText(JSON.stringify(await handlers[operation](input)), calls.searchGas);
    },
  };
}

/** Trials of transactions that this node is handed. */
export function lightTrials(calls: LightCalls, process: ContractProcess): ModuleTrials {
  return {
    problemOf: (tx: Transaction, nowMs: number): Promise<TransactionProblem | undefined> =>
      process.problemByPasses(tx, () => calls.problemOf(tx, nowMs)),
    isRefused: (txId) => process.isRefused(txId),
  };
}
