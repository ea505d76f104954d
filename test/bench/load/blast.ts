// Transfers as fast as a server takes them, until the last of each connection is final. The same load for every kind of server.
import { setTimeout as delay } from "node:timers/promises";
import { type HttpConnection, type HttpResponse, withConnections } from "./raw-http.ts";

/** Signed transfers for a server, and how it tells what became of them. */
export interface Blast {
  readonly port: number;
  /** Submissions of each connection, sent one after the other. */
  readonly submissions: readonly (readonly Buffer[])[];
  /** Whether a submission was taken; "later" sends it again. @throws Error for a refusal. */
  readonly outcome: (response: HttpResponse) => "taken" | "later";
  /** Request about the last transfer of each connection, asked every 2 ms. */
  readonly requests: readonly Buffer[];
  readonly isFinal: (response: HttpResponse) => boolean;
}

/** Outcome of a blast. */
export interface BlastResult {
  readonly perSecond: number;
  readonly count: number;
  /** Part of the time until all were taken, not yet final. */
  readonly submittedPerSecond: number;
  /** Submissions that were sent again because the server was full. */
  readonly retries: number;
}

const REQUEST_INTERVAL_MS = 2;
const RETRY_AFTER_MS = 5;
const TIMEOUT_MS = 120_000;

/** Sends everything and waits until all of it is final. @throws Error after two minutes. */
export async function blast(load: Blast): Promise<BlastResult> {
  const count = load.submissions.reduce((sum, list) => sum + list.length, 0);
  return await withConnections(load.port, load.submissions.length, async (connections) => {
    const started = performance.now();
    const retries = await Promise.all(connections.map((connection, i) => submitAll(connection, load, load.submissions[i] ?? [])));
    const submitted = performance.now();
    await Promise.all(connections.map((connection, i) => untilFinal(connection, load, load.requests[i])));
    const elapsed = performance.now() - started;
    return {
      perSecond: (count / elapsed) * 1_000,
      count,
      submittedPerSecond: (count / (submitted - started)) * 1_000,
      retries: retries.reduce((sum, n) => sum + n, 0),
    };
  });
}

async function submitAll(connection: HttpConnection, { outcome }: Blast, submissions: readonly Buffer[]): Promise<number> {
  let retries = 0;
  for (const submission of submissions) {
    while (outcome(await connection.send(submission)) === "later") {
      retries += 1;
      await delay(RETRY_AFTER_MS);
    }
  }
  return retries;
}

async function untilFinal(connection: HttpConnection, { isFinal }: Blast, request: Buffer | undefined): Promise<void> {
  if (request === undefined) return;
  const deadline = performance.now() + TIMEOUT_MS;
  while (!isFinal(await connection.send(request))) {
    if (performance.now() > deadline) throw new Error("The transfers did not become final in time");
    await delay(REQUEST_INTERVAL_MS);
  }
}

/** Sends submissions at an even pace until the returned function is called, which gives how many were taken. */
export function pacedLoad(load: Blast, perSecond: number): () => Promise<number> {
  let isRunning = true;
  let taken = 0;
  const submissions = load.submissions.flat();
  const ended = withConnections(load.port, load.submissions.length, async (connections) => {
    const started = performance.now();
    let next = 0;
    await Promise.all(
      connections.map(async (connection) => {
        while (isRunning && next < submissions.length) {
          const at = next++;
          const early = started + (at * 1_000) / perSecond - performance.now();
          if (early > 1) await delay(early);
          if (load.outcome(await connection.send(submissions[at] as Buffer)) === "taken") taken += 1;
        }
      }),
    );
  });
  return async () => {
    isRunning = false;
    await ended;
    return taken;
  };
}
