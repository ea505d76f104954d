// `npm run soak -- --files [--bytes 10GB] [--file-bytes 100MB] [--interruptions 20] [--seed 1]`: a linked device takes over all files of an
// old one over two real nodes, while something is interrupted at random places (file-interruptions.ts). Prints a table; ends with a failure
// when one byte differs, or a process takes more memory than it may.
import { statSync } from "node:fs";
import { readdir, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAgentKeyring } from "#agent/keyring/agent-keyring.ts";
import { ENDPOINT_FILE } from "#shared/desktop/local-endpoint.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createRandom, type Random } from "../support/host/random.ts";
import { createTemporaryFolder } from "../support/host/temporary-folder.ts";
import { ProcessNetwork } from "../support/nodes/process-network.ts";
import { interruption } from "./file-interruptions.ts";
import { MemoryWatch, PASSWORD, Side } from "./file-side.ts";

export interface FileTransferOptions {
  readonly bytes: number;
  readonly fileBytes: number;
  /** Spread over the whole; with none, it measures the speed. */
  readonly interruptions: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

const MEGABYTE = 1_000_000;
const UNITS: Readonly<Record<string, number>> = { "": 1, kB: 1_000, MB: MEGABYTE, GB: 1_000 * MEGABYTE };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Both stores hold all files, and logs of theirs and of two mailboxes; no more is written beside them. */
const DISK_FACTOR = 2.2;
const DISK_RESERVE = 1_000 * MEGABYTE;
/** What a process may take of memory, MB, however much is copied. */
const MOST_MEMORY_MB = 900;
/** Memory is noted by quarters of the copying: what grows with the files is seen. */
const QUARTERS = 4;
const LOOK_MS = 500;

/** Bytes of a text as "10GB". @throws RangeError */
export function bytesOfText(text: string): number {
  const [, number = "", unit = ""] = /^(\d+)(kB|MB|GB|)$/.exec(text) ?? [];
  const bytes = Number(number) * (UNITS[unit] ?? 0);
  if (!(bytes > 0)) throw new RangeError(`"${text}" is no size as 500MB or 10GB`);
  return bytes;
}

/** True when every file came whole, within the memory that processes may take. */
export async function runFileTransfer(options: FileTransferOptions): Promise<boolean> {
  const { bytes, fileBytes, seed, say } = options;
  const files = Math.ceil(bytes / fileBytes);
  const { bavail, bsize } = await statfs(tmpdir());
  const needed = files * fileBytes * DISK_FACTOR + DISK_RESERVE;
  if (bavail * bsize < needed) throw new Error(`${tmpdir()} needs ${Math.ceil(needed / MEGABYTE)} MB of free room`);
  await using folder = await createTemporaryFolder("parley-soak-files-");
  await using network = await ProcessNetwork.create({ validators: 1, nodes: 1 });
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      void Promise.all([network[Symbol.asyncDispose](), folder.remove()]).finally(() => process.exit(130));
    });
  await network.start();
  const phrase = await makeVault(join(folder.path, "old"));
  await makeVault(join(folder.path, "new"), phrase);
  say(`seed ${seed}`);
  return await new Run({ ...options, network, dir: folder.path, files, random: createRandom(seed) }).all();
}

interface RunOptions extends FileTransferOptions {
  readonly network: ProcessNetwork;
  readonly dir: string;
  readonly files: number;
  readonly random: Random;
}

class Run {
  readonly #options: RunOptions;
  readonly #old: Side;
  readonly #new: Side;
  readonly #memory = new MemoryWatch();
  #interruptions = 0;
  #interruptedMs = 0;
  #startedMs = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    const [first = "", second = ""] = options.network.nodes.map(({ dataDir }) => join(dataDir, ENDPOINT_FILE));
    this.#old = new Side(join(options.dir, "old"), first, "old");
    this.#new = new Side(join(options.dir, "new"), second, "first");
  }

  async all(): Promise<boolean> {
    const { files, fileBytes, say } = this.#options;
    const watching = setInterval(() => this.#look(), LOOK_MS);
    try {
      const beganMs = performance.now();
      await this.#old.start();
      this.#old.order({ type: "fill", files, bytes: fileBytes });
      await pollUntil(() => this.#old.filled === files, { timeoutMs: DAY_MS, intervalMs: 200, what: "the files of the old device" });
      say(`${files} files of ${fileBytes / MEGABYTE} MB on the old device after ${seconds(beganMs)} s`);
      await this.#new.start();
      this.#startedMs = performance.now();
      this.#old.order({ type: "send", devicePub: this.#new.devicePub });
      say("|   s | done | MB/s | left s | interrupted |\n| --- | --- | --- | --- | --- |");
      await this.#copy();
      return await this.#check();
    } finally {
      clearInterval(watching);
      await Promise.all([this.#old.end("SIGTERM"), this.#new.end("SIGTERM")]);
    }
  }

  /** Something is interrupted in each of as many equal parts of the whole as interruptions are wanted, at any place of it. */
  async #copy(): Promise<void> {
    const { random, interruptions, network, say } = this.#options;
    for (; this.#interruptions < interruptions; this.#interruptions += 1) {
      const until = ((this.#interruptions + random.next()) * 100) / interruptions;
      await this.#untilPercent(until);
      if (this.#isOver) return;
      const row = this.#row();
      const beganMs = performance.now();
      const what = await interruption(this.#interruptions, random)({ network, random, old: this.#old, fresh: this.#new });
      this.#interruptedMs += performance.now() - beganMs;
      say(`${row} ${what} |`);
    }
    await this.#untilPercent(Number.POSITIVE_INFINITY);
  }

  async #untilPercent(until: number): Promise<void> {
    const isThere = (): boolean => this.#isOver || this.#percent >= until;
    await pollUntil(isThere, { timeoutMs: DAY_MS, intervalMs: 20, what: `${until} % of the files` });
  }

  async #check(): Promise<boolean> {
    const { files, fileBytes, say } = this.#options;
    const tookS = seconds(this.#startedMs);
    say(`${this.#row()} end |`);
    this.#new.order({ type: "verify" });
    const verified = await pollUntil(() => this.#new.verified, { timeoutMs: DAY_MS, intervalMs: 200, what: "the comparison" });
    const rate = (verified.bytes / MEGABYTE / tookS).toFixed(2);
    say(`${verified.files} files, ${verified.bytes} bytes in ${tookS} s (${rate} MB/s), ${this.#interruptions} interruptions`);
    say(`ended and started again for ${Math.round(this.#interruptedMs / 1_000)} s of these`);
    say("memory at most, MB, while the files were made, and by quarters of the copying:");
    for (const line of this.#memory.lines) say(line);
    say(`on disk: old ${await sizeOf(this.#old.dir)} MB, new ${await sizeOf(this.#new.dir)} MB`);
    if (verified.wrong.length > 0) say(`wrong: ${verified.wrong.join(", ")}`);
    if (this.#memory.most > MOST_MEMORY_MB) say(`more memory than ${MOST_MEMORY_MB} MB`);
    const isWhole = verified.files === files && verified.bytes === files * fileBytes && verified.wrong.length === 0;
    return isWhole && this.#memory.most <= MOST_MEMORY_MB;
  }

  #look(): void {
    const part = this.#startedMs === 0 ? 0 : 1 + Math.min(QUARTERS - 1, Math.floor((this.#percent * QUARTERS) / 100));
    this.#memory.look("old device", this.#old.pid, part);
    this.#memory.look("new device", this.#new.pid, part);
    for (const node of this.#options.network.nodes) if (node.isRunning) this.#memory.look(`node ${node.index}`, node.pid, part);
  }

  get #isOver(): boolean {
    return this.#new.progress?.phase === "done";
  }

  get #percent(): number {
    const { done, total } = this.#new.progress ?? { done: 0, total: 0 };
    return total === 0 ? 0 : (100 * done) / total;
  }

  #row(): string {
    const { files, fileBytes } = this.#options;
    const tookS = seconds(this.#startedMs);
    const rate = ((this.#percent / 100) * files * fileBytes) / MEGABYTE / tookS;
    const leftMs = this.#new.progress?.leftMs ?? null;
    return `| ${tookS} | ${this.#percent.toFixed(1)} % | ${rate.toFixed(2)} | ${leftMs === null ? "–" : Math.round(leftMs / 1000)} |`;
  }
}

/** A vault of a new person, or of the one whose phrase is given. */
async function makeVault(dir: string, phrase?: string): Promise<string> {
  const agent = await openAgentKeyring(dir);
  try {
    if (phrase === undefined) return (await agent.keyring.create({ password: PASSWORD })).words.join(" ");
    await agent.keyring.importPhrase({ phrase, password: PASSWORD });
    return phrase;
  } finally {
    await agent.close();
  }
}

function seconds(sinceMs: number): number {
  return Math.max(1, Math.round((performance.now() - sinceMs) / 1000));
}

async function sizeOf(dir: string): Promise<number> {
  const names = (await readdir(dir)).filter((name) => name.startsWith("messages-"));
  return Math.round(names.reduce((sum, name) => sum + statSync(join(dir, name)).size, 0) / MEGABYTE);
}
