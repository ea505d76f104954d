// Messages of a contact to a person, each with the time that it takes: through a node to another one by way of keepers, of which the victim is the
// first. The box is open for the contact alone; the person reads the box beside it too, to which anyone may write.
import { setTimeout as delay } from "node:timers/promises";
import { requestOf } from "#shared/api/client.ts";
import { x25519 } from "#shared/protocol/mail/envelope.ts";
import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { LiveFeed } from "../bench/load/live.ts";
import { pollUntil } from "../support/host/poll-until.ts";
import { MailCount, type MailFigures } from "../support/nodes/mail-count.ts";
import { type BoxWriter, boxWriter, type MailboxOwner, mailboxOwner } from "../support/nodes/mailbox-owner.ts";
import type { ProcessNetwork, ProcessNode } from "../support/nodes/process-network.ts";
import type { Work } from "./honest-work.ts";
import { contactSeeds } from "./siege-network.ts";

const CONTACT = 250;
const OPEN_S = 86_400;
/** Messages are sent at this pace, however long those before take. */
const PACE_MS = 100;
const RETRY_MS = 500;
/** A message that has not arrived after this is lost. */
const LOST_MS = 60_000;
const FIRST_MESSAGES = 10;
const FIRST_MS = 120_000;
/** Read messages are deleted in batches, as an open box takes 2,000 that wait. */
const DELETED_AT_ONCE = 100;

/** Begins to write, once the first messages arrive. */
export async function startContactMail(network: ProcessNetwork): Promise<Work> {
  const [from, to] = [network.node(network.nodes.length - 2), network.node(network.nodes.length - 1)];
  const chainId = network.genesis.chain_id;
  const { openBox, ownBox } = contactSeeds(network);
  const nowSec = Math.floor(Date.now() / 1_000);
  const [owner, person] = [openBox, ownBox].map((seed) => mailboxOwner(chainId, seed, nowSec - OPEN_S)) as [MailboxOwner, MailboxOwner];
  const writer = boxWriter(chainId, CONTACT);
  await open(to, owner, writer.key);
  for (const box of [owner, person]) await list(to, box);
  const mail = new ContactMail({ from, to, owner, writer });
  const feed = await LiveFeed.open(
    to.port,
    [owner, person].map(({ pub }) => `inbox:${pub}`),
    (id, atMs) => mail.arrive(id, atMs),
  );
  mail.begin("first");
  const sending = mail.send();
  const stop = async (): Promise<void> => {
    mail.end();
    feed.close();
    await sending;
  };
  try {
    await pollUntil(() => mail.done() >= FIRST_MESSAGES, { what: "the first messages to arrive", timeoutMs: FIRST_MS });
    return { done: (): number => mail.done(), refusals: mail.refusals, mail, stop };
  } catch (error) {
    await stop();
    const why = [...mail.refusals].map(([words, count]) => `${words} ${count}`).join(", ");
    throw new Error(`No mail of the contact arrives: ${why || "nothing was refused"}`, { cause: error });
  }
}

async function open({ client }: ProcessNode, owner: MailboxOwner, writeKey: string): Promise<void> {
  const { sync } = await client.getStatus({});
  const opening = owner.opening(writeKey, { untilSec: Math.floor(Date.now() / 1_000) + OPEN_S, height: sync.height });
  const { mailbox: pub, writeKey: write_pub, untilSec: until, ...rest } = opening;
  await client.openBox({ body: { pub, write_pub, until, ...rest } });
}

/** Lists a mailbox with the proof of its key, by which its node reads it at its keepers from now on. */
async function list({ client }: ProcessNode, { pub, keys }: MailboxOwner): Promise<void> {
  const { relay_pub } = await client.getStatus({});
  const secret = x25519(keys.secretKey, fromHex(relay_pub));
  if (secret === undefined) throw new Error("A node has a usable key");
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)));
  const proof = formatInboxProof(secret, { ...requestOf("listInbox", {}), unixSeconds: Math.floor(Date.now() / 1_000), nonce });
  await client.listInbox({ pub }, { headers: { "x-inbox-proof": proof } });
}

interface ContactMailParts {
  readonly from: ProcessNode;
  readonly to: ProcessNode;
  readonly owner: MailboxOwner;
  readonly writer: BoxWriter;
}

/** What is written, and what came of it. */
class ContactMail {
  readonly refusals = new Map<string, number>();
  readonly #parts: ContactMailParts;
  readonly #count = new MailCount();
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #phase = "";
  #read: string[] = [];

  constructor(parts: ContactMailParts) {
    this.#parts = parts;
  }

  done(): number {
    return this.#count.arrived;
  }

  begin(phase: string): void {
    this.#phase = phase;
  }

  async figures(phase: string): Promise<MailFigures> {
    const haveArrived = (): boolean => this.#count.figures(phase).lost === 0;
    await pollUntil(haveArrived, { timeoutMs: LOST_MS, intervalMs: PACE_MS }).catch(() => undefined);
    return this.#count.figures(phase);
  }

  arrive(id: string, atMs: number): void {
    const before = this.#count.arrived;
    this.#count.arrive(id, atMs);
    if (this.#count.arrived === before) return;
    this.#read.push(id);
    if (this.#read.length >= DELETED_AT_ONCE) this.#start(this.#delete(this.#read.splice(0)));
  }

  /** Writes until the end. */
  async send(): Promise<void> {
    for (let n = 1; !this.#ending.signal.aborted; n += 1) {
      this.#start(this.#handIn(n));
      await delay(PACE_MS);
    }
    await Promise.all(this.#underWay);
  }

  end(): void {
    this.#ending.abort();
  }

  #start(work: Promise<void>): void {
    const done = work.finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** As a messenger does: once more after a while, where its node does not take it. It counts from the first time on. */
  async #handIn(n: number): Promise<void> {
    const { from, owner, writer } = this.#parts;
    const envelope = owner.envelope(n);
    const body = { envelope, admit: writer.admit(envelope) };
    this.#count.send(envelope.id, this.#phase, performance.now());
    while (!this.#ending.signal.aborted) {
      try {
        await from.client.broadcastEnvelope({ body });
        return;
      } catch (error) {
        this.#note(error);
        await delay(RETRY_MS);
      }
    }
  }

  async #delete(ids: readonly string[]): Promise<void> {
    const { to, owner } = this.#parts;
    try {
      const { sync } = await to.client.getStatus({});
      const { mailbox: pub, height, signature } = owner.deletion(ids, sync.height);
      await to.client.deleteEnvelopes({ body: { pub, ids: [...ids], height, signature } });
    } catch (error) {
      this.#note(error);
      this.#read.push(...ids);
    }
  }

  #note(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    const words = error instanceof Error ? error.message.slice(0, 80) : String(error);
    this.refusals.set(words, (this.refusals.get(words) ?? 0) + 1);
  }
}
