// The browser tests on the built interface; arguments go to Vitest.
import { buildStaleRenderer } from "./build-renderer.ts";
import { ensureChromium } from "./chromium.ts";
import { runVitest } from "./vitest.ts";

await buildStaleRenderer();
await ensureChromium();
const { exitCode } = await runVitest(["e2e"], process.argv.slice(2));
process.exitCode = exitCode;
