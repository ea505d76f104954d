// What a check of a data folder found. A broken file breaks in many places: all are counted, the first ones are named.
import { isCodedError } from "#shared/errors/coded-error.ts";

/** Something that is not as it must be. */
export interface Finding {
  /** Name of the file in the data folder. */
  readonly file: string;
  /** Where in it, such as "block 812" or "table transactions"; "" for the file as a whole. */
  readonly place: string;
  readonly problem: string;
}

/** Findings that are named; the rest is counted. */
export const MAX_NAMED_FINDINGS = 100;

/** Collects findings, and takes what a damaged file throws for one. */
export class Findings {
  readonly #named: Finding[] = [];
  #count = 0;

  get named(): readonly Finding[] {
    return this.#named;
  }

  get count(): number {
    return this.#count;
  }

  add(file: string, place: string, problem: string): void {
    this.#count += 1;
    if (this.#named.length < MAX_NAMED_FINDINGS) this.#named.push({ file, place, problem });
  }

  /** Result of the work; undefined after a failure of it, which is a finding. */
  attempt<T>(file: string, place: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.add(file, place, problemOf(error));
      return undefined;
    }
  }
}

/** What a file of another version and a disk say: nothing of it is damage. */
const NO_DAMAGE = ["STORAGE_FULL", "STORAGE_LOCKED", "STORAGE_UNWRITABLE", "STORAGE_OLDER", "STORAGE_NEWER"] as const;

/** What decoders, SQLite and the storage say about bytes that they cannot read. @throws what says nothing about the folder's contents. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error) || isCodedError(error, ...NO_DAMAGE)) throw error;
  return error.message;
}
