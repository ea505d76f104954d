// Which contract a thread runs, in a file that outlives the process: a mark that is left says what an engine, or the system, ended the
// process at. Its module is interpreted from then on, and its transaction is not taken in again.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileError, systemErrorCode } from "#node/config/files/file-errors.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import type { RunMarks } from "#node/vm/run-marks.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";

/** Threads that run contracts: that of the chain, and that of heavy reads where contracts have no process. */
export type MarkingThread = "chain" | "reads";

/** The process that runs contracts for requests. Its marks are read by the process that started it, and last as long as that one. */
const PROCESS = "requests";

/** What processes died at. */
export interface LeftMark {
  readonly moduleHash: string;
  /** "" for a run without a transaction. */
  readonly txId: string;
}

/** Marks of a thread, and those that earlier processes left. */
export interface OpenedRunMarks extends RunMarks {
  readonly left: readonly LeftMark[];
  /** Those of them that this opening found. */
  readonly found: readonly LeftMark[];
  /** Number of marked modules. */
  readonly modules: number;
  isRefused(txId: string): boolean;
  close(): void;
}

/** Left marks that are kept, the newest ones; docs/limits.md lists it. */
export const MAX_LEFT_MARKS = 1_024;

const LEFT_MARKS = "left-marks";
const HASH_CHARACTERS = 64;
const RUNS = "*";
const ENDED = "-";
/** State, module and transaction: text of a fixed length, written in one piece. */
const MARK_BYTES = 1 + HASH_CHARACTERS + MAX_TX_ID_CHARS;
const LINE = /^[0-9a-f]{64} \S*$/;

/** Opens the marks of a thread. That of the chain is opened before the other runs. @throws CodedError STORAGE_FULL or STORAGE_UNWRITABLE */
export function openRunMarks(directory: string, thread: MarkingThread): OpenedRunMarks {
  const threads: readonly MarkingThread[] = thread === "chain" ? ["chain", "reads"] : ["reads"];
  const list = join(directory, LEFT_MARKS);
  const known = readLines(list);
  const found = threads.map((name) => readMark(markFile(directory, name))).filter((mark) => mark !== undefined);
  const left = [...new Set([...known, ...found])].slice(-MAX_LEFT_MARKS);
  // The list is durable before the marks are gone.
  if (found.length > 0) writeFileAtomic(list, `${left.join("\n")}\n`);
  for (const name of threads) clearMark(markFile(directory, name));
  return new RunMarkFile(markFile(directory, thread), { left: left.map(parseLine), found: found.map(parseLine) });
}

/** Opens the marks of the process that runs contracts for requests. `marked` are modules at which it died before. */
export function openProcessMarks(directory: string, marked: readonly string[]): OpenedRunMarks {
  const left = readLines(join(directory, LEFT_MARKS)).map(parseLine);
  const path = markFile(directory, PROCESS);
  clearMark(path);
  return new RunMarkFile(path, { left: [...left, ...marked.map((moduleHash) => ({ moduleHash, txId: "" }))], found: [] });
}

/** What the process that runs contracts for requests has died at, if at a contract, and clears the mark. */
export function takeProcessMark(directory: string): LeftMark | undefined {
  const path = markFile(directory, PROCESS);
  const line = readMark(path);
  if (line === undefined) return undefined;
  clearMark(path);
  return parseLine(line);
}

class RunMarkFile implements OpenedRunMarks {
  readonly left: readonly LeftMark[];
  readonly found: readonly LeftMark[];
  readonly #modules: ReadonlySet<string>;
  readonly #transactions: ReadonlySet<string>;
  readonly #file: number;
  /** What runs, from the outside in. */
  readonly #running: Buffer[] = [];

  constructor(path: string, { left, found }: Pick<OpenedRunMarks, "left" | "found">) {
    this.left = left;
    this.found = found;
    this.#modules = new Set(left.map(({ moduleHash }) => moduleHash));
    this.#transactions = new Set(left.map(({ txId }) => txId).filter((id) => id !== ""));
    this.#file = openMark(path);
  }

  get modules(): number {
    return this.#modules.size;
  }

  isMarked(moduleHash: string): boolean {
    return this.#modules.has(moduleHash);
  }

  isRefused(txId: string): boolean {
    return this.#transactions.has(txId);
  }

  enter(moduleHash: string, txId: string): void {
    const mark = Buffer.alloc(MARK_BYTES, " ");
    mark.write(RUNS, 0, "latin1");
    mark.write(moduleHash, 1, HASH_CHARACTERS, "latin1");
    mark.write(txId, 1 + HASH_CHARACTERS, MAX_TX_ID_CHARS, "latin1");
    this.#running.push(mark);
    writeSync(this.#file, mark, 0, MARK_BYTES, 0);
  }

  leave(): void {
    this.#running.pop();
    const outer = this.#running.at(-1);
    if (outer === undefined) writeSync(this.#file, ENDED, 0, "latin1");
    else writeSync(this.#file, outer, 0, MARK_BYTES, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function markFile(directory: string, thread: MarkingThread | typeof PROCESS): string {
  return join(directory, `running-${thread}`);
}

function openMark(path: string): number {
  try {
    return openSync(path, "r+", 0o600);
  } catch (error) {
    throw fileError(path, error);
  }
}

/** Makes the file when it is missing, too: it is then overwritten in place. */
function clearMark(path: string): void {
  const text = readText(path);
  if (!text.startsWith(ENDED) || text.length !== MARK_BYTES) writeFileAtomic(path, ENDED.padEnd(MARK_BYTES));
}

/** Line of a mark that was left. Anything else than a whole mark is none. */
function readMark(path: string): string | undefined {
  const text = readText(path);
  if (!text.startsWith(RUNS) || text.length !== MARK_BYTES) return undefined;
  const line = `${text.slice(1, 1 + HASH_CHARACTERS)} ${text.slice(1 + HASH_CHARACTERS).trim()}`;
  return LINE.test(line) ? line : undefined;
}

function readLines(path: string): readonly string[] {
  return readText(path)
    .split("\n")
    .filter((line) => LINE.test(line));
}

function parseLine(line: string): LeftMark {
  const [moduleHash = "", txId = ""] = line.split(" ");
  return { moduleHash, txId };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw fileError(path, error);
  }
}
