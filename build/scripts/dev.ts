// Development: a node on a development network and the interface with hot reload.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createServer } from "vite";
import { rendererConfig } from "../vite/renderer.ts";
import { ROOT } from "./process.ts";

const NODE_ADDRESS = "127.0.0.1:8080";

const node = spawn(
  process.execPath,
  [join(ROOT, "node/main.ts"), "node", "--dev", "--stats-addr", NODE_ADDRESS, ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, PARLEY_LAUNCHED: "1" },
  },
);
const server = await createServer(rendererConfig({ nodeUrl: `http://${NODE_ADDRESS}` }));
await server.listen();
server.printUrls();
node.on("exit", (code) => {
  process.exitCode = code ?? 1;
  void server.close();
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => node.kill("SIGTERM"));
