// What answers reads beside the main thread of a full node: a thread for large ones, a process for those that run contracts.
import { type HeavyReads, runsContracts } from "#node/api/heavy-operations.ts";
import type { DataFolder } from "#node/config/files/data-folder.ts";
import { systemClock } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import { type ContractProcess, createContractProcess } from "./contract-process.ts";
import { createReadThread, type ReadThread } from "./read-thread.ts";
import { type Reader, startReadWorker } from "./reader.ts";
import { ShellReaders, shellPort } from "./shell-readers.ts";

/** The thread for large reads; nothing is started yet. */
export function openReadThread(directory: string, onError: (error: unknown) => void): ReadThread {
  return createReadThread({ start: () => startReadWorker(readWorkerFile(), directory), clock: systemClock, onError });
}

/** The process for contracts; nothing is started yet. Where the desktop's shell started this process, it starts that one as well. */
export function openContractProcess({ paths, genesis }: Pick<DataFolder, "paths" | "genesis">, log: Log, isLight = false): ContractProcess {
  const network = { chainId: genesis.chain_id, params: genesis.params };
  const shell = shellPort();
  const readers = shell === undefined ? undefined : new ShellReaders(shell);
  return createContractProcess({
    directory: paths.root,
    network,
    isLight,
    clock: systemClock,
    log: log.child("contracts"),
    ...(readers === undefined ? {} : { start: (start): Reader => readers.start(start) }),
  });
}

/** Reads by whom they are answered. */
export function heavyReads(reads: ReadThread, contracts: ContractProcess): HeavyReads {
  return {
    read: (operation, input, caller) => (runsContracts(operation) ? contracts : reads).read(operation, input, caller),
    readEvents: (position, caller) => reads.readEvents(position, caller),
  };
}

/** The thread beside this module: its source, or what a bundle made of it. */
function readWorkerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./read-worker.ts" : "./read-worker.mjs", import.meta.url);
}
