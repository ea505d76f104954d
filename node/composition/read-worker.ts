// Entry of the thread that answers heavy reads: a connection of its own that can only read, one question at a time, each within one
// snapshot, so that an answer never mixes two blocks.
import { parentPort, workerData } from "node:worker_threads";
import { writeExactJson } from "#node/api/exact-json.ts";
import type { HeavyOperation } from "#node/api/heavy-operations.ts";
import { createReadHandlers } from "#node/api/reads/heavy-reads.ts";
import { systemClock } from "#node/config/system-clock.ts";
import { createReadQueries } from "#node/explorer/queries/read-queries.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ReadAnswer, ReadQuestion } from "./read-thread.ts";

type AnyHandler = (input: unknown) => unknown;

const reader = openChainReader(workerData as string);
const handlers = createReadHandlers(createReadQueries(reader, systemClock)) as unknown as Readonly<Record<HeavyOperation, AnyHandler>>;
const light = new LightReads(reader);
let inTurn: Promise<void> = Promise.resolve();

parentPort?.on("message", (question: ReadQuestion) => {
  inTurn = inTurn.then(async () => {
    if (question !== undefined) {
      parentPort?.postMessage(await answerOf(question));
      return;
    }
    reader.close();
    parentPort?.close();
  });
});

async function answerOf(question: NonNullable<ReadQuestion>): Promise<ReadAnswer> {
  const { id } = question;
  try {
    if ("light" in question) return { id, bytes: await reader.inSnapshot(async () => light.answer(question.light)) };
    const { operation, input, isExact } = question;
    const answer = await reader.inSnapshot(async () => handlers[operation](input));
    return { id, text: isExact ? writeExactJson(answer) : JSON.stringify(answer) };
  } catch (error) {
    return error instanceof CodedError ? { id, code: error.code, message: error.message } : { id, failure: error };
  }
}
