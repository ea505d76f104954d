// What interrupts `npm run soak -- --files`. Each leaves everything in order again, but for what was under way.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ENDPOINT_FILE } from "#shared/desktop/local-endpoint.ts";
import type { Random } from "../support/host/random.ts";
import type { ProcessNetwork } from "../support/nodes/process-network.ts";
import type { Side } from "./file-side.ts";

/** What is interrupted. */
export interface Interrupted {
  readonly network: ProcessNetwork;
  readonly random: Random;
  readonly old: Side;
  readonly fresh: Side;
}

/** How long a disk is full, ms. */
const FULL_MS = 3_000;

/** Says what it did. */
type Interruption = (what: Interrupted) => Promise<string>;

const INTERRUPTIONS: readonly Interruption[] = [
  ({ fresh }): Promise<string> => restart(fresh, "new device killed"),
  ({ old }): Promise<string> => restart(old, "old device killed"),
  (what): Promise<string> => killNode(what, 0),
  (what): Promise<string> => killNode(what, 1),
  async ({ network, fresh }): Promise<string> => {
    const [first = "", second = ""] = network.nodes.map(({ dataDir }) => join(dataDir, ENDPOINT_FILE));
    fresh.endpointFile = fresh.endpointFile === first ? second : first;
    return restart(fresh, "new device at the other node");
  },
  async ({ network, random }): Promise<string> => {
    network.partition([0], [1]);
    await delay(random.between(1_000, 8_000));
    network.heal();
    return "no connection between the nodes";
  },
  async ({ fresh }): Promise<string> => {
    fresh.order({ type: "full", forMs: FULL_MS });
    await delay(FULL_MS);
    return "disk of the new device full";
  },
];

/** Each of them once, and then at random: a short run has all of them. */
export function interruption(count: number, random: Random): Interruption {
  const chosen = INTERRUPTIONS[count < INTERRUPTIONS.length ? count : random.between(0, INTERRUPTIONS.length - 1)];
  if (chosen === undefined) throw new Error("there are interruptions");
  return chosen;
}

async function restart(side: Side, what: string): Promise<string> {
  await side.end("SIGKILL");
  await side.start();
  return what;
}

async function killNode({ network, random }: Interrupted, index: number): Promise<string> {
  const node = network.node(index);
  await node.end("SIGKILL");
  await delay(random.between(0, 3_000));
  await node.start();
  return `node ${index} killed`;
}
