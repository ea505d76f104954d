// Entry of the thread that stores a chain that is being made: many blocks in one transaction, in which each record of the state and each page
// of its tree is written once, in the order of the table. What is old enough is sealed before the next ones.
import { parentPort, workerData } from "node:worker_threads";
import type { StateChange } from "#node/ledger/state-view.ts";
import type { PageChange } from "#node/state/state-tree.ts";
import { type BlockMessage, blockOfMessage } from "#node/storage/chain/block-message.ts";
import type { WriterSetting } from "#node/storage/chain/block-writer.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { writeBlocks } from "#node/storage/chain/stored-block.ts";
import { toLatin1 } from "#shared/util/bytes.ts";
import { sealGenerated } from "./seal-generated.ts";

/** A block, and whether all that came so far are to be durable now; undefined ends the thread. */
export type StoreRequest = { readonly message: BlockMessage; readonly isLast: boolean } | undefined;

/** Enough for the tables of some million accounts: rows of a batch are everywhere in them. */
const CACHE_KIB = 2_097_152;

const { directory, identity } = workerData as WriterSetting;
const database = openChainDatabase(directory, identity, undefined, CACHE_KIB);
let waiting: BlockMessage[] = [];

parentPort?.on("message", (request: StoreRequest) => {
  if (request === undefined) {
    database.close();
    parentPort?.close();
    return;
  }
  waiting.push(request.message);
  if (!request.isLast) return;
  store(waiting);
  waiting = [];
  parentPort?.postMessage("stored");
});

function store(messages: readonly BlockMessage[]): void {
  const records = new Map<string, StateChange>();
  const pages = new Map<string, PageChange>();
  const apply = (changes: readonly StateChange[], changedPages: readonly PageChange[]): void => {
    for (const change of changes) records.set(`${change.namespace}\0${toLatin1(change.key)}`, change);
    for (const page of changedPages) pages.set(page.prefix, page);
  };
  database.inTransaction(() => {
    writeBlocks({ ...database, state: { apply } }, messages.map(blockOfMessage));
    database.state.apply(sorted(records), sorted(pages));
  });
  sealGenerated(database.file);
}

function sorted<T>(values: ReadonlyMap<string, T>): readonly T[] {
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
