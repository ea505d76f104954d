// What every commit must pass: types and lint.

import { runNode } from "../process.ts";
import { lint } from "./lint-project.ts";

const types = await runNode("node_modules/typescript/bin/tsc", ["-b"]);
process.exitCode = (await lint()) === 0 ? types : 1;
