// Entry of the thread that writes large blocks: a connection of its own, one transaction a call, a response when all of it is durable.
import { parentPort, workerData } from "node:worker_threads";
import { threadFailure } from "#shared/errors/thread-failure.ts";
import { blockOfMessage } from "./block-message.ts";
import type { WriterRequest, WriterResponse, WriterSetting } from "./block-writer.ts";
import { openChainDatabase } from "./chain-database.ts";
import { writeBlocks } from "./stored-block.ts";

const { directory, identity } = workerData as WriterSetting;
const database = openChainDatabase(directory, identity);
const response = (message: WriterResponse): void => parentPort?.postMessage(message);

parentPort?.on("message", (request: WriterRequest) => {
  if (request === undefined) {
    database.release();
    parentPort?.close();
    return;
  }
  response(write(request));
});
response("ready");

function write({ messages, hasOthers }: NonNullable<WriterRequest>): WriterResponse {
  try {
    if (hasOthers) database.explorer.history.forget();
    database.inTransaction(() => writeBlocks(database, messages.map(blockOfMessage)));
    return "written";
  } catch (error) {
    return threadFailure(error);
  }
}
