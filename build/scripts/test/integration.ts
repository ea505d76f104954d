// The integration tests; arguments go to Vitest (a path narrows the run).
import { buildStaleDesktop } from "../build/build-desktop.ts";
import { runVitest } from "./vitest.ts";

// Two tests use it side by side: neither may build it while the other runs it.
await buildStaleDesktop();
const { exitCode } = await runVitest(["integration"], process.argv.slice(2));
process.exitCode = exitCode;
