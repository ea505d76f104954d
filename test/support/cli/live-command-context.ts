// The command line in this process against a real node: collects what it prints, waits in real time.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { runCommandLine } from "#node/cli/program.ts";
import { runningNodes } from "#node/config/files/running-nodes.ts";
import type { HttpFetch } from "#shared/api/client.ts";

/** What a command left behind. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one client command, with lines that a person types. Key files must be plain. */
export async function runCommand(args: readonly string[], lines: readonly string[] = []): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const liveFetch: HttpFetch = (url, init) => fetch(url, init as RequestInit);
  const code = await runCommandLine(
    args,
    {
      terminal: {
        out: (line) => void out.push(line),
        err: (line) => void err.push(line),
        progress: () => undefined,
        askSecret: async () => undefined,
        readLines: async function* (): AsyncIterable<string> {
          yield* lines;
        },
      },
      environment: { isLaunched: false },
      fetch: liveFetch,
      ownNodes: (place) => (place.dataDir === undefined && place.endpointFile === undefined ? [] : runningNodes(place)),
      clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
      random: (length): Uint8Array => new Uint8Array(randomBytes(length)),
      pause: (delayMs) => delay(delayMs),
    },
    () => Promise.reject(new Error("no node was asked for")),
  );
  return { code, stdout: out.join("\n"), stderr: err.join("\n") };
}
