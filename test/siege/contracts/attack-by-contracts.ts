// Attacks by contracts against four real validators, one after the other on a network of its own each: blocks before, while and after, the
// longest time between two blocks, and what the attacker paid.
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessNetwork } from "../../support/nodes/process-network.ts";
import { WORKS, type Work } from "../honest-work.ts";
import { startSiegeNetwork } from "../siege-network.ts";
import { ContractAttacker } from "./contract-attacker.ts";
import { CONTRACT_ATTACKS, type ContractAttack } from "./contract-attacks.ts";

/** What a window of time saw. */
export interface BlockWindow {
  readonly blocksPerSecond: number;
  readonly transfersPerSecond: number;
  /** Between two blocks, as a client sees them. */
  readonly longestMs: number;
}

/** What an attack came to. */
export interface ContractFigures {
  readonly title: string;
  readonly moduleBytes: number;
  readonly before: BlockWindow;
  readonly while: BlockWindow;
  readonly after: BlockWindow;
  readonly transactions: number;
  readonly refusals: Readonly<Record<string, number>>;
  /** Fees and gas while it attacked, µT. */
  readonly paidUt: number;
  /** Validators whose process ended. */
  readonly dead: number;
  /** Validators that have the newest block of the first one in the end. */
  readonly agreeing: number;
}

const VALIDATORS = 4;
const LOOK_MS = 20;
const ATTEMPT_PAUSE_MS = 20;
const AGREEING_MS = 60_000;

/** Runs all of them. */
export async function attackByContracts(seconds: number): Promise<readonly ContractFigures[]> {
  const rows: ContractFigures[] = [];
  for (const attack of CONTRACT_ATTACKS) {
    console.log(attack.title);
    await using network = await startSiegeNetwork({ validators: VALIDATORS });
    const work = await WORKS.transfers.start(network);
    try {
      rows.push(await measure(attack, network, { work, seconds }));
    } finally {
      await work.stop();
    }
  }
  return rows;
}

interface Honest {
  readonly work: Work;
  readonly seconds: number;
}

async function measure(attack: ContractAttack, network: ProcessNetwork, honest: Honest): Promise<ContractFigures> {
  const attacker = new ContractAttacker(
    network.genesis.chain_id,
    network.nodes.map(({ port }) => port),
  );
  await attacker.fund();
  const attempt = await attack.prepare(attacker);
  attacker.accepted = 0;
  attacker.refusals.clear();
  const before = await watch(network, honest);
  const balanceUt = await attacker.balanceUt();
  const ending = new AbortController();
  const attacking = repeat(attempt, ending.signal);
  const during = await watch(network, honest);
  ending.abort();
  await attacking;
  await attacker.settled();
  const after = await watch(network, honest);
  return {
    title: attack.title,
    moduleBytes: attacker.moduleBytes,
    before,
    while: during,
    after,
    transactions: attacker.accepted,
    refusals: Object.fromEntries(attacker.refusals),
    paidUt: balanceUt - (await attacker.balanceUt()),
    dead: network.nodes.filter(({ hasDied }) => hasDied).length,
    agreeing: await agreeing(network),
  };
}

async function repeat(attempt: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await attempt();
    await delay(ATTEMPT_PAUSE_MS);
  }
}

async function watch(network: ProcessNetwork, { work, seconds }: Honest): Promise<BlockWindow> {
  const { client } = network.node(0);
  const startMs = performance.now();
  const done = work.done();
  const first = (await client.getNetstats({})).height;
  let [height, changedMs, longestMs] = [first, startMs, 0];
  while (performance.now() - startMs < 1_000 * seconds) {
    await delay(LOOK_MS);
    const now = (await client.getNetstats({}).catch(() => ({ height }))).height;
    longestMs = Math.max(longestMs, performance.now() - changedMs);
    if (now !== height) [height, changedMs] = [now, performance.now()];
  }
  const passed = (performance.now() - startMs) / 1_000;
  return { blocksPerSecond: (height - first) / passed, transfersPerSecond: (work.done() - done) / passed, longestMs };
}

/** How many validators come to have what is now the newest block of the first. */
async function agreeing(network: ProcessNetwork): Promise<number> {
  const { height } = await network.node(0).client.getNetstats({});
  const hashes = await Promise.all(
    network.nodes.map(async ({ client }) => {
      for (let waitedMs = 0; waitedMs < AGREEING_MS; waitedMs += LOOK_MS) {
        const block = await client.getBlock({ index: height }).catch(() => undefined);
        if (block !== undefined) return block.hash;
        await delay(LOOK_MS);
      }
      return undefined;
    }),
  );
  return hashes.filter((hash) => hash !== undefined && hash === hashes[0]).length;
}
