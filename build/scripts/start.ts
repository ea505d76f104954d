// `npm start`: builds what is stale and opens the app; where no window can be opened, hosts the same node and serves the same interface.
import { type StdioOptions, spawn } from "node:child_process";
import { join } from "node:path";
import { buildStaleDesktop } from "./build/build-desktop.ts";
import { buildStaleRenderer } from "./build/build-renderer.ts";
import { ROOT } from "./process.ts";
import { findElectron } from "./test/electron-binary.ts";

const args = process.argv.slice(2);
const wantsBrowser = args.includes("--browser");
const nodeArguments = args.filter((arg) => arg !== "--browser");

await buildStaleRenderer();
const electron = wantsBrowser ? { reason: "--browser was given" } : await findElectron();
if ("path" in electron) {
  await buildStaleDesktop();
  host(electron.path, [join(ROOT, "dist/electron/main.mjs"), "--", ...nodeArguments], ["inherit", "inherit", "inherit"]);
} else {
  process.stderr.write(`No desktop window (${electron.reason}): open the address below in a browser.\n`);
  host(process.execPath, [join(ROOT, "node/main.ts"), "node", "--dev", ...nodeArguments], ["inherit", "inherit", "inherit", "ipc"]);
}

function host(program: string, programArguments: readonly string[], stdio: StdioOptions): void {
  const child = spawn(program, programArguments, {
    cwd: ROOT,
    stdio,
    env: { ...process.env, PARLEY_LAUNCHED: "1" },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  process.on("disconnect", () => child.kill("SIGTERM"));
  child.on("error", (error) => {
    process.stderr.write(`Could not start ${program}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}
