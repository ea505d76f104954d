// A file that holds all evidence of a kind: written whole, read once, put aside where it is damaged.
import { readFileSync, renameSync } from "node:fs";
import { systemErrorCode } from "./file-errors.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

/** Takes what goes wrong with the file. */
export interface EvidenceLog {
  warn(fields: object, message: string): void;
}

/** What `parse` makes of the file; nothing where there is none, where it cannot be read, and where `parse` throws: then it is put aside. */
export function readEvidenceFile<T>(path: string, parse: (text: string) => readonly T[], log: EvidenceLog): readonly T[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") log.warn({ err: error }, `The evidence in ${path} cannot be read`);
    return [];
  }
  try {
    return parse(text);
  } catch (error) {
    log.warn({ err: error }, `The evidence in ${path} is damaged; it was set aside as ${path}.damaged`);
    renameSync(path, `${path}.damaged`);
    return [];
  }
}

/** Writes it, durable on return. In memory all works on where the disk takes nothing. `whom`: against whom the evidence is, for the log. */
export function writeEvidenceFile(
  path: string,
  content: object,
  { log, whom }: { readonly log: EvidenceLog; readonly whom: string },
): void {
  try {
    writeFileAtomic(path, `${JSON.stringify(content)}\n`);
  } catch (error) {
    log.warn({ err: error }, `Evidence against ${whom} could not be written; it is lost if the node stops now`);
  }
}
