// The integration tests; arguments go to Vitest (a path narrows the run).
import { runVitest } from "./vitest.ts";

const { exitCode } = await runVitest(["integration"], process.argv.slice(2));
process.exitCode = exitCode;
