// `npm run test:electron`: the desktop's own tests on the real binary, all of them with `--whole`. Without a binary nothing was tested, and the exit code says so.
import { join } from "node:path";
import { build } from "vite";
import { ROOT } from "../process.ts";
import { findElectron } from "./electron-binary.ts";
import { extentOf, leftOutLine } from "./extent.ts";
import { runVitest } from "./vitest.ts";

const electron = findElectron();
if ("reason" in electron) {
  process.stderr.write(
    `Not tested on Electron: ${electron.reason}. Run this where a window can be opened; "npm run e2e" runs the same tests on a stand-in.\n`,
  );
  process.exitCode = 1;
} else {
  await buildRecorder();
  process.env.PARLEY_TEST_ELECTRON = electron.path;
  const { extent, args } = extentOf(process.argv.slice(2));
  const { exitCode, passed, failed, leftOut } = await runVitest(["e2e"], extent, ["test/electron", ...args]);
  process.stdout.write(
    `On Electron (${electron.path}): ${passed} passed, ${failed} failed\n${leftOutLine(leftOut, "npm run test:electron")}`,
  );
  process.exitCode = exitCode;
}

/** The recorder is loaded by Electron itself, so it is one CommonJS file. */
async function buildRecorder(): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external: ["electron"] },
    build: {
      ssr: join(ROOT, "test/electron/real/recorder.ts"),
      target: "node24",
      outDir: join(ROOT, ".cache/electron-recorder"),
      minify: false,
      rolldownOptions: { output: { entryFileNames: "recorder.cjs", format: "cjs", codeSplitting: false } },
    },
  });
}
