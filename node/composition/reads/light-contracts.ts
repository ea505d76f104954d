// Contracts of a light node: run by its process for contracts, which is given what the node has proven.
import { type HeavyCaller, type HeavyOperation, type HeavyReads, runsContracts } from "#node/api/heavy-operations.ts";
import { JsonText } from "#node/api/json/json-text.ts";
import { createContractCallHandlers } from "#node/api/routes/contracts/contract-calls.ts";
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import { LightCalls, type RunPass } from "#node/light/queries/light-calls.ts";
import type { ModuleTrials } from "#node/light/queries/light-pool.ts";
import type { ProvenReads } from "#node/light/reads/proven-reads.ts";
import type { ContractQueries } from "#node/queries/read-queries.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Timers } from "#shared/util/clock.ts";
import type { ContractProcess } from "./contract-process.ts";

type AnyHandler = (input: unknown) => unknown;

/** What contracts of a light node are run with. */
export interface LightContracts {
  readonly reads: ProvenReads;
  readonly contracts: ContractQueries;
  readonly process: ContractProcess;
  readonly timers: Timers;
}

/** Calls for requests, of each caller in turn, with the gas that it took to find out what they need. */
export function lightContractReads({ reads, contracts, process, timers }: LightContracts): HeavyReads {
  return {
    answers: runsContracts,
    searchGas: LIGHT_LIMITS.searchGas,
    read: async (operation: HeavyOperation, input: unknown, caller?: HeavyCaller): Promise<JsonText> => {
      const ofOne = caller === undefined ? undefined : new CallerOfPasses(caller);
      const runPass: RunPass = (call) => {
        ofOne?.check();
        return process.runPass(call, ofOne);
      };
      const calls = new LightCalls(reads, runPass, timers);
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

/** A caller of many passes: its connection is listened to once, and no pass is run for one that is gone. */
class CallerOfPasses implements HeavyCaller {
  readonly isOwn: boolean;
  readonly address?: string;
  #hasHungUp = false;
  #drop = (): void => undefined;

  constructor(caller: HeavyCaller) {
    this.isOwn = caller.isOwn ?? false;
    if (caller.address !== undefined) this.address = caller.address;
    caller.onHangUp(() => {
      this.#hasHungUp = true;
      this.#drop();
    });
  }

  /** @throws CodedError when nothing waits for the next pass any more */
  check(): void {
    if (this.#hasHungUp) throw new CodedError("UNAVAILABLE", "The client hung up");
  }

  /** Of one pass at a time. */
  onHangUp(listener: () => void): void {
    this.#drop = listener;
  }
}
