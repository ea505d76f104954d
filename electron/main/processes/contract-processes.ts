// Processes that run contracts for requests of the node, which cannot start any itself. What the engine does to its process it does to one of
// these, which holds no keys. Node and process talk over a port of their own; the shell sees nothing of it.
import type { MessageChannelMain, UtilityProcess, utilityProcess } from "electron";

export interface ContractProcessOptions {
  readonly utilityProcess: Pick<typeof utilityProcess, "fork">;
  readonly createChannel: () => MessageChannelMain;
  /** File of the program that runs contracts. */
  readonly entry: string;
}

/** One that works, and some that end: a node that asks for more gets none. */
const MOST_AT_ONCE = 4;
/** Heap of one, MiB; memories of contracts are beside it, within their own bounds. */
const HEAP = ["--max-old-space-size=256", "--max-semi-space-size=16"];

/** The processes of one node. */
export class ContractProcesses {
  readonly #node: Pick<UtilityProcess, "postMessage">;
  readonly #options: ContractProcessOptions;
  readonly #running = new Map<number, UtilityProcess>();

  constructor(node: Pick<UtilityProcess, "postMessage">, options: ContractProcessOptions) {
    this.#node = node;
    this.#options = options;
  }

  /** Takes a message of the node: `contracts.start` or `contracts.kill` with an id; others are not for it. */
  receive(message: unknown): void {
    if (typeof message !== "object" || message === null || !("type" in message) || !("id" in message)) return;
    const { type, id } = message;
    if (typeof id !== "number" || !Number.isSafeInteger(id)) return;
    if (type === "contracts.kill") end(this.#running.get(id));
    if (type === "contracts.start") this.#start(id);
  }

  /** The node has ended: nothing uses them any more. */
  stop(): void {
    for (const child of this.#running.values()) end(child);
  }

  #start(id: number): void {
    if (this.#running.has(id)) return;
    if (this.#running.size >= MOST_AT_ONCE) {
      this.#node.postMessage({ type: "contracts.ended", id, reason: "too many run at once" });
      return;
    }
    const { utilityProcess: processes, createChannel, entry } = this.#options;
    // An empty environment: it runs code of strangers.
    const child = processes.fork(entry, [], { serviceName: "Parley contracts", stdio: "ignore", env: {}, execArgv: [...HEAP] });
    this.#running.set(id, child);
    child.on("exit", (code) => {
      this.#running.delete(id);
      this.#node.postMessage({ type: "contracts.ended", id, reason: `exit code ${code}` });
    });
    const { port1, port2 } = createChannel();
    child.postMessage({ type: "connect" }, [port1]);
    this.#node.postMessage({ type: "contracts.started", id }, [port2]);
  }
}

/** At once: it may be in the middle of a call that never ends, and a signal that can be ignored would wait for that. */
function end(child: UtilityProcess | undefined): void {
  if (child?.pid === undefined) return void child?.kill();
  try {
    process.kill(child.pid, "SIGKILL");
  } catch {
    // It has ended, and its exit is on its way.
  }
}
