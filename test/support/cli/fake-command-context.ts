// The surroundings of a command line program in memory: collects what it prints, answers its questions.
import { randomBytes } from "node:crypto";
import type { AddressBook } from "#node/cli/session/names/address-book.ts";
import type { CommandContext } from "#node/cli/session/terminal.ts";
import type { Environment } from "#node/config/environment.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import type { NodeEndpoint } from "#shared/desktop/local-endpoint.ts";

/** A context with what was printed so far. */
export interface FakeCommandContext extends CommandContext {
  readonly out: string[];
  readonly err: string[];
  /** Lines that named what was waited for. */
  readonly progress: string[];
}

/** What the program finds. */
export interface FakeSurroundings {
  readonly environment?: Partial<Environment>;
  /** Answers to its questions, in order; none means that no person is there. */
  readonly answers?: readonly string[];
  /** The node; unreachable by default. */
  readonly fetch?: HttpFetch;
  /** Nodes of the same user that run. */
  readonly ownNodes?: readonly NodeEndpoint[];
  /** Names of accounts; none by default. */
  readonly addressBook?: AddressBook;
  readonly nowMs?: number;
}

/** Fresh surroundings. */
export function fakeCommandContext(surroundings: FakeSurroundings = {}): FakeCommandContext {
  const out: string[] = [];
  const err: string[] = [];
  const progress: string[] = [];
  const answers = [...(surroundings.answers ?? [])];
  let monotonicMs = 0;
  return {
    out,
    err,
    progress,
    terminal: {
      out: (line) => void out.push(line),
      err: (line) => void err.push(line),
      progress: (line): void => {
        if (line !== undefined) progress.push(line);
      },
      askSecret: async () => answers.shift(),
      readLines: async function* (): AsyncIterable<string> {
        for (let line = answers.shift(); line !== undefined; line = answers.shift()) yield line;
      },
    },
    environment: { isLaunched: false, ...surroundings.environment },
    fetch: surroundings.fetch ?? unreachable,
    ownNodes: () => surroundings.ownNodes ?? [],
    ...(surroundings.addressBook === undefined ? {} : { addressBook: surroundings.addressBook }),
    clock: { nowMs: () => surroundings.nowMs ?? 1_767_225_600_000, monotonicMs: () => monotonicMs },
    random: (length): Uint8Array => new Uint8Array(randomBytes(length)),
    pause: async (delayMs): Promise<void> => {
      monotonicMs += delayMs;
    },
  };
}

function unreachable(): Promise<never> {
  return Promise.reject(new TypeError("fetch failed"));
}
