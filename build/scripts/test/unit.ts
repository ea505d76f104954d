// The unit tests. `--whole` runs all of tests that are long, exhaustive or random; other arguments go to Vitest (a path narrows the run).
import { extentOf, leftOutLine } from "./extent.ts";
import { runVitest } from "./vitest.ts";

const { extent, args } = extentOf(process.argv.slice(2));
const { exitCode, leftOut } = await runVitest(["unit"], extent, args);
process.stdout.write(leftOutLine(leftOut, "npm run unit"));
process.exitCode = exitCode;
