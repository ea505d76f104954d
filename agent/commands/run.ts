// parley agent run: this process has the keys and no network; one that it starts has the network and no keys. That one is started again when
// it ends by itself, and never outlives this one.
import { type ChildProcess, fork } from "node:child_process";
import type { Terminal } from "#node/cli/session/terminal.ts";
import { bareEnvironment } from "#node/config/environment.ts";
import type { AppsApi, AppsEvent } from "#shared/apps/messages/apps-api.ts";
import { type MethodServer, serveMethods } from "#shared/apps/messages/method-port.ts";
import { APPS_METHODS } from "#shared/apps/messages/port-shapes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import { type AgentKeyring, openAgentKeyring } from "../keyring/agent-keyring.ts";
import { serveControl } from "../keyring/control.ts";
import { createGrants } from "../keyring/grants.ts";
import { messengerPort } from "../keyring/messenger-port.ts";
import { type FromNetwork, type NetworkStart, type ProcessChannel, rolePort } from "../process-messages.ts";
import { neverLock } from "./init.ts";

/** How it runs. */
export interface RunAgentOptions {
  readonly dir: string;
  readonly unlock: "messages" | "wallet";
  readonly start: Omit<NetworkStart, "folder">;
  readonly terminal: Pick<Terminal, "out" | "err">;
  readonly isJson: boolean;
  /** Resolves when the agent is to end. */
  readonly ended: Promise<void>;
}

/** Starts in a row without serving, after which the agent gives up. */
const MAX_STARTS = 5;
const FIRST_RETRY_MS = 500;
const STOP_MS = 5_000;

/** Runs until it is to end. @throws CodedError of the folder, the vault and the process for the network. */
export async function runAgent(options: RunAgentOptions, askPassword: () => Promise<string>): Promise<void> {
  const agent = await openAgentKeyring(options.dir);
  try {
    const password = await askPassword();
    const { account } = await agent.keyring.unlock({ password });
    if (account === null) throw new CodedError("INVARIANT", "An open vault has no account");
    await neverLock(agent, password);
    if (options.unlock === "messages") await agent.keyring.lockWallet();
    const stopControl = await serveControl(options.dir, options.start.runtimeDir, createGrants(agent));
    try {
      await new NetworkProcess(agent, options).run();
    } finally {
      stopControl();
    }
  } finally {
    await agent.close();
  }
}

/** The other process, over its restarts. */
class NetworkProcess {
  readonly #agent: AgentKeyring;
  readonly #options: RunAgentOptions;
  #gateway: MethodServer<AppsEvent> | undefined;
  #failedStarts = 0;
  #isEnding = false;

  constructor(agent: AgentKeyring, options: RunAgentOptions) {
    this.#agent = agent;
    this.#options = options;
    agent.onAppsEvent((event) => this.#gateway?.emit(event));
  }

  async run(): Promise<void> {
    const { ended } = this.#options;
    void ended.then(() => {
      this.#isEnding = true;
    });
    while (!this.#isEnding) {
      await this.#runOnce();
      if (this.#isEnding) return;
      this.#failedStarts += 1;
      if (this.#failedStarts >= MAX_STARTS) throw new CodedError("UNAVAILABLE", "The agent's process for the network ends again and again");
      await Promise.race([pause(FIRST_RETRY_MS * 2 ** this.#failedStarts), ended]);
    }
  }

  /** From a start to its end. @throws CodedError when it says why it cannot serve. */
  async #runOnce(): Promise<void> {
    const { dir, start, ended } = this.#options;
    const child = fork(networkProgram(), [], {
      serialization: "advanced",
      env: bareEnvironment(),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const exit = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => resolve());
    });
    const channel = channelOf(child);
    const stopKeyring = serveKeyring(messengerPort(rolePort(channel, "keyring")), this.#agent.keyring, (raw) =>
      Promise.resolve(raw.slice()),
    );
    const gateway = serveMethods<AppsApi, AppsEvent>(rolePort(channel, "apps"), APPS_METHODS, withoutRequests(this.#agent.apps));
    this.#gateway = gateway;
    const failure = Promise.withResolvers<never>();
    channel.onMessage((message) => this.#receive(message as FromNetwork, failure.reject));
    channel.send({ type: "start", start: { ...start, folder: dir } });
    try {
      await Promise.race([exit, failure.promise, ended]);
    } finally {
      await endProcess(child, channel, exit);
      stopKeyring();
      gateway.close();
    }
  }

  #receive(message: FromNetwork, fail: (error: CodedError) => void): void {
    const { terminal, isJson } = this.#options;
    if (message.type === "failed") fail(new CodedError(message.code, message.reason));
    if (message.type !== "ready") return;
    this.#failedStarts = 0;
    const { apps, listening } = message;
    if (isJson) terminal.out(JSON.stringify({ socket: apps.socket, listening }));
    else terminal.out(`Programs are served at ${apps.socket}${listening === null ? "" : ` and ${listening}`}`);
  }
}

/** The program of the process that meets the network: beside this one in the sources, and in a package. */
function networkProgram(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "../network/main.ts" : "../network/main.mjs", import.meta.url);
}

/** No window shows a request here: programs are let in at the command line. */
function withoutRequests(apps: AgentKeyring["apps"]): AppsApi {
  const methods = Object.keys(APPS_METHODS).map((name) => {
    const method = apps[name as keyof AppsApi] as (input: never) => Promise<unknown>;
    return [name, (input: never): Promise<unknown> => method.call(apps, input)] as const;
  });
  return {
    ...(Object.fromEntries(methods) as unknown as AppsApi),
    openRequest: () =>
      Promise.reject(new CodedError("FORBIDDEN", "An agent has no window that asks: its owner lets programs in with parley agent allow")),
  };
}

function channelOf(child: ChildProcess): ProcessChannel {
  return {
    send: (message): void => {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener): (() => void) => {
      child.on("message", listener);
      return (): void => void child.off("message", listener);
    },
  };
}

async function endProcess(child: ChildProcess, channel: ProcessChannel, exit: Promise<void>): Promise<void> {
  channel.send({ type: "stop" });
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await exit;
  clearTimeout(timer);
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs);
  });
}
