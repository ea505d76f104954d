// What every commit must pass: types and lint.

import { lint } from "./lint-project.ts";
import { checkTypes } from "./type-check.ts";

const types = await checkTypes();
process.exitCode = (await lint()) === 0 ? types : 1;
