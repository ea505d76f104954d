// `npm run soak -- --keepers [--minutes 10] [--seed 1]`: people write to each other over eight keepers of their mail, of which up to two are
// away at any time. Every message arrives once, and in the end repair has brought it to the three keepers of its box. Prints how long they took; ends with a failure when one is lost or doubled.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import { KeeperRanks } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createRandom, type Random } from "../support/host/random.ts";
import { createTemporaryFolder } from "../support/host/temporary-folder.ts";
import { directoryOf, keeperOf, type MailServiceNode, startMailService } from "../support/nodes/mail-keepers.ts";
import { type MailboxOwner, mailboxOwner } from "../support/nodes/mailbox-owner.ts";
import { actor, CHAIN_ID } from "../support/worlds/ledger-world.ts";

export interface MailKeepersOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

const KEEPERS = [11, 12, 13, 14, 15, 16, 17, 18];
/** Nodes at which people read and write. */
const USERS = [21, 22];
const BOXES = 16;
const SEND_PAUSE_MS = 100;
const MOST_AWAY = 2;
/** A keeper is away for so long at most, ms, and another one goes after so long. */
const AWAY_MS = 15_000;
const FAULT_PAUSE_MS = 6_000;
/** More often than in earnest, as keepers come and go more often. */
const REPAIR = { repairMs: 10_000, firstRepairMs: 2_000 };

/** True when all went well. */
export async function runMailKeepers({ minutes, seed, say }: MailKeepersOptions): Promise<boolean> {
  await using folder = await createTemporaryFolder();
  const network = new KeeperNetwork(folder.path);
  const random = createRandom(seed);
  try {
    await network.startAll();
    const endMs = performance.now() + minutes * 60_000;
    const faults = network.breakKeepers(random, endMs);
    await network.write(random, endMs);
    const faultCount = await faults;
    await pollUntil(() => network.waiting === 0, { timeoutMs: 120_000, what: "the last messages to arrive" }).catch(() => undefined);
    const { sent, doubled, times } = network;
    const at = (share: number): number => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
    say(`${sent} messages, ${faultCount} keepers stopped: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
    say(`${network.waiting} lost, ${doubled} doubled`);
    const endedMs = performance.now();
    await pollUntil(() => network.misplaced === 0, { timeoutMs: 180_000, what: "repair to bring all to its keepers" }).catch(
      () => undefined,
    );
    const tookS = Math.round((performance.now() - endedMs) / 1_000);
    say(`${network.misplaced} not at their keepers ${tookS} s later, ${network.repaired} brought by repair since the last starts`);
    return sent > 0 && network.waiting === 0 && doubled === 0 && network.misplaced === 0;
  } finally {
    await network.stopAll();
  }
}

class KeeperNetwork {
  sent = 0;
  doubled = 0;
  readonly #folder: string;
  readonly #directory = new HeldDirectory();
  readonly #nodes = new Map<number, MailServiceNode>();
  readonly #owners: readonly MailboxOwner[];
  readonly #sentAtMs = new Map<string, number>();
  readonly #tookMs = new Map<string, number>();
  readonly #boxOf = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
    const nowSec = Math.floor(Date.now() / 1_000);
    this.#owners = Array.from({ length: BOXES }, (_, n) => mailboxOwner(CHAIN_ID, 60 + n, nowSec));
  }

  get waiting(): number {
    return this.#sentAtMs.size - this.#tookMs.size;
  }

  /** Copies that are missing at the three keepers of their boxes. */
  get misplaced(): number {
    const ranks = new KeeperRanks(this.#directory, { nowMs: Date.now });
    const byKey = new Map(KEEPERS.map((n) => [actor(n).pub, this.#nodes.get(n)]));
    let missing = 0;
    for (const [id, box] of this.#boxOf)
      for (const { key } of ranks.keepersOf(box)?.keeping ?? []) if (byKey.get(key)?.store.sizeOf(box, id) === undefined) missing += 1;
    return missing;
  }

  /** Envelopes that keepers which run have fetched from others. */
  get repaired(): number {
    return [...this.#nodes.values()].reduce((sum, { keeperMail }) => sum + keeperMail.repairFigures.fetched, 0);
  }

  /** How long each took, ms, the shortest first. */
  get times(): readonly number[] {
    return [...this.#tookMs.values()].toSorted((a, b) => a - b);
  }

  async startAll(): Promise<void> {
    for (const n of [...KEEPERS, ...USERS]) await this.#start(n);
    for (const [index, owner] of this.#owners.entries()) {
      const { relay } = this.#nodeOf(USERS[index % USERS.length] ?? 0);
      relay.serve(owner.pub);
    }
    for (const n of USERS)
      this.#nodeOf(n).relay.onArrival(
        ({ id, recipient_pub: box }) => this.#arrived(n, box, id),
        () => true,
      );
  }

  async stopAll(): Promise<void> {
    for (const [n, node] of [...this.#nodes]) {
      this.#nodes.delete(n);
      await node[Symbol.asyncDispose]();
    }
  }

  async write(random: Random, endMs: number): Promise<void> {
    for (let n = 1; performance.now() < endMs; n += 1) {
      const index = random.between(0, BOXES - 1);
      // From the other node.
      const { relay } = this.#nodeOf(USERS[(index + 1) % USERS.length] ?? 0);
      const envelope = this.#owners[index]?.envelope(n);
      if (envelope !== undefined) {
        this.#sentAtMs.set(envelope.id, performance.now());
        this.#boxOf.set(envelope.id, envelope.recipient_pub);
        await relay.broadcast(envelope);
        this.sent += 1;
      }
      await delay(SEND_PAUSE_MS);
    }
  }

  /** Stops keepers until the end; gives how many. */
  async breakKeepers(random: Random, endMs: number): Promise<number> {
    const returning = new Set<Promise<void>>();
    let count = 0;
    while (performance.now() < endMs) {
      await delay(FAULT_PAUSE_MS);
      const there = KEEPERS.filter((n) => this.#nodes.has(n));
      const gone = there[random.between(0, there.length - 1)];
      if (gone === undefined || KEEPERS.length - there.length >= MOST_AWAY) continue;
      count += 1;
      const away = this.#interrupt(gone, random.between(0, AWAY_MS)).finally(() => returning.delete(away));
      returning.add(away);
    }
    await Promise.all(returning);
    return count;
  }

  async #interrupt(n: number, awayMs: number): Promise<void> {
    const node = this.#nodeOf(n);
    this.#nodes.delete(n);
    await node[Symbol.asyncDispose]();
    await delay(awayMs);
    await this.#start(n);
  }

  async #start(n: number): Promise<void> {
    this.#nodes.set(n, await startMailService(n, join(this.#folder, String(n)), this.#directory, { limits: REPAIR }));
    const nowSec = Math.floor(Date.now() / 1_000);
    const keepers = KEEPERS.map((each) => keeperOf(each, this.#nodes.get(each)?.network.address ?? "/ip4/127.0.0.1/tcp/1"));
    this.#directory.give(directoryOf(keepers, nowSec - 7_200));
  }

  #nodeOf(n: number): MailServiceNode {
    const node = this.#nodes.get(n);
    if (node === undefined) throw new Error(`Node ${n} does not run`);
    return node;
  }

  #arrived(n: number, box: string, id: string): void {
    const index = this.#owners.findIndex(({ pub }) => pub === box);
    const sentAtMs = this.#sentAtMs.get(id);
    if (USERS[index % USERS.length] !== n || sentAtMs === undefined) return;
    if (this.#tookMs.has(id)) this.doubled += 1;
    this.#tookMs.set(id, performance.now() - sentAtMs);
  }
}
