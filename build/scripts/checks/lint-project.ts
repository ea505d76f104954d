// Biome, then the order of folders.
import { checkLayers } from "#build/layers/check-layers.ts";
import { readImportGraph } from "#build/layers/import-graph.ts";
import { ROOT, runNode } from "../process.ts";

/** Checks everything and prints what is wrong; resolves with the exit code. */
export async function lint(isWriting = false): Promise<number> {
  const exitCode = await runNode("node_modules/@biomejs/biome/bin/biome", isWriting ? ["check", "--write", "."] : ["ci", "."]);
  const faults = checkLayers(readImportGraph(ROOT));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? exitCode : 1;
}
