// Which program a test starts as a node: the one built for the desktop, which is one file and starts in half of the processor time, or the
// sources. The same for its threads and processes, which start in a quarter of it.
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Set by the scripts that run tests, once the build is up to date. */
const IS_BUILT = process.env.PARLEY_TEST_BUILT_NODE === "1";
const SOURCE = pathOf("node/main.ts");
const BUILT = pathOf("dist/node/main.mjs");

/** Path of the program. */
export function nodeProgram(): string {
  return IS_BUILT ? BUILT : SOURCE;
}

/** File of a thread or process of the node: as built, or the source, whose path in the project is given. */
export function workerFile(source: string): URL {
  return pathToFileURL(pathOf(IS_BUILT ? `dist/node/${basename(source, ".ts")}.mjs` : source));
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../../${file}`, import.meta.url));
}
