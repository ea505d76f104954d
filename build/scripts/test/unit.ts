// The unit tests. `--whole` runs all of tests that are exhaustive or random; other arguments go to Vitest (a path narrows the run).
import { runVitest } from "./vitest.ts";

const WHOLE = "--whole";

const args = process.argv.slice(2);
if (args.includes(WHOLE)) process.env.PARLEY_TEST_WHOLE = "1";
const { exitCode } = await runVitest(
  ["unit"],
  args.filter((arg) => arg !== WHOLE),
);
process.exitCode = exitCode;
