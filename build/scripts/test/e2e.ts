// The browser tests on the built interface. `--whole` runs all of them, the path of a file all of that, `--full` the views on the chain of
// 10,000 blocks; other arguments go to Vitest.
import { ensureChromium } from "./chromium.ts";
import { extentOf, leftOutLine } from "./extent.ts";
import { runVitest } from "./vitest.ts";

const { extent, args } = extentOf(process.argv.slice(2));
if (args.includes("--full")) process.env.PARLEY_SEEDED = "full";
await ensureChromium();
const { exitCode, leftOut } = await runVitest(
  ["e2e"],
  extent,
  args.filter((argument) => argument !== "--full"),
);
process.stdout.write(leftOutLine(leftOut, "npm run e2e"));
process.exitCode = exitCode;
