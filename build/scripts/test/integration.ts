// The integration tests. `--whole` runs all of them, and the path of a file all of that; other arguments go to Vitest (a path narrows the run).
import { buildStaleDesktop } from "../build/build-desktop.ts";
import { extentOf, leftOutLine } from "./extent.ts";
import { runVitest } from "./vitest.ts";

// Two tests use it side by side: neither may build it while the other runs it.
await buildStaleDesktop();
const { extent, args } = extentOf(process.argv.slice(2));
const { exitCode, leftOut } = await runVitest(["integration"], extent, args);
process.stdout.write(leftOutLine(leftOut, "npm run integration"));
process.exitCode = exitCode;
