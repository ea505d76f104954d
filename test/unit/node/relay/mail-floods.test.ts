// Who sends a lot, or reads and deletes a lot, keeps no one else's mail from arriving: at the sender's node, between nodes, at the reader's.
import { beforeEach, describe, expect, it } from "vitest";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import type { MailboxLimits } from "#node/relay/mailbox-limits.ts";
import { OWN_PARTY } from "#node/storage/mailbox/mail-sources.ts";
import { type Envelope, envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { type KeptMail, keptMail } from "#test/support/worlds/kept-mail.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import {
  MAIL_HEIGHT,
  MAIL_START_SEC,
  type MailNode,
  mailClient,
  mailNode,
  passMail,
  sendMail,
  unsealedEnvelope,
} from "#test/support/worlds/mail-world.ts";

const DAY_S = 86_400;
/** The key that the chain lists, which strangers know, and the box for one contact. */
const lasting = mailboxOwner(CHAIN_ID, 7);
const box = mailboxOwner(CHAIN_ID, 8);
const contact = boxWriter(CHAIN_ID, 20);
const CONTACT = mailClient("contact");
const FLOOD = mailClient("flood");
/** Bytes of a large envelope's content. */
const LARGE = 70_000;
const LIMITS: Partial<MailboxLimits> = { recipientEnvelopes: 30, boxEnvelopes: 30 };

let sending: MailNode;
let reading: MailNode;

async function start(limits: Partial<MailboxLimits>): Promise<void> {
  [sending, reading] = [await mailNode(limits), await mailNode(limits)];
  const opening = box.opening(contact.key, { untilSec: MAIL_START_SEC + 20 * DAY_S, height: MAIL_HEIGHT, read: "owner" });
  await reading.relay.boxes.take(opening, mailClient("owner"));
  for (const { pub } of [lasting, box]) reading.relay.serve(pub);
  await passMail(reading, sending);
}

/** The box is open at the sender's node and at all keepers. */
async function startKept(limits: Partial<MailboxLimits>, queueBytes?: number): Promise<KeptMail> {
  const kept = await keptMail(limits, queueBytes);
  const opening = box.opening(contact.key, { untilSec: MAIL_START_SEC + 20 * DAY_S, height: MAIL_HEIGHT });
  for (const { relay } of [kept.sending, ...kept.keepers]) await relay.boxes.take(opening, mailClient("owner"));
  return kept;
}

const many = (length: number, recipientPub: string, bytes?: number): Envelope[] =>
  Array.from({ length }, () => unsealedEnvelope(recipientPub, bytes));
const idsIn = ({ relay }: MailNode, recipientPub: string): readonly string[] =>
  relay.list({ recipientPub, limit: 10_000 }).items.map(({ envelope }) => envelope.id);

/** The contact writes at its own node; gives the outcome of each, and what of it the reader lists then. */
async function writeToBox(some: readonly Envelope[]): Promise<readonly [readonly string[], number]> {
  const outcomes = await sendMail(sending, some, CONTACT, contact.admit);
  await passMail(sending, reading);
  const there = new Set(idsIn(reading, box.pub));
  return [outcomes, some.filter(({ id }) => there.has(id)).length];
}

describe("a recipient who reads and deletes everything, again and again", () => {
  beforeEach(() => start(LIMITS));

  it("is never out of reach, over the box and over the lasting key: many times what waits at most", async () => {
    for (let round = 0; round < 6; round += 1) {
      const [toBox, toKey] = [many(25, box.pub), many(25, lasting.pub)];
      expect(await writeToBox(toBox)).toEqual([toBox.map(() => "stored"), 25]);
      expect(await sendMail(sending, toKey, CONTACT)).toEqual(toKey.map(() => "stored"));
      await passMail(sending, reading);
      for (const [owner, some] of [[box, toBox] as const, [lasting, toKey] as const]) {
        const ids = some.map(({ id }) => id);
        expect(await reading.relay.deletions.take(owner.deletion(ids, MAIL_HEIGHT))).toBe(25);
      }
      await passMail(reading, sending);
    }
    expect([sending.relay.envelopeCount, reading.relay.envelopeCount]).toEqual([0, 0]);
    expect([sending.store.open.bytes, reading.store.open.bytes]).toEqual([0, 0]);
  });

  it("gets no more once it stops reading than one box holds, and everything again as soon as it reads", async () => {
    const some = many(31, box.pub);
    const [outcomes, arrived] = await writeToBox(some);
    expect([outcomes.filter((outcome) => outcome === "stored").length, outcomes.at(-1), arrived]).toEqual([30, "MAILBOX_FULL", 30]);
    await reading.relay.deletions.take(box.deletion(idsIn(reading, box.pub), MAIL_HEIGHT));
    await passMail(reading, sending);
    expect(await writeToBox(some.slice(-1))).toEqual([["stored"], 1]);
  });
});

describe("2,000 tiny envelopes to the lasting key", () => {
  beforeEach(() => start({}));

  it("neither refuse nor delay a contact's message, at whichever node they come in", async () => {
    for (let flooded = 0; flooded < 4; flooded += 1) {
      const at = flooded % 2 === 0 ? sending : reading;
      expect(new Set(await sendMail(at, many(500, lasting.pub), FLOOD))).toEqual(new Set(["stored"]));
      await Promise.all(sending.plain.splice(0).map((each) => reading.tie.handlers.envelopes([each], "peer")));
      expect(await writeToBox(many(1, box.pub))).toEqual([["stored"], 1]);
    }
    // The lasting mailbox is full now; the contact's box is not.
    await sendMail(reading, many(10, lasting.pub), FLOOD);
    expect([idsIn(reading, lasting.pub).length, idsIn(reading, box.pub).length]).toEqual([2_000, 4]);
    expect(await writeToBox(many(3, box.pub))).toEqual([["stored", "stored", "stored"], 3]);
  });
});

describe("one address that fills what it may", () => {
  const size = envelopeBytes(unsealedEnvelope(lasting.pub, LARGE));
  beforeEach(() => start({ totalBytes: 40 * size, sourceDayBytes: 30 * size }));

  it("is refused by then, and others still get in: strangers, and contacts over a box, at both nodes", async () => {
    const unused = mailboxOwner(CHAIN_ID, 30).pub;
    const outcomes = await sendMail(sending, many(60, unused, LARGE), FLOOD);
    expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(30);
    expect(new Set(outcomes.slice(30))).toEqual(new Set(["RATE_LIMITED"]));
    await passMail(sending, reading);
    const stranger = many(8, lasting.pub, LARGE);
    expect(await sendMail(sending, stranger, mailClient("stranger"))).toEqual(stranger.map(() => "stored"));
    await passMail(sending, reading);
    const own = many(8, box.pub, LARGE);
    expect(await writeToBox(own)).toEqual([own.map(() => "stored"), 8]);
    for (const node of [sending, reading]) {
      expect(idsIn(node, lasting.pub)).toEqual(stranger.map(({ id }) => id));
      expect(idsIn(node, box.pub)).toEqual(own.map(({ id }) => id));
      expect(node.store.totalBytes()).toBeLessThanOrEqual(40 * size);
    }
  });
});

describe("the same where keepers have the mail", () => {
  const stored = (some: readonly Envelope[]): readonly string[] => some.map(() => "stored");

  it("M1: who reads and deletes everything is never out of reach", async () => {
    const { sending: from, keepers, queue, until, askAll } = await startKept(LIMITS);
    for (let round = 0; round < 4; round += 1) {
      const [toBox, toKey] = [many(25, box.pub), many(25, lasting.pub)];
      expect(await sendMail(from, toBox, CONTACT, contact.admit)).toEqual(stored(toBox));
      expect(await sendMail(from, toKey, CONTACT)).toEqual(stored(toKey));
      await until(() => queue.usage.count === 0);
      for (const [owner, some] of [[box, toBox] as const, [lasting, toKey] as const]) {
        for (const node of keepers) expect(idsIn(node, owner.pub).toSorted()).toEqual(some.map(({ id }) => id).toSorted());
        const { mailbox, ids, ...proof } = owner.deletion(
          some.map(({ id }) => id),
          MAIL_HEIGHT,
        );
        await askAll({ type: "delete", notices: [{ mailbox, ids, proof }] });
      }
      expect(keepers.map(({ relay }) => relay.envelopeCount)).toEqual([0, 0, 0]);
    }
  });

  it("M2: a flood of the lasting key leaves a contact's box as it is", async () => {
    const { sending: from, keepers, queue, until } = await startKept({ recipientEnvelopes: 100 });
    expect(new Set(await sendMail(from, many(150, lasting.pub), FLOOD))).toEqual(new Set(["stored"]));
    const own = many(3, box.pub);
    expect(await sendMail(from, own, CONTACT, contact.admit)).toEqual(stored(own));
    await until(() => queue.usage.count === 0);
    for (const node of keepers) expect([idsIn(node, lasting.pub).length, idsIn(node, box.pub).length]).toEqual([100, 3]);
  });

  it("a contact whose box is full at its keepers learns it, and only that one, until there is room again", async () => {
    const { sending: from, keepers, queue, until, askAll, time } = await startKept(LIMITS);
    const [first, late] = [many(30, box.pub), many(3, box.pub)];
    expect(await sendMail(from, first, CONTACT, contact.admit)).toEqual(stored(first));
    await until(() => queue.usage.count === 0);
    expect(await sendMail(from, late.slice(0, 1), CONTACT, contact.admit)).toEqual(["stored"]);
    const sentMs = time.nowMs;
    await until(() => time.nowMs > sentMs + KEEPER_LIMITS.answerMs);
    expect(await sendMail(from, late.slice(1), CONTACT, contact.admit)).toEqual(["MAILBOX_FULL", "MAILBOX_FULL"]);
    expect(await sendMail(from, many(1, lasting.pub), CONTACT)).toEqual(["stored"]);
    expect(await sendMail(from, late.slice(2), mailClient("elsewhere"), contact.admit)).toEqual(["stored"]);
    const { mailbox, ids, ...proof } = box.deletion(
      first.map(({ id }) => id),
      MAIL_HEIGHT,
    );
    await askAll({ type: "delete", notices: [{ mailbox, ids, proof }] });
    await until(() => queue.usage.count === 0);
    expect(await sendMail(from, late.slice(1, 2), CONTACT, contact.admit)).toEqual(["stored"]);
    await until(() => queue.usage.count === 0);
    for (const node of keepers) expect(idsIn(node, box.pub).toSorted()).toEqual(late.map(({ id }) => id).toSorted());
  });

  it("M3: one address hands in what it may on a day, and many that fill the queue displace each other alone", async () => {
    const size = envelopeBytes(unsealedEnvelope(lasting.pub, LARGE));
    const kept = await startKept({ sourceDayBytes: 8 * size }, 60 * LARGE);
    const { sending: from, keepers, queue, until } = kept;
    // Mail that no keeper takes: its box is open there, which the sender's node does not know.
    const closed = mailboxOwner(CHAIN_ID, 31);
    const opening = closed.opening(contact.key, { untilSec: MAIL_START_SEC + 20 * DAY_S, height: MAIL_HEIGHT });
    for (const { relay } of keepers) await relay.boxes.take(opening, mailClient("owner"));
    const outcomes = await sendMail(from, many(12, closed.pub, LARGE), FLOOD);
    expect([outcomes.filter((outcome) => outcome === "stored").length, new Set(outcomes.slice(8))]).toEqual([8, new Set(["RATE_LIMITED"])]);
    for (let network = 0; network < 8; network += 1) await sendMail(from, many(8, closed.pub, LARGE), mailClient(`flood ${network}`));
    expect(queue.usage.bytes).toBeGreaterThan(50 * LARGE);
    const [stranger, own, ours] = [many(3, lasting.pub, LARGE), many(3, box.pub, LARGE), many(3, lasting.pub, LARGE)];
    expect(await sendMail(from, stranger, mailClient("stranger"))).toEqual(stored(stranger));
    expect(await sendMail(from, own, CONTACT, contact.admit)).toEqual(stored(own));
    expect(await sendMail(from, ours, { party: OWN_PARTY, tag: "", isLimited: false })).toEqual(stored(ours));
    expect(queue.usage.bytes).toBeLessThanOrEqual(60 * LARGE);
    // What they refuse goes to each of them twice in two minutes, in base64.
    await until(() => kept.time.nowMs >= 2 * KEEPER_LIMITS.firstRefusedMs);
    expect(kept.putBytes).toBeLessThan(2 * 3 * 81 * LARGE * 1.4);
    await until(() => keepers.every((node) => idsIn(node, box.pub).length + idsIn(node, lasting.pub).length === 9));
  });
});
