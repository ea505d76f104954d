// Takes the pictures that README and docs/story.md show, by the browser tests on a real node that come by them;
// with `--gallery` those of all components instead, for looking at.
import { join } from "node:path";
import { buildStaleRenderer } from "../build/build-renderer.ts";
import { ROOT } from "../process.ts";
import { ensureChromium } from "../test/chromium.ts";
import { runVitest } from "../test/vitest.ts";

/** What is shown, by the tests that come by it. */
const PICTURES = {
  story: ["welcome", "contacts", "inbox", "lock", "wallet", "explorer", "transaction", "block"],
  group: ["group", "group-info", "group-split-a", "chat-info"],
  payments: ["payments-sheet", "payments-paid"],
  "chat-features": ["voice-received", "poll-b"],
};

if (process.argv.includes("--gallery")) {
  const { photographGallery } = await import("./gallery-pictures.ts");
  process.stdout.write(`${await photographGallery()}\n`);
} else {
  process.env.PARLEY_PICTURES = join(ROOT, "docs", "pictures");
  process.env.PARLEY_PICTURE_NAMES = Object.values(PICTURES).flat().join(",");
  await buildStaleRenderer();
  await ensureChromium();
  const { exitCode } = await runVitest(
    ["e2e"],
    "named",
    Object.keys(PICTURES).map((name) => `test/e2e/${name}.test.ts`),
  );
  process.exitCode = exitCode;
}
