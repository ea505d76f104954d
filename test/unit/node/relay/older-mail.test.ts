// What nodes of earlier versions gossip while keepers have the mail alone: taken where it is kept or read, else passed on once and not stored.
import { expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { OutgoingMail } from "#node/relay/intake/outgoing-mail.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_HEIGHT, MAIL_START_SEC, type MailNode, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const [bob, carol] = [mailboxOwner(CHAIN_ID, 7), mailboxOwner(CHAIN_ID, 8)];
const alice = boxWriter(CHAIN_ID, 20);

/** A node that keeps bob's mail, and carol's not. */
async function keeper(gossip = false): Promise<MailNode & { readonly typed: string[] }> {
  const node = await mailNode();
  const typed: string[] = [];
  const outgoing: Partial<OutgoingMail> = {
    ways: { gossip, keepers: true },
    own: (boxes) => Promise.resolve(new Set(boxes.filter((box) => box === bob.pub))),
    sendTyping: ({ to }) => void typed.push(to),
    onReaders: () => undefined,
    elsewhere: undefined,
  };
  node.relay.sendThrough(outgoing as OutgoingMail);
  return Object.assign(node, { typed });
}

const bring = (node: MailNode, ...some: readonly Envelope[]): Promise<string> => node.tie.handlers.envelopes(some, "peer");

it("is stored for its box alone, and all of it goes on, once", async () => {
  const node = await keeper();
  const [kept, other] = [unsealedEnvelope(bob.pub), unsealedEnvelope(carol.pub)];
  expect([await bring(node, kept), await bring(node, kept), await bring(node, other), await bring(node, other)]).toEqual([
    "accept",
    "ignore",
    "accept",
    "ignore",
  ]);
  expect([node.store.count(bob.pub), node.store.count(carol.pub)]).toEqual([1, 0]);
  const twice = unsealedEnvelope(carol.pub);
  expect((await Promise.all([bring(node, twice), bring(node, twice)])).toSorted()).toEqual(["accept", "ignore"]);
  // An altered copy keeps no true one out; what has another id no keeper takes; a fee that no one signed is a lie.
  const fresh = unsealedEnvelope(carol.pub);
  expect([await bring(node, { ...fresh, sender_pub: "ef".repeat(32) }), await bring(node, fresh)]).toEqual(["accept", "accept"]);
  expect(await bring(node, { ...unsealedEnvelope(carol.pub), id: "a name" })).toBe("ignore");
  const unpaid = { ...unsealedEnvelope(carol.pub), sender_ed25519_pub: "ab".repeat(32), fee_ut: 5, fee_sig: "A".repeat(86).concat("==") };
  expect(await bring(node, unsealedEnvelope(bob.pub), unpaid)).toBe("reject");
  expect(node.store.count(carol.pub)).toBe(0);
});

it("of opened boxes goes on with what proves it, and not with what does not", async () => {
  const node = await keeper();
  const opening = carol.opening(alice.key, { untilSec: MAIL_START_SEC + 86_400, height: MAIL_HEIGHT });
  const envelope = { ...carol.envelope(1), sent_at: MAIL_START_SEC };
  const admit = alice.admit(envelope);
  const admitted = (over: object = {}): Promise<string> => node.tie.handlers.admitted([{ opening, envelope, admit, ...over }], "peer");
  expect(await admitted({ admit: alice.admit(carol.envelope(2)) })).toBe("reject");
  expect(await admitted({ opening: { ...opening, height: 9 } })).toBe("reject");
  expect([await admitted(), await admitted()]).toEqual(["accept", "ignore"]);
  expect([node.store.count(carol.pub), node.relay.boxes.find(carol.pub)]).toEqual([0, undefined]);
  const own = bob.opening(alice.key, { untilSec: MAIL_START_SEC + 86_400, height: MAIL_HEIGHT });
  const mine = { ...bob.envelope(1), sent_at: MAIL_START_SEC };
  expect(await admitted({ opening: own, envelope: mine, admit: alice.admit(mine) })).toBe("accept");
  expect(node.store.count(bob.pub)).toBe(1);
});

it("is taken at a tenth of the rates, each peer and all, and costs no one a penalty beyond", async () => {
  const node = await keeper();
  const { party } = NETWORK_LIMITS.olderMail;
  const batch = (): Envelope[] => Array.from({ length: 32 }, () => unsealedEnvelope(carol.pub));
  let accepted = 0;
  for (let sent = 0; sent < party.burst + 320; sent += 32) if ((await bring(node, ...batch())) === "accept") accepted += 32;
  expect([accepted <= party.burst, accepted > party.burst - 64]).toEqual([true, true]);
  expect(await node.tie.handlers.envelopes([unsealedEnvelope(carol.pub)], "another")).toBe("accept");
  node.nowSec += 1;
  expect(await bring(node, unsealedEnvelope(carol.pub))).toBe("accept");
});

it("and typing: by gossip while gossip has mail, then to keepers", async () => {
  const [before, after] = [await keeper(true), await keeper()];
  const notice = { to: bob.pub, from: carol.pub };
  for (const { tie } of [before, after]) tie.typing.publish(notice);
  expect([before.typed, before.typing, after.typed, after.typing]).toEqual([[], [bob.pub], [bob.pub], []]);
});
