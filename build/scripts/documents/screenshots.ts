// Takes the pictures that the README shows, by the browser tests of the whole story and of a group on a real node;
// with `--gallery` those of all components instead, for looking at.
import { join } from "node:path";
import { buildStaleRenderer } from "../build/build-renderer.ts";
import { ROOT } from "../process.ts";
import { ensureChromium } from "../test/chromium.ts";
import { runVitest } from "../test/vitest.ts";

if (process.argv.includes("--gallery")) {
  const { photographGallery } = await import("./gallery-pictures.ts");
  process.stdout.write(`${await photographGallery()}\n`);
} else {
  process.env.PARLEY_PICTURES = join(ROOT, "docs", "pictures");
  await buildStaleRenderer();
  await ensureChromium();
  const { exitCode } = await runVitest(["e2e"], ["test/e2e/story.test.ts", "test/e2e/group.test.ts"]);
  process.exitCode = exitCode;
}
