// `npm run test:electron` where no window can be opened: it must not look like success.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { findElectron } from "#build/scripts/test/electron-binary.ts";

it("ends with an error and one sentence, never with skipped tests", async () => {
  // Without a display Linux has no window; on other systems a machine without the binary takes the same way.
  expect(process.platform === "linux" || "reason" in findElectron()).toBe(true);
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
  const child = spawn(process.execPath, ["build/scripts/test/test-electron.ts"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const [said, written, [code]] = await Promise.all([text(child.stderr), text(child.stdout), once(child, "exit")]);
  expect(said).toMatch(/^Not tested on Electron: .+\. Run this where a window can be opened; .+\n$/);
  expect(written).toBe("");
  expect(code).toBe(1);
});
