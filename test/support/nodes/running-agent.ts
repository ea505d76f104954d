// A real agent at a real node: its two processes, its commands, and a program that it lets in.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseLocalEndpoint } from "#shared/desktop/local-endpoint.ts";
import { endWithTests } from "../host/end-with-tests.ts";
import { pollUntil } from "../host/poll-until.ts";
import { cleanEnvironment, type ProgramResult, projectRoot, runParley } from "./run-program.ts";

export const AGENT_PASSWORD = "correct horse battery staple";
const START_MS = 90_000;
const ORDER_MS = 60_000;

/** Status and JSON of a response. */
export interface AgentResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An event as it came. */
export type AgentEvent = Readonly<Record<"cursor" | "type", string>> & Readonly<Record<string, unknown>>;

/** One agent with a folder of its own. */
export class RunningAgent implements AsyncDisposable {
  readonly dir: string;
  readonly nodeUrl: string;
  address = "";
  publicKey = "";
  #child: ChildProcess | undefined;
  #log = "";

  constructor(dir: string, nodeUrl: string) {
    this.dir = dir;
    this.nodeUrl = nodeUrl;
  }

  /** Makes the folder with an identity of its own; `faucet` funds the address before the keys are published. */
  async init(faucet: (address: string) => Promise<void>): Promise<void> {
    writeFileSync(this.#passwordFile, `${AGENT_PASSWORD}\n`, { mode: 0o600 });
    const made = await this.command(["init", "--phrase-out", `${this.dir}.phrase`]);
    ({ address: this.address, publicKey: this.publicKey } = JSON.parse(made.stdout));
    await faucet(this.address);
    await this.command(["publish", "--node", this.nodeUrl]);
  }

  /** Runs one of its commands. @throws Error with what it said unless it ends with 0. */
  async command(args: readonly string[]): Promise<ProgramResult> {
    const result = await this.attempt(args);
    if (result.code !== 0) throw new Error(`agent ${args.join(" ")} ended with ${result.code}: ${result.stderr}`);
    return result;
  }

  attempt([name = "", ...rest]: readonly string[]): Promise<ProgramResult> {
    return runParley(["agent", name, "--dir", this.dir, "--password-file", this.#passwordFile, "--json", ...rest]);
  }

  /** Lets a program in; resolves with its token. */
  async allow(name: string, scopes: readonly string[], chosen: readonly string[] = []): Promise<string> {
    const out = `${this.dir}.${name}.token`;
    const lists = [...scopes.flatMap((scope) => ["--scope", scope]), ...chosen.flatMap((who) => ["--chosen", who])];
    await this.command(["allow", "--node", this.nodeUrl, "--name", name, "--out", out, ...lists]);
    return readFileSync(out, "utf8").trim();
  }

  /** Starts it and waits until it serves. */
  async start(unlock: "messages" | "wallet" = "wallet", more: Readonly<Record<string, string>> = {}): Promise<void> {
    const asked = { command: "run", dir: this.dir, passwordFile: this.#passwordFile, json: true, unlock, node: this.nodeUrl, ...more };
    const child = spawn(process.execPath, [join(projectRoot, "agent/main.ts"), JSON.stringify(asked)], {
      cwd: projectRoot,
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    endWithTests(child);
    this.#child = child;
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      out += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#log += chunk;
    });
    await pollUntil(
      () => {
        if (child.exitCode !== null) throw new Error(`The agent ended: ${this.#log}`);
        return out.includes("socket");
      },
      { timeoutMs: START_MS, what: "the agent to serve" },
    );
  }

  /** Everything that it wrote to standard error. */
  get log(): string {
    return this.#log;
  }

  /** Id of the process that has the network. */
  get networkPid(): number {
    return this.#endpoint()?.pid ?? 0;
  }

  /** Ends one of its processes at once: with the keys' process the other one ends by itself. */
  async kill(which: "keys" | "network"): Promise<void> {
    const child = this.#child;
    const networkPid = await pollUntil(() => isRunning(this.networkPid) && this.networkPid, { what: "the network's process to serve" });
    if (which === "network") return void process.kill(networkPid, "SIGKILL");
    child?.kill("SIGKILL");
    if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await pollUntil(() => !isRunning(networkPid), { what: "the network's process to end" });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Asks it as a program. Rejects while it does not serve. */
  async send(path: string, { method = "GET", token, body }: { method?: string; token: string; body?: unknown }): Promise<AgentResponse> {
    const sent = this.#open(path, method, token);
    const { promise, resolve, reject } = Promise.withResolvers<AgentResponse>();
    sent.on("error", reject).on("response", (response) => {
      text(response).then((received) => resolve({ status: response.statusCode ?? 0, body: JSON.parse(received) }), reject);
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return await promise;
  }

  /** An order that is sent again while the agent reads its history, is away, or says that this was too fast. Give it a fixed end. */
  order(path: string, token: string, body: { readonly idempotency_key: string; readonly [name: string]: unknown }): Promise<AgentResponse> {
    return pollUntil(
      async () => {
        const response = await this.send(path, { method: "POST", token, body });
        return response.status !== 503 && response.status !== 429 && response;
      },
      { timeoutMs: ORDER_MS, intervalMs: 500, what: body.idempotency_key },
    );
  }

  /** Resolves with everything that it wrote to standard error once it has ended by itself. */
  async ended(): Promise<string> {
    const child = this.#child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return this.#log;
  }

  /** Reads events until a condition holds; the connection may end before, and is opened again behind the last one. */
  async eventsUntil(token: string, isEnough: (events: readonly AgentEvent[]) => boolean): Promise<readonly AgentEvent[]> {
    const events: AgentEvent[] = [];
    await pollUntil(
      async () => {
        const cursor = events.at(-1)?.cursor;
        await this.#readEvents(token, cursor, (event) => {
          events.push(event);
          return isEnough(events);
        });
        return isEnough(events);
      },
      { timeoutMs: START_MS, what: "the events" },
    );
    return events;
  }

  async #readEvents(token: string, cursor: string | undefined, onEvent: (event: AgentEvent) => boolean): Promise<void> {
    const sent = this.#open(`/apps/v1/events${cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`}`, "GET", token);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    sent.on("error", reject).on("response", (response) => {
      let received = "";
      response.setEncoding("utf8").on("error", () => resolve());
      response.on("close", () => resolve());
      response.on("data", (chunk: string) => {
        received += chunk;
        const frames = received.split("\n\n");
        received = frames.pop() ?? "";
        for (const frame of frames) {
          const data = /^data: (.*)$/m.exec(frame)?.[1];
          if (data !== undefined && onEvent(JSON.parse(data))) sent.destroy();
        }
      });
    });
    sent.end();
    await promise;
  }

  #open(path: string, method: string, token: string): ReturnType<typeof request> {
    const socketPath = this.#endpoint()?.apps?.socket;
    if (socketPath === undefined) throw new Error("The agent does not serve");
    const headers = { host: "parley", authorization: `Bearer ${token}`, "content-type": "application/json" };
    return request({ socketPath, path, method, agent: false, headers });
  }

  #endpoint(): ReturnType<typeof parseLocalEndpoint> {
    const path = join(this.dir, "endpoint.json");
    return existsSync(path) ? parseLocalEndpoint(readFileSync(path, "utf8")) : undefined;
  }

  get #passwordFile(): string {
    return `${this.dir}.password`;
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
