// Entry of the thread that answers heavy reads: a connection of its own that can only read, one request at a time, each within one
// snapshot, so that a response never mixes two blocks.
import { parentPort, workerData } from "node:worker_threads";
import { readEventChunk } from "#node/api/events/event-chunk.ts";
import type { HeavyOperation } from "#node/api/heavy-operations.ts";
import { writeExactJson } from "#node/api/json/exact-json.ts";
import { createReadHandlers } from "#node/api/reads/heavy-reads.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { systemClock } from "#node/config/system-clock.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import { openContractWatch } from "#node/observability/contract-watch.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { SnapshotReads } from "#node/sync/snapshots/snapshot-reads.ts";
import { threadFailure } from "#shared/errors/thread-failure.ts";
import type { ReadRequest, ReadResponse } from "./read-messages.ts";

type AnyHandler = (input: unknown) => unknown;

const reader = openChainReader(workerData as string);
const watch = openContractWatch(workerData as string, "reads");
const handlers = createReadHandlers(createReadQueries(reader, systemClock, watch)) as unknown as Readonly<
  Record<HeavyOperation, AnyHandler>
>;
const light = new LightReads(reader);
const snapshots = new SnapshotReads(dataFolderPaths(workerData as string).snapshots, reader.blocks);
let inTurn: Promise<void> = Promise.resolve();

parentPort?.on("message", (request: ReadRequest) => {
  inTurn = inTurn.then(async () => {
    if (request !== undefined) {
      const response = await responseOf(request);
      parentPort?.postMessage(
        response,
        "chunk" in response && response.chunk !== undefined ? [response.chunk.bytes.buffer as ArrayBuffer] : [],
      );
      return;
    }
    snapshots.close();
    reader.close();
    watch.marks.close();
    parentPort?.close();
  });
});

async function responseOf(request: NonNullable<ReadRequest>): Promise<ReadResponse> {
  const { id } = request;
  try {
    if ("events" in request) return { id, chunk: await reader.inSnapshot(async () => readEventChunk(reader, request.events)) };
    if ("light" in request) return { id, bytes: await reader.inSnapshot(async () => light.respond(request.light)) };
    if ("snapshot" in request) return { id, bytes: await reader.inSnapshot(async () => snapshots.respond(request.snapshot)) };
    if (!("operation" in request))
      throw new TypeError("Transactions are tried out in the process for contracts, or where they are submitted");
    const { operation, input, isExact } = request;
    const response = await reader.inSnapshot(async () => handlers[operation](input));
    return { id, text: isExact ? writeExactJson(response) : JSON.stringify(response) };
  } catch (error) {
    return { id, ...threadFailure(error) };
  }
}
