// Processes for contracts inside the desktop app: a process of Electron can start no other one, so its shell does, and connects both by a port.
import type { ReadResponse } from "./read-messages.ts";
import { END, type Reader } from "./reader.ts";

/** The port of a process to the shell that started it. */
export interface ShellPort {
  on(event: "message", listener: (event: { readonly data: unknown; readonly ports: readonly ContractPort[] }) => void): unknown;
  postMessage(message: unknown): void;
}

/** The port between the node and a process for contracts. */
export interface ContractPort {
  on(event: "message", listener: (event: { readonly data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
}

interface RunningReader {
  connect(port: ContractPort): void;
  end(reason: string): void;
}

/** The shell's port, in a process that the shell started. */
export function shellPort(): ShellPort | undefined {
  return (process as { readonly parentPort?: ShellPort | null }).parentPort ?? undefined;
}

/** Starts processes by the shell: `contracts.start` and `contracts.kill` with an id; it answers `contracts.started` with a port, and `contracts.ended`. */
export class ShellReaders {
  readonly #shell: ShellPort;
  readonly #running = new Map<number, RunningReader>();
  #lastId = 0;

  constructor(shell: ShellPort) {
    this.#shell = shell;
    shell.on("message", ({ data, ports }) => this.#receive(data, ports));
  }

  /** A process that gets `start` as its first message. */
  start(start: object): Reader {
    this.#lastId += 1;
    const id = this.#lastId;
    let port: ContractPort | undefined;
    const waiting: unknown[] = [start];
    const responses: ((response: ReadResponse) => void)[] = [];
    const ends: ((error: unknown) => void)[] = [];
    this.#running.set(id, {
      connect: (connected): void => {
        port = connected;
        connected.on("message", ({ data }) => {
          for (const listener of responses) listener(data as ReadResponse);
        });
        connected.start();
        for (const message of waiting.splice(0)) connected.postMessage(message);
      },
      end: (reason): void => {
        const error = new Error(`The process for contracts ended on its own: ${reason}`);
        for (const listener of ends) listener(error);
      },
    });
    this.#shell.postMessage({ type: "contracts.start", id });
    const send = (message: unknown): void => {
      if (port === undefined) waiting.push(message);
      else port.postMessage(message);
    };
    return {
      post: (request): void => send(request ?? END),
      onResponse: (listener): void => void responses.push(listener),
      onEnd: (listener): void => void ends.push(listener),
      // The shell keeps the node alive until it asks for its end.
      holdProcess: (): void => undefined,
      kill: (): void => this.#shell.postMessage({ type: "contracts.kill", id }),
    };
  }

  #receive(data: unknown, ports: readonly ContractPort[]): void {
    if (typeof data !== "object" || data === null || !("type" in data) || !("id" in data) || typeof data.id !== "number") return;
    const reader = this.#running.get(data.id);
    const [port] = ports;
    if (data.type === "contracts.started" && port !== undefined) reader?.connect(port);
    if (data.type !== "contracts.ended") return;
    this.#running.delete(data.id);
    reader?.end("reason" in data && typeof data.reason === "string" ? data.reason : "no reason given");
  }
}
