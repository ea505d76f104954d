// What every commit must pass: types and lint.
import { runNode } from "./process.ts";

const types = await runNode("node_modules/typescript/bin/tsc", ["-b"]);
const lint = await runNode("node_modules/@biomejs/biome/bin/biome", ["ci", "."]);
process.exitCode = types === 0 && lint === 0 ? 0 : 1;
