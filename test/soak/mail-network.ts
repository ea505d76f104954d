// `npm run soak -- --mail [--minutes 10] [--seed 1]`: two people write to each other through two nodes over eight keepers, all processes of
// one chain, over HTTP. First undisturbed, then while ten networks hand in mail for strangers as fast as keepers take it, and then while
// keepers are killed, one after the other. Prints how long messages took; ends with a failure when one is lost or came twice.
import { setTimeout as delay } from "node:timers/promises";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { createRandom, type Random } from "../support/host/random.ts";
import { createKeeperNetwork } from "../support/nodes/keeper-network.ts";
import { MailCount, type MailFigures } from "../support/nodes/mail-count.ts";
import { boxWriter, type MailboxOwner, mailboxOwner } from "../support/nodes/mailbox-owner.ts";
import type { ProcessNetwork, ProcessNode } from "../support/nodes/process-network.ts";

export interface MailNetworkOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

const KEEPERS = 8;
const VALIDATORS = 4;
/** What people read needs no proof here, and addresses are what requests say. */
const ENVIRONMENT = { SVC_INBOX_AUTH: "open", SVC_TRUSTED_PROXIES: "127.0.0.1" };
/** Parts of the time that come before keepers are killed. */
const QUIET_PART = 0.15;
const SEND_PAUSE_MS = 200;
/** Read messages are deleted in batches: an open box takes 2,000 that wait. */
const DELETED_AT_ONCE = 100;
const SOURCES = 10;
const STRANGERS = 256;
const FLOOD_BYTES = 4_096;
const REFUSED_PAUSE_MS = 1_000;
const FAULT_PAUSE_MS = 3_000;
const AWAY_MS = 12_000;
const OPEN_S = 86_400;
const MINUTE_MS = 60_000;
const WAIT = { timeoutMs: 120_000, intervalMs: 200 };
const HAND_IN = { timeoutMs: 60_000, intervalMs: 1_000, what: "a node to take a message" };
const PAGE = 500;

/** True when all went well. */
export async function runMailNetwork({ minutes, seed, say }: MailNetworkOptions): Promise<boolean> {
  await using network = await createKeeperNetwork({ validators: VALIDATORS, keepers: KEEPERS, users: 2 });
  await startAll(network);
  const count = new MailCount();
  const people = await meet(network, count);
  const random = createRandom(seed);
  const [wholeMs, partMs] = [minutes * MINUTE_MS, minutes * QUIET_PART * MINUTE_MS];
  let after = await write(people, count, { phase: "undisturbed", after: 0, forMs: partMs });
  sayPhase(say, count.figures("undisturbed"), "undisturbed");
  const flood = new Flood(network);
  const flooded = flood.run(partMs);
  after = await write(people, count, { phase: "flood", after, forMs: partMs });
  await flooded;
  sayPhase(say, count.figures("flood"), `flood: ${flood.taken} envelopes of ${SOURCES} networks taken, ${flood.refused} refused`);
  const kills = new Kills(network, random);
  const killed = kills.run(wholeMs);
  await write(people, count, { phase: "killed", after, forMs: wholeMs });
  await killed;
  sayPhase(say, count.figures("killed"), `${kills.count} keepers killed`);
  for (const person of people) person.close();
  const repeated = people.reduce((sum, { repeats }) => sum + repeats, 0);
  if (repeated > 0) say(`${repeated} messages were handed in again, as their node was busy`);
  if (kills.error !== undefined) say(`Killing ended: ${String(kills.error)}`);
  const all = ["undisturbed", "flood", "killed"].map((phase) => count.figures(phase));
  return (
    all.every(({ sent, lost, doubled }) => sent > 0 && lost === 0 && doubled === 0) &&
    kills.hasRun &&
    kills.error === undefined &&
    flood.taken > 0
  );
}

function sayPhase(say: (line: string) => void, { sent, lost, doubled, ...times }: MailFigures, what: string): void {
  const [p50, p99, longest] = [times.p50, times.p99, times.longest].map((ms) => `${Math.round(ms ?? 0)} ms`);
  say(`${what}: ${sent} messages, ${lost} lost, ${doubled} doubled, p50 ${p50}, p99 ${p99}, longest ${longest}`);
}

async function arrived(count: MailCount): Promise<void> {
  await pollUntil(() => count.missing === 0, { ...WAIT, what: "the last messages to arrive" }).catch(() => undefined);
}

/** Two at a time: ten at once would take each other the processors until none is there in time. */
async function startAll(network: ProcessNetwork): Promise<void> {
  const waiting = [...network.nodes];
  const startNext = async (): Promise<void> => {
    for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) await node.start([], ENVIRONMENT);
  };
  await Promise.all([startNext(), startNext()]);
  await Promise.all(network.nodes.map((node) => network.connected(node)));
}

/** One of two people at a node of their own. */
interface Person {
  /** Messages that were handed in more than once. */
  readonly repeats: number;
  send(phase: string, n: number): Promise<void>;
  close(): void;
}

/** Each opens a box for the other one and listens to it. */
async function meet(network: ProcessNetwork, count: MailCount): Promise<readonly Person[]> {
  const chainId = network.genesis.chain_id;
  const nowSec = Math.floor(Date.now() / 1_000);
  const [one, other] = [KEEPERS, KEEPERS + 1].map((index) => network.node(index)) as [ProcessNode, ProcessNode];
  const owners = [60, 61].map((n) => mailboxOwner(chainId, n, nowSec - OPEN_S)) as [MailboxOwner, MailboxOwner];
  const writers = [boxWriter(chainId, 70), boxWriter(chainId, 71)] as const;
  const sides = [
    { node: one, owner: owners[0], writer: writers[1], to: owners[1], by: writers[0] },
    { node: other, owner: owners[1], writer: writers[0], to: owners[0], by: writers[1] },
  ];
  const closers = await Promise.all(
    sides.map(async ({ node, owner, writer }) => {
      const { height } = (await node.client.getStatus({})).sync;
      const {
        mailbox: pub,
        writeKey: write_pub,
        read,
        untilSec: until,
        signature,
      } = owner.opening(writer.key, {
        ...{ untilSec: nowSec + OPEN_S, height },
      });
      await node.client.openBox({ body: { pub, write_pub, read, until, height, signature } });
      await node.client.listInbox({ pub });
      const listener = new Listener(node, owner, count);
      await listener.connect();
      return (): void => listener.close();
    }),
  );
  const repeats = [0, 0];
  return sides.map(({ node, to, by }, side) => ({
    get repeats(): number {
      return repeats[side] ?? 0;
    },
    close: (): void => closers[side]?.(),
    async send(phase, n): Promise<void> {
      const envelope = to.envelope(n);
      count.send(envelope.id, phase, performance.now());
      let tries = 0;
      // As a client does while its node has too much to do: the message counts from the first try on.
      await pollUntil(async () => {
        tries += 1;
        await node.client.broadcastEnvelope({ body: { envelope, admit: by.admit(envelope) } });
        return true;
      }, HAND_IN);
      repeats[side] = (repeats[side] ?? 0) + (tries > 1 ? 1 : 0);
    },
  }));
}

/** Hears of what arrives, connects again and lists where a connection broke, and deletes what was read. */
class Listener {
  readonly #node: ProcessNode;
  readonly #owner: MailboxOwner;
  readonly #count: MailCount;
  #socket: WebSocket | undefined;
  readonly #listed = new Set<string>();
  #read: string[] = [];
  #isClosed = false;

  constructor(node: ProcessNode, owner: MailboxOwner, count: MailCount) {
    this.#node = node;
    this.#owner = owner;
    this.#count = count;
  }

  async connect(): Promise<void> {
    const socket = new WebSocket(`${this.#node.baseUrl.replace("http", "ws")}/api/ws`);
    this.#socket = socket;
    const ready = Promise.withResolvers<void>();
    socket.addEventListener("error", () => ready.reject(new Error("The WebSocket failed")));
    socket.addEventListener("close", () => {
      ready.reject(new Error("The WebSocket closed"));
      if (socket === this.#socket && !this.#isClosed) void this.#again();
    });
    socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(String(data)) as { readonly type: string; readonly id?: string };
      if (frame.type === "hello") socket.send(JSON.stringify({ type: "subscribe", topic: `inbox:${this.#owner.pub}` }));
      else if (frame.type === "subscribed") ready.resolve();
      else if (frame.type === "error") ready.reject(new Error(`The node refuses: ${String(data)}`));
      // A list may have it before its push: that is no second message.
      else if (frame.type === "inbox" && frame.id !== undefined && !this.#listed.delete(frame.id)) this.#arrive(frame.id);
    });
    await ready.promise;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  async #again(): Promise<void> {
    this.#socket = undefined;
    const connect = async (): Promise<boolean> => {
      await this.connect();
      return true;
    };
    // Without it what comes is lost, and counted so.
    if (!(await pollUntil(connect, WAIT).catch(() => false))) return;
    let after = 0;
    for (let hasMore = true; hasMore && !this.#isClosed; ) {
      const page = await this.#node.client.listInbox({ pub: this.#owner.pub, limit: PAGE, after }).catch(() => undefined);
      for (const { id } of page?.items ?? [])
        if (!this.#count.has(id)) {
          this.#listed.add(id);
          this.#arrive(id);
        }
      after = page?.items.at(-1)?.seq ?? after;
      hasMore = page?.has_more ?? false;
    }
  }

  #arrive(id: string): void {
    this.#count.arrive(id, performance.now());
    this.#read.push(id);
    if (this.#read.length < DELETED_AT_ONCE) return;
    const ids = this.#read;
    this.#read = [];
    // Later once more: they fill the box otherwise.
    deleteRead(this.#node, this.#owner, ids).catch(() => void this.#read.push(...ids));
  }
}

async function deleteRead(node: ProcessNode, owner: MailboxOwner, ids: readonly string[]): Promise<void> {
  const { sync } = await node.client.getStatus({});
  const { mailbox: pub, height, signature } = owner.deletion(ids, sync.height);
  await node.client.deleteEnvelopes({ body: { pub, ids: [...ids], height, signature } });
}

/** Both write, until the time is over and all has arrived; gives the number of the last message. */
async function write(people: readonly Person[], count: MailCount, { phase, after, forMs }: Writing): Promise<number> {
  const endMs = performance.now() + forMs;
  let n = after;
  while (performance.now() < endMs) {
    n += 1;
    await Promise.all(people.map((person) => person.send(phase, n)));
    await delay(SEND_PAUSE_MS);
  }
  await arrived(count);
  return n;
}

interface Writing {
  readonly phase: string;
  /** Number of the message before. */
  readonly after: number;
  readonly forMs: number;
}

/** Ten networks of clients, each at another node, one request after the other. */
class Flood {
  taken = 0;
  refused = 0;
  readonly #nodes: readonly ProcessNode[];
  readonly #sender = boxKeyPair(new Uint8Array(32).fill(99));
  readonly #strangers = Array.from({ length: STRANGERS }, (_, n) => toHex(boxKeyPair(new Uint8Array(32).fill(1 + (n % 250))).publicKey));

  constructor({ nodes }: ProcessNetwork) {
    this.#nodes = nodes;
  }

  async run(forMs: number): Promise<void> {
    const endMs = performance.now() + forMs;
    await Promise.all(
      Array.from({ length: SOURCES }, async (_, source) => {
        const node = this.#nodes[source % this.#nodes.length];
        while (node !== undefined && performance.now() < endMs) await this.#hand(node, source);
      }),
    );
  }

  async #hand(node: ProcessNode, source: number): Promise<void> {
    const recipientPub = this.#strangers[(this.taken + this.refused) % STRANGERS] ?? "";
    const plaintext = utf8("stranger".padEnd(FLOOD_BYTES));
    const sealed = {
      plaintext,
      recipientPub,
      sender: this.#sender,
      senderMasterPub: "",
      nonce: crypto.getRandomValues(new Uint8Array(24)),
    };
    const envelope = sealEnvelope({ ...sealed, sentAt: Math.floor(Date.now() / 1_000) });
    const headers = { "content-type": "application/json", "x-forwarded-for": `11.${source}.0.1` };
    const body = JSON.stringify({ envelope });
    // A node that has enough of an address closes its connection.
    const response = await fetch(`${node.baseUrl}/relay/broadcast`, { method: "POST", headers, body }).catch(() => undefined);
    await response?.text().catch(() => undefined);
    if (response?.ok === true) this.taken += 1;
    else this.refused += 1;
    if (response?.ok !== true) await delay(REFUSED_PAUSE_MS);
  }
}

/** Kills keepers one after the other. */
class Kills {
  count = 0;
  /** What ended it before its time. */
  error: unknown;
  readonly #network: ProcessNetwork;
  readonly #random: Random;

  constructor(network: ProcessNetwork, random: Random) {
    this.#network = network;
    this.#random = random;
  }

  get hasRun(): boolean {
    return this.count > 0;
  }

  /** Never rejects: what was measured until then is said. */
  async run(forMs: number): Promise<void> {
    const endMs = performance.now() + forMs;
    try {
      while (performance.now() < endMs) {
        await this.#killNext();
        this.count += 1;
      }
    } catch (error) {
      this.error = error;
    }
  }

  async #killNext(): Promise<void> {
    const node = this.#network.node(this.count % KEEPERS);
    await node.end("SIGKILL");
    await delay(this.#random.between(0, AWAY_MS));
    await node.start([], ENVIRONMENT);
    await this.#network.connected(node);
    await delay(FAULT_PAUSE_MS);
  }
}
