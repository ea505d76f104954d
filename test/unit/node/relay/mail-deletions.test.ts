// Deletions that travel: an owner's signature empties all nodes, a false one costs its bringer, and what was only read stays until room is needed.
import { describe, expect, it } from "vitest";
import type { MailboxResponse, PeerNetwork, PeerOffence, PeerView } from "#node/network/peer-network.ts";
import { createLog } from "#node/observability/log.ts";
import { readMailboxPage } from "#node/relay/mailbox-page.ts";
import { MailboxSync } from "#node/relay/mailbox-sync.ts";
import { MAX_DELETIONS_OF_MAILBOX } from "#node/storage/mailbox/signed-deletion-repository.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { DeletionNotice } from "#shared/protocol/mail/mail-messages.ts";
import { hostTimers } from "#shared/util/host.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { mailboxPage } from "#test/support/nodes/test-network.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_HEIGHT, MAIL_START_SEC, type MailNode, mailNode } from "#test/support/worlds/mail-world.ts";

const START_SEC = MAIL_START_SEC;
const DAY_S = 86_400;
const HEIGHT = MAIL_HEIGHT;
const LOG = createLog("json", { write: () => undefined });
const bob = mailboxOwner(CHAIN_ID, 7);
const carol = mailboxOwner(CHAIN_ID, 8);

const take = (node: MailNode, envelopes: readonly Envelope[]): Promise<string> => node.tie.handlers.envelopes(envelopes, "peer");

function bring(node: MailNode, { mailbox, ids, height, signature }: BoxDeletion): Promise<string> {
  return node.tie.handlers.deletion({ mailbox, ids, proof: { height, signature } }, "peer");
}

const idsOf = ({ relay }: MailNode, recipientPub = bob.pub): readonly string[] =>
  relay.list({ recipientPub, limit: 100 }).items.map(({ envelope }) => envelope.id);

/** What gossip would do with the notices of a node. */
async function pass(from: MailNode, to: MailNode): Promise<readonly string[]> {
  return Promise.all(from.deletions.splice(0).map((notice) => to.tie.handlers.deletion(notice, "peer")));
}

/** Waits until the node has removed what is too old: an envelope of another mailbox shows it. */
async function prunes(node: MailNode): Promise<void> {
  const old = carol.envelope(99);
  node.store.put(old, node.nowSec - 40 * DAY_S);
  await pollUntil(() => node.store.sizeOf(carol.pub, old.id) === undefined);
}

const mails = (count: number): readonly Envelope[] => Array.from({ length: count }, (_, n) => bob.envelope(n));
const [first, second, third] = mails(3) as [Envelope, Envelope, Envelope];

describe("a signed deletion", () => {
  it("empties the mailbox at the reader's node, the sender's and those between, and is passed on once", async () => {
    const [reading, between, sending] = [await mailNode(), await mailNode(), await mailNode()];
    for (const node of [reading, between, sending]) await take(node, [first, second]);
    const deletion = bob.deletion([first.id], HEIGHT);
    expect(await reading.relay.deletions.take(deletion)).toBe(1);
    const [notice] = reading.deletions;
    expect(await pass(reading, between)).toEqual(["accept"]);
    expect(await sending.tie.handlers.deletion(notice as DeletionNotice, "peer")).toBe("accept");
    for (const node of [reading, between, sending]) {
      expect([idsOf(node), node.store.totalCount()]).toEqual([[second.id], 1]);
      expect(await bring(node, deletion)).toBe("ignore");
      expect(await take(node, [first])).toBe("ignore");
    }
  });

  it("of another key, of a changed list or of no key is refused to a client and costs a peer", async () => {
    const node = await mailNode();
    await take(node, [first, second]);
    const right = bob.deletion([first.id], HEIGHT);
    const wrong: readonly BoxDeletion[] = [
      { ...carol.deletion([first.id], HEIGHT), mailbox: bob.pub },
      { ...right, ids: [first.id, second.id] },
      { ...right, height: HEIGHT + 1 },
      { ...right, mailbox: "00".repeat(32) },
    ];
    for (const deletion of wrong) {
      await expect(node.relay.deletions.take(deletion)).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
      expect(await bring(node, deletion)).toBe("reject");
    }
    expect([idsOf(node), node.deletions, node.store.deleted.signed.list(bob.pub, 10_000)]).toEqual([[first.id, second.id], [], []]);
    // The key of another mailbox deletes nothing here, though the signature is right.
    expect(await bring(node, carol.deletion([first.id], HEIGHT))).toBe("ignore");
    expect(idsOf(node)).toEqual([first.id, second.id]);
  });

  it("is of about now", async () => {
    const node = await mailNode();
    await take(node, [first, second, third]);
    for (const height of [HEIGHT - 601, HEIGHT + 601]) {
      const deletion = bob.deletion([first.id], height);
      await expect(node.relay.deletions.take(deletion)).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await bring(node, deletion)).toBe("ignore");
    }
    expect(await bring(node, bob.deletion([first.id], HEIGHT - 600))).toBe("accept");
    expect(await node.relay.deletions.take(bob.deletion([second.id], HEIGHT + 600))).toBe(1);
    expect(idsOf(node)).toEqual([third.id]);
  });

  it("that was faster than its envelope still deletes it", async () => {
    const node = await mailNode();
    expect(await bring(node, bob.deletion([first.id], HEIGHT))).toBe("ignore");
    expect(await take(node, [first, second])).toBe("accept");
    expect(idsOf(node)).toEqual([second.id]);
    expect(await take(node, [first])).toBe("ignore");
  });

  it("stores nothing for mailboxes that nothing is known of", async () => {
    const node = await mailNode();
    for (let n = 0; n < 20; n += 1) await bring(node, bob.deletion([`made up ${n}`], HEIGHT - n));
    expect(await node.relay.deletions.take(bob.deletion(["made up"], HEIGHT))).toBe(0);
    expect([node.store.deleted.signed.list(bob.pub, 10_000), node.store.deleted.has(bob.pub, "made up")]).toEqual([[], false]);
  });

  it("outlives its envelope by two days", async () => {
    const node = await mailNode({ pruneIntervalMs: 1 });
    await take(node, [first]);
    await node.relay.deletions.take(bob.deletion([first.id], HEIGHT));
    const isKept = (): boolean => node.store.deleted.signed.has(bob.deletion([first.id], HEIGHT));
    node.nowSec += 31 * DAY_S;
    node.nowSec += 0.5 * DAY_S;
    await prunes(node);
    expect(isKept()).toBe(true);
    expect(await take(node, [first])).toBe("ignore");
    node.nowSec += DAY_S;
    await prunes(node);
    expect(isKept()).toBe(false);
  });

  it("is passed on by a node whose mailbox is switched off", async () => {
    const node = await mailNode({}, false);
    expect(await bring(node, bob.deletion([first.id], HEIGHT))).toBe("accept");
    expect(await bring(node, { ...bob.deletion([first.id], HEIGHT), ids: [second.id] })).toBe("reject");
  });

  it("is remembered so many times a mailbox, the oldest forgotten first", async () => {
    const node = await mailNode();
    const { signed } = node.store.deleted;
    node.store.inTransaction(() => {
      for (let n = 0; n <= MAX_DELETIONS_OF_MAILBOX; n += 1)
        signed.add({ mailbox: bob.pub, ids: [String(n)], height: n, signature: String(n) }, START_SEC + n);
    });
    const kept = signed.list(bob.pub, 1_000_000);
    expect([kept.length, kept[0]?.ids, kept.at(-1)?.ids]).toEqual([MAX_DELETIONS_OF_MAILBOX, [String(MAX_DELETIONS_OF_MAILBOX)], ["1"]]);
    expect(signed.list(bob.pub, 8 * 3).length).toBeLessThan(5);
  });
});

describe("mailbox sync", () => {
  /** A node that asks `other` once for what its reader missed. */
  async function sync(node: MailNode, respond: PeerNetwork["requestMailbox"]): Promise<readonly PeerOffence[]> {
    const reported: PeerOffence[] = [];
    node.relay.serve(bob.pub);
    const network = {
      peers: () => [{ name: "other", connectedAtMs: 1 } as PeerView],
      partyOf: (name: string) => ({ name, standing: "stranger" as const }),
      report: (_: string, offence: PeerOffence) => void reported.push(offence),
      requestMailbox: respond,
    };
    const clock = { nowMs: (): number => node.nowSec * 1_000, monotonicMs: (): number => 0 };
    await new MailboxSync({ network, relay: node.relay, store: node.store, clock, timers: hostTimers, log: LOG }).poll();
    return reported;
  }

  it("carries what the owner deleted elsewhere, of any height, and page by page", async () => {
    const [other, node] = [await mailNode(), await mailNode()];
    const many = mails(6);
    await take(other, many);
    await take(node, many);
    for (const [n, { id }] of many.slice(0, 4).entries()) await other.relay.deletions.take(bob.deletion([id], HEIGHT - n));
    other.store.deleted.signed.add(bob.deletion([many[4]?.id ?? ""], 1), START_SEC);
    const pages: MailboxResponse[] = [];
    expect(
      await sync(node, (_peer, request) => {
        const page = readMailboxPage(other.store, request);
        pages.push(page);
        return Promise.resolve(page);
      }),
    ).toEqual([]);
    expect(idsOf(node)).toEqual([many[5]?.id]);
    expect(pages.flatMap(({ deletions }) => deletions)).toHaveLength(5);
    // The node that learned it keeps the proofs, for those who ask it.
    expect(readMailboxPage(node.store, { recipients: [bob.pub], since: 0, cursor: null }).deletions).toHaveLength(5);
  });

  it("divides large lists of deletions, each of them sent once", async () => {
    const node = await mailNode();
    const owners = [bob.pub, carol.pub];
    node.store.inTransaction(() => {
      for (const mailbox of owners)
        for (let n = 0; n < 200; n += 1) {
          const ids = Array.from({ length: 60 }, (_, i) => `${n} ${i}`.padEnd(120, "x"));
          node.store.deleted.signed.add({ mailbox, ids, height: n, signature: `${mailbox} ${n}` }, START_SEC);
        }
      node.store.put(bob.envelope(1), START_SEC);
    });
    const found: string[] = [];
    const envelopes: string[] = [];
    let cursor: string | null = null;
    for (let isOver = false; !isOver; isOver = cursor === null) {
      const page: MailboxResponse = readMailboxPage(node.store, { recipients: owners, since: 0, cursor });
      found.push(...page.deletions.map(({ signature }) => signature));
      envelopes.push(...page.envelopes.map(({ id }) => id));
      // A mebibyte, and the deletions of one mailbox more.
      expect(page.deletions.reduce((bytes, { ids }) => bytes + ids.join("").length, 0)).toBeLessThan(2_097_152);
      cursor = page.cursor;
    }
    expect([new Set(found).size, envelopes]).toEqual([found.length, [bob.envelope(1).id]]);
    expect(found.length).toBeGreaterThan(200);
  });

  it("reports who invents a deletion, and deletes nothing for it", async () => {
    const node = await mailNode();
    await take(node, [first]);
    const invented = { ...carol.deletion([first.id], HEIGHT), mailbox: bob.pub };
    const respond = (): Promise<MailboxResponse> => Promise.resolve(mailboxPage({ deletions: [invented] }));
    expect(await sync(node, respond)).toEqual(["invalid"]);
    expect(idsOf(node)).toEqual([first.id]);
  });
});

describe("what was read, as another node says", () => {
  it("stays in the lists, counts nowhere and is the first to go", async () => {
    const [reading, sending] = [await mailNode(), await mailNode({ recipientEnvelopes: 2 })];
    await take(sending, [first, second]);
    reading.relay.deletions.announceRead(bob.pub, [first.id, second.id, "unknown"]);
    const [notice] = reading.deletions;
    expect(notice?.proof).toBe(null);
    expect(await pass(reading, sending)).toEqual(["accept"]);
    expect(await sending.tie.handlers.deletion(notice as DeletionNotice, "peer")).toBe("ignore");
    await sending.relay.broadcast(third);
    expect([idsOf(sending), sending.relay.count(bob.pub, true)]).toEqual([[first.id, second.id, third.id], 3]);
    expect(sending.store.waiting.sources.bytesOf("node peer")).toBe(0);
    // Sent again, it is the one that is there.
    await sending.relay.broadcast(first);
    expect(idsOf(sending)).toEqual([first.id, second.id, third.id]);
  });

  it("is not hidden, and stays hidden where it was", async () => {
    const node = await mailNode();
    await take(node, [first, second]);
    node.relay.hide(bob.pub, first.id);
    await node.tie.handlers.deletion({ mailbox: bob.pub, ids: [first.id, second.id], proof: null }, "peer");
    const shown = node.relay.list({ recipientPub: bob.pub, limit: 9, hidesDeleted: true }).items;
    expect(shown.map(({ envelope }) => envelope.id)).toEqual([second.id]);
    node.relay.hide(bob.pub, second.id);
    expect([node.relay.count(bob.pub, true), node.relay.count(bob.pub)]).toEqual([0, 2]);
  });
});
