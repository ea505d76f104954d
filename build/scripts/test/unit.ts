// The unit tests; arguments go to Vitest (a path narrows the run).
import { runVitest } from "./vitest.ts";

const { exitCode } = await runVitest(["unit"], process.argv.slice(2));
process.exitCode = exitCode;
