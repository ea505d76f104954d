// Open boxes: a stranger's flood neither displaces nor refuses a contact's mail, and no one but the owner opens, reads out or empties a box.
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import type { AdmittedEnvelope, MailboxRequest, MailboxResponse, PeerOffence, PeerView } from "#node/network/peer-network.ts";
import { createLog } from "#node/observability/log.ts";
import type { MailClient } from "#node/relay/intake/mail-service.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { readMailboxPage } from "#node/relay/mailbox-page.ts";
import { MailboxSync } from "#node/relay/mailbox-sync.ts";
import { OpenedBoxes } from "#node/relay/owners/opened-boxes.ts";
import { OWN_PARTY } from "#node/storage/mailbox/mail-sources.ts";
import { ROOMS, type Room } from "#node/storage/mailbox/waiting-envelopes.ts";
import { type BoxOpening, KNOWN_AFTER_S, MAX_OPEN_S } from "#shared/protocol/mail/box-opening.ts";
import { type Envelope, envelopeBytes } from "#shared/protocol/mail/envelope.ts";
import { hostTimers } from "#shared/util/host.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { mailboxPage } from "#test/support/nodes/test-network.ts";
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

const START_SEC = MAIL_START_SEC;
const DAY_S = 86_400;
const HEIGHT = MAIL_HEIGHT;
const LOG = createLog("json", { write: () => undefined });
const bob = mailboxOwner(CHAIN_ID, 7);
const carol = mailboxOwner(CHAIN_ID, 8);
const alice = boxWriter(CHAIN_ID, 20);
const mallory = boxWriter(CHAIN_ID, 21);

const FRIEND = mailClient("friend");
const FLOOD = mailClient("flood");

const opened = (height = HEIGHT, days = 20, writer = alice, owner = bob): BoxOpening =>
  owner.opening(writer.key, { untilSec: START_SEC + Math.round(days * DAY_S), height });

/** Large envelopes as they are counted. */
const LARGE = 100_000;
/** A node that asks once for what its reader missed. */
async function sync(node: MailNode, respond: (request: MailboxRequest) => MailboxResponse): Promise<readonly PeerOffence[]> {
  const reported: PeerOffence[] = [];
  node.relay.serve(bob.pub);
  const network = {
    peers: (): PeerView[] => [{ name: "other", connectedAtMs: 1 } as PeerView],
    partyOf: (name: string): { readonly name: string; readonly standing: "stranger" } => ({ name, standing: "stranger" }),
    report: (_: string, offence: PeerOffence): void => void reported.push(offence),
    requestMailbox: (_: string, request: MailboxRequest): Promise<MailboxResponse> => Promise.resolve(respond(request)),
  };
  const clock = { nowMs: (): number => node.nowSec * 1_000, monotonicMs: (): number => 0 };
  await new MailboxSync({ network, relay: node.relay, store: node.store, clock, timers: hostTimers, log: LOG }).poll();
  return reported;
}

const envelope = (recipientPub = bob.pub, bytes?: number): Envelope => unsealedEnvelope(recipientPub, bytes);
const many = (length: number, recipientPub?: string, bytes?: number): Envelope[] =>
  Array.from({ length }, () => envelope(recipientPub, bytes));
const idsIn = ({ relay }: MailNode, recipientPub = bob.pub): readonly string[] =>
  relay.list({ recipientPub, limit: 10_000 }).items.map((item) => item.envelope.id);

describe("beside a stranger's flood, mail over an open box", () => {
  it("arrives, each of it, while thousands of tiny envelopes come for the same key", async () => {
    const node = await mailNode();
    await sendMail(node, many(2_000), FLOOD);
    await node.relay.boxes.take(opened(), FRIEND);
    const sent: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const own = many(3);
      expect(await sendMail(node, own, FRIEND, alice.admit)).toEqual(["stored", "stored", "stored"]);
      sent.push(...own.map(({ id }) => id));
      expect(new Set(await sendMail(node, many(400), FLOOD))).toEqual(new Set(["FORBIDDEN"]));
      expect(new Set(await sendMail(node, many(20), FLOOD, mallory.admit))).toEqual(new Set(["FORBIDDEN"]));
    }
    expect(idsIn(node).slice(2_000)).toEqual(sent);
  });

  it("arrives while one network of clients fills the node and floods the lasting mailbox", async () => {
    const node = await mailNode({ totalBytes: 30 * LARGE, sourceDayBytes: 1_000 * LARGE });
    await node.relay.boxes.take(opened(), FRIEND);
    const sent: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      await sendMail(node, many(30, carol.pub, 70_000), FLOOD);
      const own = envelope(bob.pub, 70_000);
      expect(await sendMail(node, [own], FRIEND, alice.admit)).toEqual(["stored"]);
      sent.push(own.id);
    }
    expect(idsIn(node)).toEqual(sent);
    expect(node.store.totalBytes()).toBeLessThanOrEqual(30 * LARGE);
  });

  it("arrives while a network fills open boxes of its own, and other mail stays", async () => {
    const node = await mailNode({ totalBytes: 40 * LARGE, sourceDayBytes: 1_000 * LARGE });
    await node.relay.boxes.take(opened(), FRIEND);
    await node.relay.boxes.take(opened(HEIGHT, 20, mallory, carol), FLOOD);
    const strangers = many(9, mailboxOwner(CHAIN_ID, 30).pub, 70_000);
    await sendMail(node, strangers, mailClient("stranger"));
    const codes = await sendMail(node, many(60, carol.pub, 70_000), FLOOD, mallory.admit);
    expect(codes.filter((code) => code === "RELAY_FULL").length).toBeGreaterThan(20);
    const own = many(5, bob.pub, 70_000);
    expect(new Set(await sendMail(node, own, FRIEND, alice.admit))).toEqual(new Set(["stored"]));
    await sendMail(node, many(20, carol.pub, 70_000), FLOOD, mallory.admit);
    expect(idsIn(node)).toEqual(own.map(({ id }) => id));
    expect(idsIn(node, mailboxOwner(CHAIN_ID, 30).pub)).toHaveLength(9);
    expect(node.store.open.bytes).toBeLessThanOrEqual(20 * LARGE);
  });

  it("is not made room for at the cost of who would then have less in open boxes", async () => {
    const size = envelopeBytes(envelope());
    const node = await mailNode({ totalBytes: 40 * size });
    await node.relay.boxes.take(opened(), FRIEND);
    await node.relay.boxes.take(opened(HEIGHT, 20, mallory, carol), FLOOD);
    await sendMail(node, many(12, carol.pub), FLOOD, mallory.admit);
    await sendMail(node, many(8), FRIEND, alice.admit);
    const large = envelope(bob.pub, 1_200);
    expect(envelopeBytes(large)).toBeGreaterThan(4 * size);
    expect(await sendMail(node, [large], FRIEND, alice.admit)).toEqual(["RELAY_FULL"]);
    expect([idsIn(node).length, idsIn(node, carol.pub).length]).toEqual([8, 12]);
    expect(await sendMail(node, many(1), FRIEND, alice.admit)).toEqual(["stored"]);
    expect([idsIn(node).length, idsIn(node, carol.pub).length]).toEqual([9, 11]);
  });

  it("reaches those who read here while other nodes fill open boxes of others", async () => {
    const size = envelopeBytes(envelope(bob.pub, 70_000));
    const node = await mailNode({ totalBytes: 40 * size });
    await node.relay.boxes.take(opened(), FRIEND);
    node.relay.serve(bob.pub);
    const gossip = async (from: BoxOpening, by: typeof alice, some: readonly Envelope[]): Promise<string[]> => {
      const results: string[] = [];
      for (const each of some)
        results.push(await node.tie.handlers.admitted([{ opening: from, envelope: each, admit: by.admit(each) }], "peer"));
      return results;
    };
    const flooded = await gossip(opened(HEIGHT, 20, mallory, carol), mallory, many(25, carol.pub, 70_000));
    expect(flooded.filter((result) => result === "accept")).toHaveLength(15);
    const own = many(5, bob.pub, 70_000);
    expect(await gossip(opened(), alice, own)).toEqual(own.map(() => "accept"));
    expect(idsIn(node)).toEqual(own.map(({ id }) => id));
  });

  it("leaves other mail its half of the node, also when other nodes bring mail for strangers", async () => {
    const size = envelopeBytes(envelope(bob.pub, 70_000));
    const node = await mailNode({ totalBytes: 40 * size });
    const reader = mailboxOwner(CHAIN_ID, 30).pub;
    await node.relay.boxes.take(opened(), FRIEND);
    const inBox = many(20, bob.pub, 70_000);
    await sendMail(node, inBox, FRIEND, alice.admit);
    await sendMail(node, many(15, reader, 70_000), mailClient("stranger"));
    expect(await node.tie.handlers.envelopes([envelope(carol.pub, 70_000)], "peer")).toBe("accept");
    // A quarter of that half stays for those who read here.
    expect([idsIn(node), idsIn(node, reader).length, idsIn(node, carol.pub).length]).toEqual([inBox.map(({ id }) => id), 14, 1]);
  });

  it("goes before other mail where it has more than its half, as the node was given less room", async () => {
    const size = envelopeBytes(envelope(bob.pub, 70_000));
    const node = await mailNode({ totalBytes: 40 * size });
    const reader = mailboxOwner(CHAIN_ID, 30).pub;
    const placing = { source: { party: "before", tag: "" }, admit: "signature" };
    const before = many(50, bob.pub, 70_000);
    for (const each of before) node.store.put(each, START_SEC, { ...placing, findRoom: (): Room => ROOMS.open });
    for (const each of many(5, reader, 70_000)) node.store.put(each, START_SEC, { source: FLOOD });
    expect(await sendMail(node, many(1, carol.pub, 70_000), FRIEND)).toEqual(["stored"]);
    expect([idsIn(node), idsIn(node, reader).length]).toEqual([before.slice(16).map(({ id }) => id), 5]);
  });

  it("counts apart from what the same network sends to strangers on a day", async () => {
    const size = envelopeBytes(envelope());
    const node = await mailNode({ sourceDayBytes: 3 * size + 10 });
    await node.relay.boxes.take(opened(), FRIEND);
    expect(await sendMail(node, many(4, carol.pub), FRIEND)).toEqual(["stored", "stored", "stored", "RATE_LIMITED"]);
    expect(await sendMail(node, many(4), FRIEND, alice.admit)).toEqual(["stored", "stored", "stored", "RATE_LIMITED"]);
  });

  it("is refused only when the contact itself has filled the box, and nothing goes for it", async () => {
    const node = await mailNode({ boxEnvelopes: 3 });
    await sendMail(node, many(5), FLOOD);
    await node.relay.boxes.take(opened(), FRIEND);
    const own = many(4);
    expect(await sendMail(node, own, FRIEND, alice.admit)).toEqual(["stored", "stored", "stored", "MAILBOX_FULL"]);
    expect(idsIn(node).slice(5)).toEqual(own.slice(0, 3).map(({ id }) => id));
    await node.relay.deletions.take(bob.deletion([own[0]?.id ?? ""], HEIGHT));
    expect(await sendMail(node, own.slice(3), FRIEND, alice.admit)).toEqual(["stored"]);
  });

  it("neither goes first nor is hidden because some node says it was read, and does not come back once deleted", async () => {
    const node = await mailNode();
    await node.relay.boxes.take(opened(), FRIEND);
    const [first, second] = many(2) as [Envelope, Envelope];
    await sendMail(node, [first, second], FRIEND, alice.admit);
    await node.tie.handlers.deletion({ mailbox: bob.pub, ids: [first.id, second.id], proof: null }, "peer");
    node.relay.hide(bob.pub, first.id);
    expect([node.store.deleted.hidden.oldest(), node.relay.count(bob.pub, true)]).toEqual([undefined, 2]);
    await node.relay.deletions.take(bob.deletion([first.id], HEIGHT));
    // Whoever has seen envelope and signature can hand them in again.
    expect(await sendMail(node, [first], FLOOD, alice.admit)).toEqual(["stored"]);
    expect(idsIn(node)).toEqual([second.id]);
  });

  it("takes only envelopes whose id is the hash of their contents", async () => {
    const node = await mailNode();
    await node.relay.boxes.take(opened(), FRIEND);
    const altered = { ...envelope(), ciphertext: envelope(bob.pub, 21).ciphertext };
    expect(await sendMail(node, [altered], FRIEND, alice.admit)).toEqual(["ENVELOPE_INVALID"]);
    expect(await node.tie.handlers.admitted([{ opening: opened(), envelope: altered, admit: alice.admit(altered) }], "peer")).toBe(
      "reject",
    );
    await expect(node.relay.send(bob.pub, new Uint8Array(9))).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(idsIn(node)).toEqual([]);
  });

  it("is refused when it is replayed once its deletion is forgotten: handed in, over gossip and over sync, with another time too", async () => {
    const [node, other] = [await mailNode(), await mailNode()];
    const mail = envelope();
    const item = { opening: opened(), envelope: mail, admit: alice.admit(mail) };
    await node.relay.boxes.take(opened(), FRIEND);
    await sendMail(node, [mail], FRIEND, alice.admit);
    await node.relay.deletions.take(bob.deletion([mail.id], HEIGHT));
    // 32 days on the mark of the deletion is gone; the box is open again.
    node.nowSec += 33 * DAY_S;
    other.nowSec = node.nowSec;
    node.store.deleted.prune(node.nowSec - 32 * DAY_S);
    expect(node.store.deleted.has(bob.pub, mail.id)).toBe(false);
    await node.relay.boxes.take(opened(HEIGHT + 1, 50), FRIEND);
    const later = { ...mail, sent_at: node.nowSec };
    for (const each of [mail, later]) expect(await sendMail(node, [each], FLOOD, () => item.admit)).toEqual(["FORBIDDEN"]);
    for (const opening of [opened(), opened(HEIGHT + 1, 50)])
      expect(await node.tie.handlers.admitted([{ ...item, opening }], "peer")).toBe("ignore");
    expect(await node.tie.handlers.admitted([{ ...item, envelope: later }], "peer")).toBe("reject");
    // Also where no opening is known any more.
    for (const at of [node, other]) {
      expect(await sync(at, () => mailboxPage({ envelopes: [mail], admits: [item.admit] }))).toEqual([]);
      expect(idsIn(at)).toEqual([]);
    }
    expect(await sync(node, () => mailboxPage({ envelopes: [later], admits: [item.admit] }))).toEqual([]);
    expect(idsIn(node)).toEqual([]);
  });

  it("is of the present: as old as mail is kept, and a day ahead at most", async () => {
    const node = await mailNode();
    await node.relay.boxes.take(opened(), FRIEND);
    const at = (seconds: number): Envelope => ({ ...envelope(), sent_at: START_SEC + seconds });
    expect(await sendMail(node, [at(-30 * DAY_S), at(DAY_S)], FRIEND, alice.admit)).toEqual(["stored", "stored"]);
    expect(await sendMail(node, [at(-30 * DAY_S - 1), at(DAY_S + 1)], FRIEND, alice.admit)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
    expect(await sendMail(node, [{ ...envelope(), sent_at: 0 }], FRIEND, alice.admit)).toEqual(["FORBIDDEN"]);
  });

  it("takes the place of a copy that someone was faster with, who changed its sender or time", async () => {
    const [gossip, synced] = [await mailNode(), await mailNode()];
    for (const change of [{ sender_pub: "dd".repeat(32) }, { sent_at: START_SEC - 5 }]) {
      const mail = envelope();
      const item = { opening: opened(), envelope: mail, admit: alice.admit(mail) };
      for (const node of [gossip, synced]) expect(node.store.put({ ...mail, ...change }, START_SEC)).toBe("stored");
      expect(await gossip.tie.handlers.admitted([item], "peer")).toBe("accept");
      const page = mailboxPage({ openings: [opened()], envelopes: [mail], admits: [item.admit] });
      expect(await sync(synced, () => page)).toEqual([]);
      for (const node of [gossip, synced]) expect(node.store.get(bob.pub, mail.id)?.envelope).toEqual(mail);
      expect(await gossip.tie.handlers.admitted([item], "peer")).toBe("ignore");
    }
  });

  it("is kept out by no false signature, which a node took with a copy of it before it knew the opening", async () => {
    const node = await mailNode();
    for (const change of [{}, { sender_pub: "dd".repeat(32) }]) {
      node.store.boxes.prune(Number.MAX_SAFE_INTEGER);
      const mail = envelope();
      const item = { opening: opened(), envelope: mail, admit: alice.admit(mail) };
      const planted = mailboxPage({ envelopes: [{ ...mail, ...change }], admits: [mallory.admit(mail)] });
      expect(await sync(node, () => planted)).toEqual([]);
      expect(node.relay.boxes.find(bob.pub)).toBe(undefined);
      expect(idsIn(node)).toContain(mail.id);
      expect(await node.tie.handlers.admitted([item], "peer")).toBe("accept");
      const held = node.store.get(bob.pub, mail.id);
      expect([held?.envelope, node.store.open.admitOf(held?.seq ?? 0)]).toEqual([mail, item.admit]);
      expect(await node.tie.handlers.admitted([item], "peer")).toBe("ignore");
    }
  });

  it("goes for no copy that someone changed while there is no room for it", async () => {
    const node = await mailNode({ boxEnvelopes: 1 });
    const mail = envelope();
    const earlier = { ...mail, sent_at: START_SEC - 5 };
    node.store.put(earlier, START_SEC);
    await node.relay.boxes.take(opened(), FRIEND);
    await sendMail(node, [envelope()], FRIEND, alice.admit);
    const item = { opening: opened(), envelope: mail, admit: alice.admit(mail) };
    expect(await node.tie.handlers.admitted([item], "peer")).toBe("ignore");
    expect(node.store.get(bob.pub, mail.id)?.envelope).toEqual(earlier);
    expect(await sendMail(node, [mail], FRIEND, alice.admit)).toEqual(["MAILBOX_FULL"]);
    expect(node.store.get(bob.pub, mail.id)?.envelope).toEqual(earlier);
  });

  it("takes the place of such a copy, or of a bare one, also where its sender hands it in, once", async () => {
    const node = await mailNode();
    for (const change of [{ sender_pub: "dd".repeat(32) }, { sent_at: START_SEC - 5 }, {}]) {
      const mail = envelope();
      node.store.put({ ...mail, ...change }, START_SEC);
      await node.relay.boxes.take(opened(), FRIEND);
      for (let time = 0; time < 2; time += 1) expect(await sendMail(node, [mail], FRIEND, alice.admit)).toEqual(["stored"]);
      const held = node.store.get(bob.pub, mail.id);
      expect([held?.envelope, node.store.open.admitOf(held?.seq ?? 0)]).toEqual([mail, alice.admit(mail)]);
      expect(node.mail.splice(0).map((item) => item.envelope)).toEqual([mail]);
    }
    expect([node.relay.count(bob.pub), node.store.usage(bob.pub).bytes, node.store.open.usageOf(bob.pub).count]).toEqual([
      3,
      3 * envelopeBytes(envelope()),
      3,
    ]);
  });

  it("counts once where what it takes the place of went for its room already", async () => {
    const size = envelopeBytes(envelope());
    const node = await mailNode({ totalBytes: 4 * size });
    await sendMail(node, many(3, carol.pub), mailClient("other"));
    const mail = envelope();
    node.store.put({ ...mail, sent_at: START_SEC - 5 }, START_SEC, { source: FLOOD });
    node.relay.hide(bob.pub, mail.id);
    await node.relay.boxes.take(opened(), FRIEND);
    expect(await sendMail(node, [mail], FRIEND, alice.admit)).toEqual(["stored"]);
    const { items } = node.relay.list({ recipientPub: bob.pub, limit: 9 });
    expect(items.map((item) => item.envelope)).toEqual([mail]);
    expect([node.store.usage(bob.pub), node.store.totalCount()]).toEqual([{ count: 1, bytes: size }, 4]);
  });

  it("is asked for in words where the node knows no opening", async () => {
    const node = await mailNode();
    expect(await sendMail(node, [envelope()], FRIEND, alice.admit)).toEqual(["NOT_FOUND"]);
    expect(await sendMail(node, [envelope()], FRIEND)).toEqual(["stored"]);
  });
});

describe("a hostile opener", () => {
  it("without the mailbox's key opens nothing, whatever it changes", async () => {
    const node = await mailNode();
    const right = opened();
    const wrong: readonly BoxOpening[] = [
      { ...opened(HEIGHT, 20, mallory, carol), mailbox: bob.pub },
      { ...right, writeKey: mallory.key },
      { ...right, untilSec: right.untilSec + 1 },
      { ...right, read: "owner" },
      { ...right, height: HEIGHT + 1 },
    ];
    for (const opening of wrong) {
      await expect(node.relay.boxes.take(opening, FLOOD)).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
      expect(await node.tie.handlers.opening(opening, "peer")).toBe("reject");
      const item = { opening, envelope: envelope(), admit: "" };
      expect(await node.tie.handlers.admitted([{ ...item, admit: mallory.admit(item.envelope) }], "peer")).toBe("reject");
    }
    expect([node.relay.boxes.find(bob.pub), node.openings, idsIn(node)]).toEqual([undefined, [], []]);
  });

  it("cannot invent one as a node: any changed byte of an opening or an admission is refused", async () => {
    const [node, knowing] = [await mailNode(), await mailNode()];
    const opening = opened();
    const mail = envelope();
    const admit = alice.admit(mail);
    const flip = (base64: string, at: number, bit: number): string => {
      const bytes = Buffer.from(base64, "base64");
      bytes[at % 64] = (bytes[at % 64] ?? 0) ^ (1 << (bit % 8));
      return bytes.toString("base64");
    };
    const changes = fc.oneof(
      fc.record({ writeKey: fc.constantFrom(mallory.key, boxWriter(CHAIN_ID, 22).key) }),
      fc.record({ untilSec: fc.integer({ min: 1, max: MAX_OPEN_S }).map((more) => opening.untilSec + more) }),
      fc.record({ height: fc.integer({ min: 1, max: 600 }).map((more) => HEIGHT + more) }),
      fc.record({ read: fc.constant("owner" as const) }),
      fc.tuple(fc.nat(), fc.nat()).map(([at, bit]) => ({ signature: flip(opening.signature, at, bit) })),
    );
    await fc.assert(
      fc.asyncProperty(changes, fc.nat(), fc.nat(), async (change, at, bit) => {
        const invented = { ...opening, ...change };
        expect(await node.tie.handlers.opening(invented, "peer")).toBe("reject");
        expect(await node.relay.boxes.learn([invented], FLOOD)).toBe(false);
        expect(await node.tie.handlers.admitted([{ opening: invented, envelope: mail, admit }], "peer")).toBe("reject");
        expect(await knowing.tie.handlers.admitted([{ opening, envelope: mail, admit: flip(admit, at, bit) }], "peer")).toBe("reject");
      }),
      { numRuns: extent(20, 60), seed: 5 },
    );
    expect([idsIn(node), idsIn(knowing), node.relay.boxes.find(bob.pub)]).toEqual([[], [], undefined]);
  });

  it("replays an older opening in vain, also once the later one is over", async () => {
    const node = await mailNode();
    const older = opened(HEIGHT, 29, mallory);
    await node.relay.boxes.take(older, FLOOD);
    await node.relay.boxes.take(opened(HEIGHT + 1, 10), FRIEND);
    const foreign = envelope();
    for (const days of [0, 15]) {
      node.nowSec = START_SEC + days * DAY_S;
      await expect(node.relay.boxes.take(older, FLOOD)).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await node.tie.handlers.opening(older, "peer")).toBe("ignore");
      expect(await node.relay.boxes.learn([older], FLOOD)).toBe(true);
      expect(await node.tie.handlers.admitted([{ opening: older, envelope: foreign, admit: mallory.admit(foreign) }], "peer")).toBe(
        "ignore",
      );
      expect(node.relay.boxes.find(bob.pub)?.opening.writeKey).toBe(alice.key);
    }
    expect(idsIn(node)).toEqual([]);
  });

  it("opens for no longer than 30 days, not for the past, and not with a height of another time", async () => {
    const node = await mailNode();
    for (const days of [-1, 0, 30.1, 4_000])
      await expect(node.relay.boxes.take(opened(HEIGHT, days), FRIEND)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    for (const height of [HEIGHT - 601, HEIGHT + 601]) {
      await expect(node.relay.boxes.take(opened(height), FRIEND)).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await node.tie.handlers.opening(opened(height), "peer")).toBe("ignore");
    }
    // Clocks of nodes differ a little.
    expect(await node.tie.handlers.opening(opened(HEIGHT, 30.1), "peer")).toBe("ignore");
    expect(node.relay.boxes.find(bob.pub)).toBe(undefined);
    expect(await node.tie.handlers.opening(opened(HEIGHT, 30.02), "peer")).toBe("accept");
    const open = { ...bob.opening("01".padEnd(64, "0"), { untilSec: START_SEC + 9, height: HEIGHT + 1 }) };
    await expect(node.relay.boxes.take(open, FRIEND)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await node.tie.handlers.opening(open, "peer")).toBe("reject");
  });

  it("opens so many of one network and so many in all, and displaces none", async () => {
    const node = await mailNode({ sourceBoxes: 3, relayBoxes: 8, foreignPercent: 50 });
    const box = (n: number): BoxOpening => opened(HEIGHT, 20, alice, mailboxOwner(CHAIN_ID, 100 + n));
    const outcome = (n: number, from: MailClient): Promise<string> =>
      node.relay.boxes.take(box(n), from).then(
        () => "open",
        ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
      );
    for (const n of [0, 1, 2]) expect(await outcome(n, FLOOD)).toBe("open");
    expect(await outcome(3, FLOOD)).toBe("RELAY_FULL More than 3 boxes are open from this network: let some of them end");
    for (const n of [4, 5]) expect(await node.tie.handlers.opening(box(n), "one")).toBe("accept");
    for (const n of [6, 7]) expect(await node.tie.handlers.opening(box(n), "two")).toBe("accept");
    // Full for other nodes; it is passed on, and clients of this one have room.
    expect(await node.tie.handlers.opening(box(8), "three")).toBe("accept");
    expect(node.relay.boxes.find(box(8).mailbox)).toBe(undefined);
    expect(await outcome(9, FRIEND)).toBe("open");
    expect(await outcome(10, mailClient("more"))).toBe("RELAY_FULL 8 boxes are open at this node: use another node");
    for (const n of [0, 1, 2, 4, 5, 6, 7, 9]) expect(node.relay.boxes.find(box(n).mailbox)?.isOpen).toBe(true);
    // The same once more is no other box; and what is over makes room.
    expect(await outcome(0, FLOOD)).toBe("open");
    node.nowSec += 21 * DAY_S;
    const later = carol.opening(alice.key, { untilSec: node.nowSec + DAY_S, height: HEIGHT });
    expect((await node.relay.boxes.take(later, FLOOD)).mailbox).toBe(carol.pub);
  });

  it("from however many networks leaves the node's own programs their boxes", async () => {
    const node = await mailNode({ sourceBoxes: 2, relayBoxes: 3 });
    const box = (n: number): BoxOpening => opened(HEIGHT, 20, alice, mailboxOwner(CHAIN_ID, 100 + n));
    for (const n of [0, 1, 2]) await node.relay.boxes.take(box(n), mailClient(`network ${n}`));
    await expect(node.relay.boxes.take(box(3), mailClient("network 3"))).rejects.toMatchObject({ code: "RELAY_FULL" });
    const own: MailClient = { party: OWN_PARTY, tag: "", isLimited: false };
    for (const n of [4, 5]) expect((await node.relay.boxes.take(box(n), own)).mailbox).toBe(box(n).mailbox);
    await expect(node.relay.boxes.take(box(6), own)).rejects.toMatchObject({ code: "RELAY_FULL" });
  });

  it("that lets boxes lapse and opens them again has no more of them than others", async () => {
    const node = await mailNode({ sourceBoxes: 2 });
    const box = (n: number, days: number): BoxOpening =>
      mailboxOwner(CHAIN_ID, 100 + n).opening(alice.key, { untilSec: node.nowSec + days * DAY_S, height: node.height ?? 0 });
    for (const n of [0, 1]) await node.relay.boxes.take(box(n, 1), FLOOD);
    node.nowSec += 2 * DAY_S;
    node.height = HEIGHT + 1;
    for (const n of [2, 3]) await node.relay.boxes.take(box(n, 1), FLOOD);
    for (const n of [0, 1]) await expect(node.relay.boxes.take(box(n, 1), FLOOD)).rejects.toMatchObject({ code: "RELAY_FULL" });
  });
});

describe("a node that does not know the height of the chain yet", () => {
  it("opens no box, as it could not tell an opening that nothing replaces, and learns those of before later", async () => {
    const node = await mailNode();
    node.height = undefined;
    await expect(node.relay.boxes.take(opened(), FRIEND)).rejects.toMatchObject({ code: "UNAVAILABLE", status: 503 });
    expect(await node.tie.handlers.opening(opened(4_000_000), "peer")).toBe("ignore");
    expect(await node.relay.boxes.learn([opened()], FRIEND)).toBe(true);
    expect(node.relay.boxes.find(bob.pub)).toBe(undefined);
    node.height = HEIGHT;
    expect(await node.relay.boxes.learn([opened(HEIGHT + 601)], FRIEND)).toBe(true);
    expect(node.relay.boxes.find(bob.pub)).toBe(undefined);
    expect(await node.relay.boxes.learn([opened(HEIGHT - 3_000)], FRIEND)).toBe(true);
    expect(node.relay.boxes.find(bob.pub)?.isOpen).toBe(true);
  });
});

describe("openings that come together", () => {
  it("share a commit, and each has its own outcome", async () => {
    const node = await mailNode({ sourceBoxes: 3 });
    const inTransaction = vi.spyOn(node.store, "inTransaction");
    const boxes = Array.from({ length: 5 }, (_, n) => opened(HEIGHT, 20, alice, mailboxOwner(CHAIN_ID, 100 + n)));
    const outcomes = await Promise.allSettled(boxes.map((box) => node.relay.boxes.take(box, FLOOD)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(inTransaction).toHaveBeenCalledTimes(1);
  });

  it("fail together where the disk does, and no rejection is unhandled while signatures are checked on another thread", async () => {
    const { store } = await mailNode();
    const native = createNativeVerifier();
    const verify = (...input: Parameters<typeof native>): Promise<boolean> =>
      new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(native(...input)))));
    const clock = { nowMs: (): number => START_SEC * 1_000, monotonicMs: (): number => 0 };
    const changed = { chainId: CHAIN_ID, limits: MAILBOX_LIMITS, isEnabled: true, onChanged: (): void => undefined };
    const relayBoxes = new OpenedBoxes({ ...changed, store, clock, verify, height: () => HEIGHT });
    vi.spyOn(store, "inTransaction").mockImplementation(() => {
      throw new Error("The disk is full");
    });
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const boxes = Array.from({ length: 3 }, (_, n) => opened(HEIGHT, 20, alice, mailboxOwner(CHAIN_ID, 100 + n)));
    await expect(relayBoxes.learn(boxes, FRIEND)).rejects.toThrow("The disk is full");
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("are refused beyond what can wait", async () => {
    const node = await mailNode({ waitingEnvelopes: 1 });
    const boxes = [0, 1].map((n) => opened(HEIGHT, 20, alice, mailboxOwner(CHAIN_ID, 100 + n)));
    const outcomes = await Promise.allSettled(boxes.map((box) => node.relay.boxes.take(box, FLOOD)));
    expect(outcomes).toMatchObject([{ status: "fulfilled" }, { reason: { code: "RELAY_FULL" } }]);
  });
});

describe("a box whose time is over", () => {
  it("takes what its contact admits for 90 days, in the room of every mailbox; then it is one like any other", async () => {
    const node = await mailNode({ recipientEnvelopes: 2 });
    await node.relay.boxes.take(opened(HEIGHT, 10), FRIEND);
    node.nowSec += 11 * DAY_S;
    expect(node.relay.boxes.find(bob.pub)?.isOpen).toBe(false);
    const own = many(3);
    expect(await sendMail(node, own, FRIEND, alice.admit)).toEqual(["stored", "stored", "stored"]);
    expect([idsIn(node), node.store.open.bytes]).toEqual([own.slice(1).map(({ id }) => id), 0]);
    expect(await sendMail(node, [envelope()], FLOOD)).toEqual(["FORBIDDEN"]);
    node.nowSec += KNOWN_AFTER_S;
    expect(await sendMail(node, [envelope()], FLOOD)).toEqual(["stored"]);
  });

  it("has room of its own again when it is opened again", async () => {
    const node = await mailNode({ boxEnvelopes: 2 });
    await node.relay.boxes.take(opened(HEIGHT, 1), FRIEND);
    node.nowSec += 2 * DAY_S;
    await node.relay.boxes.take(opened(HEIGHT + 5, 20), FRIEND);
    expect(await sendMail(node, many(3), FRIEND, alice.admit)).toEqual(["stored", "stored", "MAILBOX_FULL"]);
  });
});

describe("between nodes, an opening", () => {
  it("is passed on once, and with it what is admitted: the contact writes at one node, the owner reads at another", async () => {
    const [reading, between, writing] = [await mailNode(), await mailNode(), await mailNode()];
    const opening = opened();
    await reading.relay.boxes.take(opening, FRIEND);
    expect(await passMail(reading, between)).toEqual(["accept"]);
    expect(await writing.tie.handlers.opening(opening, "peer")).toBe("accept");
    for (const node of [reading, between, writing]) expect(await node.tie.handlers.opening(opening, "peer")).toBe("ignore");
    const own = envelope();
    expect(await sendMail(writing, [own], FRIEND, alice.admit)).toEqual(["stored"]);
    expect(writing.plain).toEqual([]);
    const [item] = writing.mail as [AdmittedEnvelope];
    expect(await between.tie.handlers.admitted([item], "peer")).toBe("accept");
    expect(await passMail(writing, reading)).toEqual(["accept"]);
    expect(await reading.tie.handlers.admitted([item], "peer")).toBe("ignore");
    for (const node of [reading, between, writing]) expect(idsIn(node)).toEqual([own.id]);
  });

  it("comes with the first mail to a node that missed it, whatever its height", async () => {
    const node = await mailNode();
    node.height = HEIGHT + 50_000;
    const own = envelope();
    expect(await node.tie.handlers.admitted([{ opening: opened(), envelope: own, admit: alice.admit(own) }], "peer")).toBe("accept");
    expect([idsIn(node), node.relay.boxes.find(bob.pub)?.isOpen]).toEqual([[own.id], true]);
    expect(await node.tie.handlers.envelopes([envelope()], "peer")).toBe("ignore");
  });

  it("closes the mailbox for what other nodes bring without an admission, or by the key of before", async () => {
    const node = await mailNode();
    const before = envelope();
    await node.tie.handlers.envelopes([before], "peer");
    await node.relay.boxes.take(opened(HEIGHT, 20, mallory), FRIEND);
    await node.relay.boxes.take(opened(HEIGHT + 1), FRIEND);
    expect(await node.tie.handlers.envelopes(many(3), "peer")).toBe("ignore");
    const foreign = envelope();
    const old = { opening: opened(HEIGHT, 20, mallory), envelope: foreign, admit: mallory.admit(foreign) };
    expect(await node.tie.handlers.admitted([old], "peer")).toBe("ignore");
    expect(await sendMail(node, [foreign], FLOOD, mallory.admit)).toEqual(["FORBIDDEN"]);
    expect(idsIn(node)).toEqual([before.id]);
  });

  it("does not fail because someone was faster with other contents under the id of an envelope", async () => {
    const [missed, plain] = [await mailNode(), await mailNode()];
    const own = envelope();
    const squatter = { ...own, ciphertext: envelope(bob.pub, 21).ciphertext };
    for (const node of [missed, plain]) await node.tie.handlers.envelopes([squatter], "peer");
    expect(await missed.tie.handlers.admitted([{ opening: opened(), envelope: own, admit: alice.admit(own) }], "peer")).toBe("accept");
    expect(await plain.tie.handlers.envelopes([own], "peer")).toBe("accept");
    for (const node of [missed, plain])
      expect(node.relay.list({ recipientPub: bob.pub, limit: 9 }).items.map((item) => item.envelope)).toEqual([own]);
    expect(await plain.tie.handlers.envelopes([squatter], "peer")).toBe("ignore");
  });

  it("is learned, and passed on, also where someone was faster with the bare envelope", async () => {
    const node = await mailNode();
    const [own, next] = many(2) as [Envelope, Envelope];
    const item = { opening: opened(), envelope: own, admit: alice.admit(own) };
    expect(await node.tie.handlers.envelopes([own], "peer")).toBe("accept");
    expect(await node.tie.handlers.admitted([{ ...item, admit: mallory.admit(own) }], "peer")).toBe("reject");
    expect(await node.tie.handlers.admitted([item], "peer")).toBe("accept");
    expect(await node.tie.handlers.admitted([item], "peer")).toBe("ignore");
    expect(await node.tie.handlers.envelopes([next], "peer")).toBe("ignore");
    expect(await node.tie.handlers.admitted([{ ...item, envelope: next, admit: alice.admit(next) }], "peer")).toBe("accept");
    expect([idsIn(node), node.store.open.usageOf(bob.pub).count]).toEqual([[own.id, next.id], 1]);
    expect(readMailboxPage(node.store, { recipients: [bob.pub], since: 0, cursor: null }).admits).toEqual([own, next].map(alice.admit));
  });

  it("is passed on by a node whose mailbox is switched off, and so is what is admitted", async () => {
    const node = await mailNode({}, false);
    const own = envelope();
    expect(await node.tie.handlers.opening(opened(), "peer")).toBe("accept");
    expect(await node.tie.handlers.admitted([{ opening: opened(), envelope: own, admit: alice.admit(own) }], "peer")).toBe("accept");
    expect(await node.tie.handlers.admitted([{ opening: opened(), envelope: own, admit: mallory.admit(own) }], "peer")).toBe("reject");
    await expect(node.relay.boxes.take(opened(), FRIEND)).rejects.toMatchObject({ code: "RELAY_FULL" });
  });

  it("does not keep mail out for which there is no room to remember it", async () => {
    const node = await mailNode({ relayBoxes: 0 });
    const own = envelope();
    expect(await node.tie.handlers.admitted([{ opening: opened(), envelope: own, admit: alice.admit(own) }], "peer")).toBe("accept");
    expect([idsIn(node), node.store.open.bytes]).toEqual([[own.id], 0]);
    // Another node that asks for it can judge it.
    expect(readMailboxPage(node.store, { recipients: [bob.pub], since: 0, cursor: null }).admits).toEqual([alice.admit(own)]);
  });
});

describe("mailbox sync", () => {
  it("brings openings with what they admit, of any height", async () => {
    const [other, node] = [await mailNode(), await mailNode()];
    await other.relay.boxes.take(opened(), FRIEND);
    const own = many(70);
    await sendMail(other, own, FRIEND, alice.admit);
    node.height = HEIGHT + 9_000;
    expect(await sync(node, (request) => readMailboxPage(other.store, request))).toEqual([]);
    expect([idsIn(node).length, node.relay.boxes.find(bob.pub)?.isOpen]).toEqual([70, true]);
    expect(node.store.open.usageOf(bob.pub).count).toBe(70);
  });

  it("takes nothing for an open box that was not admitted, as nodes of earlier versions hand it over", async () => {
    const node = await mailNode();
    await node.relay.boxes.take(opened(), FRIEND);
    const [own, foreign] = many(2) as [Envelope, Envelope];
    const page = mailboxPage({ envelopes: [foreign, own], admits: [mallory.admit(foreign), alice.admit(own)] });
    expect(await sync(node, () => page)).toEqual([]);
    expect(await sync(node, () => mailboxPage({ envelopes: many(2) }))).toEqual([]);
    expect(idsIn(node)).toEqual([own.id]);
  });

  it("reports who invents an opening, and believes nothing of it", async () => {
    const node = await mailNode();
    const invented = { ...opened(HEIGHT, 20, mallory, carol), mailbox: bob.pub };
    const foreign = envelope();
    const page = mailboxPage({ openings: [invented], envelopes: [foreign], admits: [mallory.admit(foreign)] });
    expect(await sync(node, () => page)).toEqual(["invalid"]);
    expect([node.relay.boxes.find(bob.pub), idsIn(node)]).toEqual([undefined, []]);
  });
});
