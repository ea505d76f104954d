// Entry of the thread that relays calls: packets of strangers take no time of the thread that runs the chain.
import { parentPort, workerData } from "node:worker_threads";
import type { RelayThreadMessage } from "./call-relay.ts";
import { type CallRelaySettings, serveCallRelay } from "./serving/serve.ts";

const FIGURES_MS = 2_000;

const say = (message: RelayThreadMessage): void => parentPort?.postMessage(message);

try {
  const serving = await serveCallRelay(workerData as CallRelaySettings);
  say({ type: "listening", port: serving.port });
  const telling = setInterval(() => say({ type: "figures", figures: serving.figures(), day: serving.day() }), FIGURES_MS);
  parentPort?.once("message", async () => {
    clearInterval(telling);
    await serving.close();
    parentPort?.close();
  });
} catch (error) {
  say({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
}
