// A closed loop of the same kind of request over some connections: by wrk where the system has it, else by this process.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "../../support/nodes/run-program.ts";
import { percentiles } from "../measure/statistics.ts";
import { httpRequest, withConnections } from "./raw-http.ts";

/** One request. */
export interface ReadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly json?: string;
}

/** What to ask, and how. */
export interface ReadLoad {
  readonly port: number;
  /** Asked in turn, from the first on. */
  readonly requests: readonly ReadRequest[];
  readonly connections: number;
  readonly seconds: number;
}

/** Outcome of a load. */
export interface ReadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const SCRIPT = fileURLToPath(new URL("wrk-requests.lua", import.meta.url));
const hasWrk = spawnSync("wrk", ["-v"]).error === undefined;

/** Name of the load generator, for the table. */
export const READ_CLIENT: string = hasWrk ? "wrk, one thread" : "sockets of Node.js";

/** Asks for the given time. @throws Error when a response was not a success. */
export async function readLoad(load: ReadLoad): Promise<ReadResult> {
  return hasWrk ? await loadByWrk(load) : await loadHere(load);
}

async function loadByWrk({ port, requests, connections, seconds }: ReadLoad): Promise<ReadResult> {
  const file = join(tmpdir(), `parley-wrk-${process.pid}.tsv`);
  writeFileSync(file, requests.map(({ method, path, json = "" }) => `${method}\t${path}\t${json}`).join("\n"));
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", SCRIPT, `http://127.0.0.1:${port}`, "--", file];
  const { code, stdout, stderr } = await runProgram("wrk", args, { timeoutMs: seconds * 1_000 + 30_000 });
  if (code !== 0) throw new Error(`wrk ended with ${code}: ${stderr}`);
  return parseWrk(stdout);
}

/** Figures of the line that the script of wrk writes. @throws Error without one, and when requests failed. */
export function parseWrk(output: string): ReadResult {
  const line = /^RESULT (\{.*\})$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk printed no result: ${output}`);
  const result = JSON.parse(line) as Readonly<Record<"requests" | "durationUs" | "failures" | "p50Us" | "p99Us", number>>;
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests failed`);
  return { perSecond: (result.requests * 1_000_000) / result.durationUs, p50: result.p50Us / 1_000, p99: result.p99Us / 1_000 };
}

async function loadHere({ port, requests, connections, seconds }: ReadLoad): Promise<ReadResult> {
  const raw = requests.map(({ method, path, json }) => httpRequest(method, path, json));
  const samples: number[] = [];
  let next = 0;
  const started = performance.now();
  const end = started + seconds * 1_000;
  await withConnections(port, connections, async (open) => {
    await Promise.all(
      open.map(async (connection) => {
        for (let now = performance.now(); now < end; ) {
          const { status, body } = await connection.send(raw[next++ % raw.length] as Buffer);
          if (status !== 200) throw new Error(`A read was answered with ${status}: ${body}`);
          const then = performance.now();
          samples.push(then - now);
          now = then;
        }
      }),
    );
  });
  return { ...percentiles(samples), perSecond: (samples.length / (performance.now() - started)) * 1_000 };
}
