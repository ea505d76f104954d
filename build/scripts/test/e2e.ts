// The browser tests on the built interface; `--full` runs the views on the chain of 10,000 blocks, other arguments go to Vitest.
import { ensureChromium } from "./chromium.ts";
import { runVitest } from "./vitest.ts";

const given = process.argv.slice(2);
if (given.includes("--full")) process.env.PARLEY_SEEDED = "full";
await ensureChromium();
const { exitCode } = await runVitest(
  ["e2e"],
  given.filter((argument) => argument !== "--full"),
);
process.exitCode = exitCode;
