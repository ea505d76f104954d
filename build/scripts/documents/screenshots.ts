// Takes the pictures that the README shows, by the browser tests of the whole story and of a group on a real node;
// with `--gallery` those of all components instead, for looking at.
import { join } from "node:path";
import { buildStaleRenderer } from "../build/build-renderer.ts";
import { ROOT } from "../process.ts";
import { ensureChromium } from "../test/chromium.ts";
import { runVitest } from "../test/vitest.ts";

/** What the README shows, and the tests that come by it. */
const PICTURES = {
  story: ["welcome", "contacts", "inbox", "lock", "wallet", "explorer", "transaction", "block"],
  group: ["group", "group-info", "chat-info"],
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
    Object.keys(PICTURES).map((name) => `test/e2e/${name}.test.ts`),
  );
  process.exitCode = exitCode;
}
