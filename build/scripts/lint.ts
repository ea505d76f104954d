// Lint and format check of the whole project; `--write` mends what can be mended.
import { runNode } from "./process.ts";

const isWriting = process.argv.includes("--write");
process.exitCode = await runNode("node_modules/@biomejs/biome/bin/biome", isWriting ? ["check", "--write", "."] : ["ci", "."]);
