// Type check of the whole project by project references.
import { runNode } from "../process.ts";

process.exitCode = await runNode("node_modules/typescript/bin/tsc", ["-b", ...process.argv.slice(2)]);
