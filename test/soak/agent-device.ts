// One side of `npm run soak -- --agent`: keyring and messaging engine of an agent over its own files, in a process that is killed at any time.
// Messages of the parent: "send", "verify", "stop". It reports how far it is.

import { setTimeout as delay } from "node:timers/promises";
import { openAgentKeyring } from "#agent/keyring/agent-keyring.ts";
import { followingClient, followingConnection } from "#agent/network/followed-node.ts";
import { startMessenger } from "#agent/network/run-messenger.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import { portPair } from "../support/worlds/port-pair.ts";

/** What the parent asks. */
export type DeviceOrder =
  | { readonly type: "send"; readonly to: string; readonly from: number; readonly count: number }
  | { readonly type: "verify"; readonly peer: string; readonly count: number }
  | { readonly type: "stop" };

/** What a device reports. */
export type DeviceReport =
  | { readonly type: "ready" }
  | { readonly type: "taken"; readonly index: number }
  | { readonly type: "verified"; readonly arrived: number; readonly distinct: number; readonly missing: readonly number[] };

/** Messages that wait before the writer pauses. */
const MOST_QUEUED = 400;
const PAUSE_MS = 20;
/** Orders that are given at once. */
const TOGETHER = 16;
const PAGE = 200;

const [dir = "", endpointFile = "", password = ""] = process.argv.slice(2);
const report = (message: DeviceReport): void => void process.send?.(message);

const agent = await openAgentKeyring(dir);
await agent.keyring.unlock({ password });
const source = { endpointFile };
const client = followingClient(source);
const live = followingConnection(source);
const { chain_id: chainId } = await client.getNetworkInfo({});
const [near, far] = portPair();
serveKeyring(far, agent.keyring, (raw) => Promise.resolve(raw.slice()));
const messenger = await startMessenger({ folder: dir, client, live, port: near, chainId });

process.on("message", (order: DeviceOrder) => {
  if (order.type === "send") void send(order);
  else if (order.type === "verify") void verify(order);
  else void stop();
});
process.on("disconnect", () => void stop());
report({ type: "ready" });

async function send({ to, from, count }: Extract<DeviceOrder, { type: "send" }>): Promise<void> {
  for (let first = from; first < count; first += TOGETHER) {
    while (messenger.getSnapshot().queued > MOST_QUEUED) await delay(PAUSE_MS);
    const last = Math.min(first + TOGETHER, count) - 1;
    const order = (index: number): Promise<unknown> =>
      messenger.sendOrdered({
        ...{ connection: "soak", idempotencyKey: `soak-message-${String(index).padStart(12, "0")}`, to },
        ...{ text: `message ${index}`, mode: "open" },
      });
    await Promise.all(Array.from({ length: last - first + 1 }, (_, place) => order(first + place)));
    report({ type: "taken", index: last });
  }
}

/** Every message exactly once, by the order in which they came. */
async function verify({ peer, count }: Extract<DeviceOrder, { type: "verify" }>): Promise<void> {
  const seen = new Set<number>();
  let [after, arrived] = [0, 0];
  for (let hasMore = true; hasMore; ) {
    const page = await messenger.readArrivals({ after, limit: PAGE, conversations: [peer] });
    for (const { id } of page.arrivals) {
      const { text } = await messenger.readEntry({ id });
      const index = Number(/^message (\d+)$/.exec(text ?? "")?.[1] ?? Number.NaN);
      if (Number.isInteger(index)) seen.add(index);
      arrived += 1;
    }
    ({ readTo: after, hasMore } = page);
  }
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !seen.has(index));
  report({ type: "verified", arrived, distinct: seen.size, missing: missing.slice(0, 10) });
}

async function stop(): Promise<void> {
  await messenger.stop();
  live.close();
  await agent.close();
  process.exit(0);
}
