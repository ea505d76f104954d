// Which program a test starts as a node: the one built for the desktop, which is one file and starts in half of the processor time, or the
// sources.
import { fileURLToPath } from "node:url";

/** Set by the scripts that run tests, once the build is up to date. */
const IS_BUILT = process.env.PARLEY_TEST_BUILT_NODE === "1";
const SOURCE = pathOf("node/main.ts");
const BUILT = pathOf("dist/node/main.mjs");

/** Path of the program, by the flags of its runtime: what is loaded before it changes modules of the sources. */
export function nodeProgram(runtimeFlags: readonly string[], { NODE_OPTIONS = "" }: Readonly<Record<string, string | undefined>>): string {
  return IS_BUILT && ![...runtimeFlags, NODE_OPTIONS].some((flag) => flag.includes("--import")) ? BUILT : SOURCE;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../../${file}`, import.meta.url));
}
