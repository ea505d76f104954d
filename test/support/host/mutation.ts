// A planted bug: a replacement in the text of one source file. Files are never changed where they are.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** A replacement in one file of the repository, which `file` names from its root. */
export interface Mutation {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Text of the file with the bug in it. @throws Error when the bug fits nowhere, or in two places. */
export function mutatedText({ file, from, to }: Mutation, root: string = ROOT): string {
  const parts = readFileSync(join(root, file), "utf8").split(from);
  if (parts.length !== 2) throw new Error(`The mutation of "${from}" fits ${file} in ${parts.length - 1} places`);
  return parts.join(to);
}
