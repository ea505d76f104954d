// What a thread notices of the engine that runs its contracts: calls at which it failed, and modules at which it ended a process.

import type { VmOptions } from "#node/vm/contract-vm.ts";
import type { Log } from "./log.ts";
import { type MarkingThread, type OpenedRunMarks, openRunMarks } from "./run-mark-files.ts";

export interface ContractWatch extends Required<Pick<VmOptions, "marks" | "onFault">> {
  readonly marks: OpenedRunMarks;
  /** Failures since the start. */
  readonly faults: number;
}

/** Opens the marks of a thread; its machines are given what comes back. @throws CodedError STORAGE_FULL or STORAGE_UNWRITABLE */
export function openContractWatch(directory: string, thread: MarkingThread, log?: Log): ContractWatch {
  const marks = openRunMarks(directory, thread);
  for (const { moduleHash, txId } of marks.found)
    log?.warn(
      { module: moduleHash, ...(txId === "" ? {} : { txid: txId }) },
      "The node ended while a contract ran: its module is interpreted from now on, and the transaction is not taken in again",
    );
  let faults = 0;
  return {
    marks,
    get faults(): number {
      return faults;
    },
    onFault: (error): void => {
      faults += 1;
      log?.error({ err: error }, "The engine failed at a contract, which is interpreted instead");
    },
  };
}
