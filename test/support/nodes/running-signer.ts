// A signer as a process of its own, which a test can kill and start again.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { endWithTests } from "../host/end-with-tests.ts";
import { pollUntil } from "../host/poll-until.ts";
import { endChild } from "./end-child.ts";
import { cleanEnvironment, projectRoot } from "./run-program.ts";

const START_MS = 60_000;

/** What `parley signer` is given. */
export interface SignerProcessOptions {
  readonly dir: string;
  readonly chainId: string;
  readonly listen: string;
  readonly allow?: string;
}

/** A signer, running or not. */
export class SignerProcess implements AsyncDisposable {
  readonly #options: SignerProcessOptions;
  #child: ChildProcess | null = null;
  #log = "";

  constructor(options: SignerProcessOptions) {
    this.#options = options;
  }

  /** The signer of a command line: `parley signer --dir … --chain-id … --listen …`. @throws Error where it has other flags. */
  static of(command: readonly string[]): SignerProcess {
    const [program, name, ...words] = command;
    const given = new Map(words.flatMap((word, index) => (word.startsWith("--") ? [[word, words[index + 1] ?? ""] as const] : [])));
    const [dir, chainId, listen, allow] = ["--dir", "--chain-id", "--listen", "--allow"].map((flag) => given.get(flag));
    const known = [dir, chainId, listen, allow].filter((value) => value !== undefined).length;
    if (
      program !== "parley" ||
      name !== "signer" ||
      dir === undefined ||
      chainId === undefined ||
      listen === undefined ||
      known !== given.size
    )
      throw new Error(`"${command.join(" ")}" starts no signer`);
    return new SignerProcess({ dir, chainId, listen, ...(allow === undefined ? {} : { allow }) });
  }

  /** What it wrote to standard error, all lives together. */
  get log(): string {
    return this.#log;
  }

  get hasDied(): boolean {
    return this.#child !== null && (this.#child.exitCode !== null || this.#child.signalCode !== null);
  }

  /** Starts the process and waits until it listens. */
  async start(): Promise<void> {
    const { dir, chainId, listen, allow } = this.#options;
    const args = ["signer", "--dir", dir, "--chain-id", chainId, "--listen", listen, ...(allow === undefined ? [] : ["--allow", allow])];
    const child = spawn(process.execPath, [join(projectRoot, "node/main.ts"), ...args], {
      cwd: projectRoot,
      env: cleanEnvironment(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    endWithTests(child);
    const from = this.#log.length;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#log += text;
    });
    this.#child = child;
    const isReady = (): boolean => this.hasDied || this.#log.includes("Ready at ", from);
    await pollUntil(isReady, { timeoutMs: START_MS, what: "the signer to listen" });
    if (this.hasDied) throw new Error(`the signer ended:\n${this.#log}`);
  }

  /** Ends it: SIGTERM in order, SIGKILL at once. Gives the exit code. */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    return await endChild(child, signal);
  }

  /** Stops the process where it is, or lets it continue. */
  pause(isPaused: boolean): void {
    this.#child?.kill(isPaused ? "SIGSTOP" : "SIGCONT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.pause(false);
    await this.end("SIGKILL");
  }
}
