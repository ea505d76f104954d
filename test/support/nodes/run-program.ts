// Runs a program of the checkout to its end and collects what it says.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endWithTests } from "../host/end-with-tests.ts";
import { nodeProgram } from "./node-program.ts";

/** What a finished program left behind. */
export interface ProgramResult {
  /** Exit code, or null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run it. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Text for its standard input; nothing by default. */
  readonly input?: string;
  /** Killed after this time. */
  readonly timeoutMs?: number;
}

/** Folder of the checkout. */
export const projectRoot: string = fileURLToPath(new URL("../../..", import.meta.url));

/** A program that runs. */
export interface BegunProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramResult>;
}

/** Runs an executable with arguments. Variables of the program itself (SVC_…, PARLEY_…) are not inherited. */
export function runProgram(executable: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
  return beginProgram(executable, args, options).ended;
}

/** Starts `parley` with the runtime of the tests: a node as other tests start one, a command from its sources, of which it loads little. */
export function beginParley(args: readonly string[], options: RunOptions = {}): BegunProgram {
  const program = args[0] === "node" ? nodeProgram() : "node/main.ts";
  return beginProgram(process.execPath, [program, ...args], options);
}

function beginProgram(executable: string, args: readonly string[], options: RunOptions): BegunProgram {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  const child = spawn(executable, args, {
    cwd: options.cwd ?? projectRoot,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  endWithTests(child);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  const timer = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? 120_000);
  child.on("error", reject);
  child.on("close", (code) => {
    clearTimeout(timer);
    resolve({ code, stdout, stderr });
  });
  return { child, ended: promise };
}

/** Runs `parley` with the runtime of the tests. */
export function runParley(args: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
  return beginParley(args, options).ended;
}

/**
 * The environment without variables that configure the program under test. Each start would ask git about the whole checkout, an eighth of its
 * processor time: for git there is none here. `unit/node/config/build-info.test.ts` shows what a program says of its checkout.
 */
export function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name, value]) => value !== undefined && !/^(SVC_|PARLEY_)/.test(name));
  return { ...(Object.fromEntries(entries) as Record<string, string>), GIT_DIR: join(projectRoot, "node_modules", "no-repository") };
}
