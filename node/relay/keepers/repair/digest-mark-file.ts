// The newest version in which this node may have signed digests, in a file of the data folder.
import { readFileSync } from "node:fs";
import { systemErrorCode } from "#node/config/files/file-errors.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import type { DigestMark } from "./own-digests.ts";

/** File of the mark in a data folder. */
export const DIGEST_MARK_FILE = "signed-digests.json";

/**
 * The mark at `path`. A missing file says that nothing was signed; so does a damaged one, as nothing is signed in the first hour. With
 * one that cannot be read nothing is signed at all.
 */
export class DigestMarkFile implements DigestMark {
  readonly #path: string;
  #latest: number;

  constructor(path: string) {
    this.#path = path;
    this.#latest = readMark(path);
  }

  get latest(): number {
    return this.#latest;
  }

  set latest(version: number) {
    writeFileAtomic(this.#path, `${JSON.stringify({ latest_version: version })}\n`);
    this.#latest = version;
  }
}

function readMark(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? 0 : Number.POSITIVE_INFINITY;
  }
  try {
    const latest = (JSON.parse(text) as { readonly latest_version?: unknown } | null)?.latest_version;
    return typeof latest === "number" && Number.isSafeInteger(latest) ? latest : 0;
  } catch {
    return 0;
  }
}
