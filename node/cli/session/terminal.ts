// What a command sees of the outside: text out, prompts in, the network, time and randomness. Tests bring their own.
import type { Environment } from "#node/config/environment.ts";
import type { NodePlace } from "#node/config/files/running-nodes.ts";
import type { HttpFetch } from "#shared/api/client.ts";
import type { NodeEndpoint } from "#shared/desktop/local-endpoint.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import type { AddressBook } from "./names/address-book.ts";

/** Standard output, standard error and hidden prompts. */
export interface Terminal {
  /** Result of the command; a line feed is added. */
  out(line: string): void;
  /** Hint, warning or error; a line feed is added. */
  err(line: string): void;
  /** Shows what is being waited for, in a line that the next call replaces; undefined takes it away. Only on an interactive terminal. */
  progress(line: string | undefined): void;
  /** Asks for a secret without showing what is typed; undefined without an interactive terminal. */
  askSecret(prompt: string): Promise<string | undefined>;
  /** Lines of standard input, each after the prompt on an interactive terminal, until it ends. */
  readLines?(prompt: string): AsyncIterable<string>;
}

/** Everything that commands are given. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly fetch: HttpFetch;
  /** Running nodes of this user: that of a place, or those of the usual ones. */
  readonly ownNodes?: (place: NodePlace) => readonly NodeEndpoint[];
  /** Names that this user gave to accounts; undefined for none. */
  readonly addressBook?: AddressBook;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Runs the agent's program, a process of its own; resolves with its exit code. */
  readonly runAgent?: (request: object) => Promise<number>;
  readonly pause: (delayMs: number) => Promise<void>;
}
