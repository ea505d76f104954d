// A log in files of bounded size: the newest lines are never lost to old ones, the disk never fills with logs.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Limits of a log. */
export interface RotatingLogOptions {
  readonly folder: string;
  /** Name without ending; files are name.log, name.1.log, … from the newest to the oldest. */
  readonly name: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** Appends text; failing to write a log never stops the app. */
export class RotatingLog {
  readonly #options: RotatingLogOptions;
  #bytes: number;

  constructor(options: RotatingLogOptions) {
    this.#options = options;
    try {
      mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    } catch {
      // Every write fails then, and is forgotten as any other that fails.
    }
    this.#bytes = sizeOf(this.#path(0));
  }

  /** Appends a chunk as it is. */
  write(text: string): void {
    try {
      if (this.#bytes + Buffer.byteLength(text) > this.#options.maxBytes && this.#bytes > 0) this.#rotate();
      appendFileSync(this.#path(0), text, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(text);
    } catch {
      this.#bytes = sizeOf(this.#path(0));
    }
  }

  /** The last lines, oldest first. */
  tail(lines: number): readonly string[] {
    const texts = [1, 0].map((index) => (existsSync(this.#path(index)) ? readFileSync(this.#path(index), "utf8") : ""));
    const all = texts.join("").split("\n");
    if (all.at(-1) === "") all.pop();
    return all.slice(-lines);
  }

  #rotate(): void {
    rmSync(this.#path(this.#options.maxFiles - 1), { force: true });
    for (let index = this.#options.maxFiles - 2; index >= 0; index -= 1) {
      if (existsSync(this.#path(index))) renameSync(this.#path(index), this.#path(index + 1));
    }
    this.#bytes = 0;
  }

  #path(index: number): string {
    return join(this.#options.folder, index === 0 ? `${this.#options.name}.log` : `${this.#options.name}.${index}.log`);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
