// Mail, openings and deletions that a keeper has from who hands them in, before gossip brings them: gossip goes on with them, once, and with no
// other copy of them; and gossip beside keepers that fail.
import { expect, it } from "vitest";
import type { AdmittedEnvelope } from "#node/network/peer-network.ts";
import { NO_EXCHANGE, type OutgoingMail } from "#node/relay/intake/outgoing-mail.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_HEIGHT, MAIL_START_SEC, type MailNode, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const bob = mailboxOwner(CHAIN_ID, 7);
const alice = boxWriter(CHAIN_ID, 20);
const OPENING = bob.opening(alice.key, { untilSec: MAIL_START_SEC + 86_400, height: MAIL_HEIGHT });

/** A node to which mail comes both ways. */
async function keeper(put: OutgoingMail["put"] = (): Promise<void> => Promise.resolve()): Promise<MailNode> {
  const node = await mailNode();
  node.relay.sendThrough({
    figures: { queued: 0, queuedBytes: 0, handedOver: 0, expired: 0, refused: 0 },
    exchange: NO_EXCHANGE,
    ways: { gossip: true, keepers: true },
    put,
    learnOpening: () => Promise.resolve(),
    own: (boxes): Promise<ReadonlySet<string>> => Promise.resolve(new Set(boxes)),
    sendTyping: () => undefined,
    onReaders: () => undefined,
    elsewhere: undefined,
  });
  return node;
}

const gossip = (node: MailNode, ...some: readonly Envelope[]): Promise<string> => node.tie.handlers.envelopes(some, "peer");

it("of a mailbox that takes everything", async () => {
  const node = await keeper();
  const [put, both, other] = [unsealedEnvelope(bob.pub), unsealedEnvelope(bob.pub), unsealedEnvelope(bob.pub)];
  expect(await node.relay.receive([put], UNKNOWN_SOURCE)).toBe("accept");
  expect(await gossip(node, { ...put, sender_pub: "ef".repeat(32) })).toBe("ignore");
  expect(await gossip(node, { ...put, sent_at: put.sent_at + 1 })).toBe("ignore");
  expect(await gossip(node, { ...put, ciphertext: both.ciphertext, nonce: both.nonce })).toBe("ignore");
  const again = unsealedEnvelope(bob.pub);
  await node.relay.receive([again], UNKNOWN_SOURCE);
  expect([await gossip(node, again), await gossip(node, again)]).toEqual(["accept", "ignore"]);
  // What gossip brought first has been forwarded.
  expect([await gossip(node, both), await gossip(node, both)]).toEqual(["accept", "ignore"]);
  await node.relay.receive([other], UNKNOWN_SOURCE);
  expect([await gossip(node, both, other), await gossip(node, other)]).toEqual(["accept", "ignore"]);
});

it("of an opened box, with the opening that was checked here and no other", async () => {
  const node = await keeper();
  const envelope = unsealedEnvelope(bob.pub);
  const admit = alice.admit(envelope);
  await node.relay.boxes.learn([OPENING], UNKNOWN_SOURCE);
  expect(await node.relay.receive([envelope], UNKNOWN_SOURCE, [admit])).toBe("accept");
  const bring = (over: Partial<AdmittedEnvelope> = {}): Promise<string> =>
    node.tie.handlers.admitted([{ opening: OPENING, envelope, admit, ...over }], "peer");
  const forged = { ...OPENING, signature: `${OPENING.signature.startsWith("A") ? "B" : "A"}${OPENING.signature.slice(1)}` };
  expect(await bring({ opening: forged })).toBe("ignore");
  expect(await bring({ admit: alice.admit(unsealedEnvelope(bob.pub)) })).toBe("ignore");
  expect([await bring(), await bring()]).toEqual(["accept", "ignore"]);
  expect(await node.tie.handlers.opening(forged, "peer")).toBe("ignore");
  expect(await node.tie.handlers.opening(OPENING, "peer")).toBe("accept");
  expect(await node.tie.handlers.opening(OPENING, "peer")).toBe("ignore");
});

it("of a deletion", async () => {
  const node = await keeper();
  const [first, second] = [unsealedEnvelope(bob.pub), unsealedEnvelope(bob.pub)];
  await node.relay.receive([first, second], UNKNOWN_SOURCE);
  const { mailbox, ids, height, signature } = bob.deletion([first.id], MAIL_HEIGHT);
  expect(await node.relay.deletions.learn([{ mailbox, ids, height, signature }])).toBe(true);
  const bring = (some = ids): Promise<string> => node.tie.handlers.deletion({ mailbox, ids: some, proof: { height, signature } }, "peer");
  expect(await bring([second.id])).toBe("reject");
  expect([await bring(), await bring()]).toEqual(["accept", "ignore"]);
  expect(node.relay.list({ recipientPub: bob.pub, limit: 9 }).items.map(({ envelope }) => envelope.id)).toEqual([second.id]);
});

it("is taken of a client also while the queue to keepers fails", async () => {
  const node = await keeper(() => Promise.reject(new Error("The disk is full")));
  const envelope = unsealedEnvelope(bob.pub);
  expect(await node.relay.broadcast(envelope)).toEqual(envelope);
  expect(node.plain).toEqual([envelope]);
});
