// Mailboxes of several nodes: what one takes in reaches all, what a node missed it asks for, what was deleted stays away.
import { afterEach, describe, expect, it } from "vitest";
import type { MailboxRequest, MailboxResponse, NetworkHandlers, PeerNetwork, PeerOffence, PeerView } from "#node/network/peer-network.ts";
import { createLog } from "#node/observability/log.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { readMailboxPage } from "#node/relay/mailbox-page.ts";
import { MailboxSync } from "#node/relay/mailbox-sync.ts";
import { createRelay, type Relay, type RelayOptions } from "#node/relay/relay.ts";
import { createRelayNetwork } from "#node/relay/relay-network.ts";
import { OWN_PARTY } from "#node/storage/mailbox/mail-sources.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAX_SERVED_RECIPIENTS, ServedRecipientRepository } from "#node/storage/mailbox/served-recipient-repository.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { feeSignBytes } from "#shared/protocol/mail/envelope.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { hostTimers } from "#shared/util/host.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { mailboxPage, sampleEnvelope } from "#test/support/nodes/test-network.ts";
import { alice, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const START_SEC = 1_800_000_000;
const LOG = createLog("json", { write: () => undefined });

interface MailNode {
  readonly relay: Relay;
  readonly store: MailboxRepository;
  readonly received: Envelope[];
  nowSec: number;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function mailNode(over: Partial<RelayOptions> = {}): Promise<MailNode> {
  const folder = await createTemporaryFolder();
  const store = openMailbox(folder.path);
  const node = { nowSec: START_SEC, received: [] as Envelope[] };
  const relay = createRelay({
    chainId: CHAIN_ID,
    secretKey: new Uint8Array(32).fill(3),
    store,
    clock: { nowMs: () => node.nowSec * 1000, monotonicMs: () => node.nowSec * 1000 },
    random: (length) => new Uint8Array(length).fill(4),
    verify: verifyZip215,
    ...over,
  });
  relay.onEnvelope((envelope) => node.received.push(envelope));
  closers.push(async () => {
    relay.close();
    store.close();
    await folder.remove();
  });
  return Object.assign(node, { relay, store });
}

const idsOf = (node: MailNode, recipientPub: string): readonly string[] =>
  node.relay.list({ recipientPub, limit: 1_000 }).items.map(({ envelope }) => envelope.id);

function withFee(envelope: Envelope, seed = alice.seed): Envelope {
  return { ...envelope, fee_ut: 9, fee_sig: toBase64(signEd25519(feeSignBytes(CHAIN_ID, envelope.id, 9), seed)) };
}

/** A network of one asking node, whose peers are other mail nodes. */
function networkOf(
  peers: Readonly<Record<string, MailNode | null>>,
  asked: string[],
  reported: PeerOffence[],
  connectedAtMs: Readonly<Record<string, number>> = {},
): PeerNetwork {
  const network: Partial<PeerNetwork> = {
    peers: () => Object.keys(peers).map((name) => ({ name, connectedAtMs: connectedAtMs[name] ?? 0 }) as PeerView),
    partyOf: (name) => ({ name, standing: "stranger" }),
    report: (_, offence) => void reported.push(offence),
    requestMailbox(peer, request): Promise<MailboxResponse> {
      asked.push(`${peer} ${request.recipients.length} ${request.since} ${request.cursor === null ? "first" : "next"}`);
      const node = peers[peer];
      return node == null ? Promise.reject(new Error("silence")) : Promise.resolve(readMailboxPage(node.store, request));
    },
  };
  return network as PeerNetwork;
}

describe("what other nodes send", () => {
  it("is stored, passed to listeners and worth forwarding once", async () => {
    const node = await mailNode();
    expect(await node.relay.receive([sampleEnvelope(1), sampleEnvelope(2)])).toBe("accept");
    expect(await node.relay.receive([sampleEnvelope(1)])).toBe("ignore");
    expect(await node.relay.receive([sampleEnvelope(1), sampleEnvelope(3)])).toBe("accept");
    expect(node.received.map(({ id }) => id)).toEqual([1, 2, 3].map((n) => sampleEnvelope(n).id));
    expect(idsOf(node, sampleEnvelope(1).recipient_pub)).toHaveLength(3);
  });

  it("is refused with a fee that the sender did not sign, and brings no fee to this node", async () => {
    const node = await mailNode();
    expect(await node.relay.receive([sampleEnvelope(1), { ...withFee(sampleEnvelope(2)), fee_ut: 10 }])).toBe("reject");
    expect(await node.relay.receive([withFee(sampleEnvelope(3))])).toBe("accept");
    expect(node.store.claims.count).toBe(0);
    await node.relay.broadcast(withFee(sampleEnvelope(4)));
    expect(node.store.claims.count).toBe(1);
  });

  it("does not bring back what was deleted, sending it again does", async () => {
    const node = await mailNode();
    const envelope = sampleEnvelope(1);
    await node.relay.receive([envelope]);
    node.relay.delete(envelope.recipient_pub, envelope.id);
    expect(await node.relay.receive([envelope])).toBe("ignore");
    expect(idsOf(node, envelope.recipient_pub)).toEqual([]);
    await node.relay.broadcast(envelope);
    expect(idsOf(node, envelope.recipient_pub)).toEqual([envelope.id]);
  });

  it("finds room for strangers only while there is plenty", async () => {
    const limits = { ...MAILBOX_LIMITS, totalBytes: 4_000, foreignPercent: 50 };
    const node = await mailNode({ limits });
    const filled = await node.relay.receive([1, 2, 3, 4, 5].map((n) => sampleEnvelope(n, 20 + n)));
    expect(filled).toBe("accept");
    expect(node.store.totalBytes()).toBeLessThanOrEqual(2_000);
    expect(await node.relay.receive([sampleEnvelope(9, 40)])).toBe("ignore");
    node.relay.serve(sampleEnvelope(9, 40).recipient_pub);
    expect(await node.relay.receive([sampleEnvelope(9, 40)])).toBe("accept");
    expect(await node.relay.broadcast(sampleEnvelope(10, 41))).toMatchObject({ id: sampleEnvelope(10, 41).id });
  });

  it("is passed on by a node whose mailbox is switched off", async () => {
    const node = await mailNode({ isEnabled: false });
    expect(await node.relay.receive([sampleEnvelope(1)])).toBe("accept");
    expect(await node.relay.receive([{ ...withFee(sampleEnvelope(2)), fee_ut: 10 }])).toBe("reject");
    expect(node.store.totalCount()).toBe(0);
  });
});

describe("what clients send", () => {
  it("goes to other nodes, and nothing else does", async () => {
    const node = await mailNode();
    const published: Envelope[] = [];
    const typed: unknown[] = [];
    const network = {
      ...networkOf({}, [], []),
      publishEnvelopes: (envelopes: readonly Envelope[]) => void published.push(...envelopes),
      publishTyping: (notice: unknown) => void typed.push(notice),
    };
    const tie = createRelayNetwork({ relay: node.relay, store: node.store, clock: { nowMs: () => 0, monotonicMs: () => 0 }, log: LOG });
    tie.typing.publish({ to: "a", from: "b" });
    const detach = tie.attach(network);
    const received: unknown[] = [];
    const stop = tie.typing.onNotice((notice) => received.push(notice));
    await node.relay.broadcast(sampleEnvelope(1));
    await (tie.handlers as NetworkHandlers).envelopes([sampleEnvelope(2)], "peer");
    tie.typing.publish({ to: "a", from: "c" });
    tie.handlers.typing({ to: "c", from: "a" }, "peer");
    stop();
    tie.handlers.typing({ to: "c", from: "d" }, "peer");
    detach();
    await node.relay.broadcast(sampleEnvelope(3));
    expect(published.map(({ id }) => id)).toEqual([sampleEnvelope(1).id]);
    expect(typed).toEqual([{ to: "a", from: "c" }]);
    expect(received).toEqual([{ to: "c", from: "a" }]);
  });
});

describe("mailbox sync", () => {
  const recipient = sampleEnvelope(1).recipient_pub;

  it("answers in pages that together hold everything once, in order", async () => {
    const node = await mailNode();
    const envelopes = Array.from({ length: 60 }, (_, n) => sampleEnvelope(n, 7 + (n % 3), 120_000));
    for (const envelope of envelopes) await node.relay.receive([envelope]);
    const recipients = [7, 8, 9].map((n) => sampleEnvelope(0, n).recipient_pub);
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | null = null, isOver = false; !isOver; pages += 1) {
      let read = 0;
      const list: typeof node.store.list = (query) => {
        const page = node.store.list(query);
        read += page.items.length;
        return page;
      };
      const { deleted, boxes, open } = node.store;
      const answer: MailboxResponse = readMailboxPage({ list, deleted, boxes, open }, { recipients, since: 0, cursor });
      // What is not on the page is not read either: envelopes may be large.
      expect(read).toBe(answer.envelopes.length);
      found.push(...answer.envelopes.map(({ id }) => id));
      isOver = answer.cursor === null;
      cursor = answer.cursor;
    }
    expect(found).toHaveLength(60);
    expect(new Set(found)).toEqual(new Set(envelopes.map(({ id }) => id)));
    expect(pages).toBeGreaterThan(2);
    expect(readMailboxPage(node.store, { recipients, since: START_SEC + 1, cursor: null }).envelopes).toEqual([]);
    expect(readMailboxPage(node.store, { recipients, since: 0, cursor: "nonsense" })).toEqual(mailboxPage());
  });

  it("looks at a bounded number of recipients a page", async () => {
    const node = await mailNode();
    const recipients = Array.from({ length: 600 }, () => recipient);
    expect(readMailboxPage(node.store, { recipients, since: 0, cursor: null })).toEqual(mailboxPage({ cursor: "256.0" }));
    expect(readMailboxPage(node.store, { recipients, since: 0, cursor: "512.0" })).toEqual(mailboxPage());
  });

  it("brings what arrived at other nodes while the node was away, once, from two nodes", async () => {
    const [node, first, second, third] = await Promise.all([mailNode(), mailNode(), mailNode(), mailNode()]);
    await first.relay.receive([sampleEnvelope(1)]);
    await second.relay.receive([sampleEnvelope(1), sampleEnvelope(2), sampleEnvelope(3, 30)]);
    node.relay.serve(recipient);
    const asked: string[] = [];
    const network = networkOf({ silent: null, first, second, third }, asked, []);
    const sync = new MailboxSync({
      network,
      relay: node.relay,
      store: node.store,
      clock: { nowMs: () => node.nowSec * 1000, monotonicMs: () => 0 },
      timers: hostTimers,
      log: LOG,
    });
    await sync.poll();
    expect(idsOf(node, recipient)).toEqual([sampleEnvelope(1).id, sampleEnvelope(2).id]);
    expect(node.store.totalCount()).toBe(2);
    expect(asked).toEqual(["silent 1 0 first", "first 1 0 first", "second 1 0 first"]);
    await sync.poll();
    expect(asked).toHaveLength(3);
    node.relay.serve(sampleEnvelope(3, 30).recipient_pub);
    await sync.poll();
    expect(idsOf(node, sampleEnvelope(3, 30).recipient_pub)).toEqual([sampleEnvelope(3, 30).id]);
  });

  it("asks the other side of a split for what passed this side by, though some peers were there all the time", async () => {
    const [node, near, far] = await Promise.all([mailNode(), mailNode(), mailNode()]);
    node.relay.serve(recipient);
    const asked: string[] = [];
    const peers: Record<string, MailNode> = { near, far };
    const clock = { nowMs: (): number => node.nowSec * 1000, monotonicMs: (): number => 0 };
    const sync = new MailboxSync({
      network: networkOf(peers, asked, []),
      relay: node.relay,
      store: node.store,
      clock,
      timers: hostTimers,
      log: LOG,
    });
    await sync.poll();
    const splitAtSec = node.nowSec;
    delete peers.far;
    for (let look = 0; look < 5; look += 1) {
      node.nowSec += 1_000;
      await sync.poll();
    }
    far.nowSec = splitAtSec + 10;
    await far.relay.receive([sampleEnvelope(6)]);
    const before = asked.length;
    peers.far = far;
    await sync.poll();
    expect(asked.slice(before)).toContain(`far 1 ${splitAtSec - 900} first`);
    expect(idsOf(node, recipient)).toEqual([sampleEnvelope(6).id]);
    const after = asked.length;
    await sync.poll();
    expect(asked).toHaveLength(after);
  });

  it("asks the other side of a split though it came by itself, and those of this side were chosen", async () => {
    const [node, near, far] = await Promise.all([mailNode(), mailNode(), mailNode()]);
    node.relay.serve(recipient);
    const asked: string[] = [];
    const peers: Record<string, MailNode> = { near, nearer: near, far };
    const inner = networkOf(peers, asked, []);
    const network = {
      ...inner,
      peers: (): readonly PeerView[] =>
        inner.peers().map((peer) => ({ ...peer, direction: peer.name === "far" ? ("inbound" as const) : ("outbound" as const) })),
    };
    const clock = { nowMs: (): number => node.nowSec * 1000, monotonicMs: (): number => 0 };
    const sync = new MailboxSync({ network, relay: node.relay, store: node.store, clock, timers: hostTimers, log: LOG });
    await sync.poll();
    delete peers.far;
    await sync.poll();
    await far.relay.receive([sampleEnvelope(6)]);
    peers.far = far;
    await sync.poll();
    expect(idsOf(node, recipient)).toEqual([sampleEnvelope(6).id]);
    const after = asked.length;
    await sync.poll();
    expect(asked).toHaveLength(after);
  });

  it("asks a node that went and came back between two looks", async () => {
    const [node, other, third] = [await mailNode(), await mailNode(), await mailNode()];
    const envelope = sampleEnvelope(1);
    node.relay.serve(envelope.recipient_pub);
    const connectedAtMs: Record<string, number> = {};
    const asked: string[] = [];
    const network = networkOf({ other, third }, asked, [], connectedAtMs);
    const sync = new MailboxSync({
      network,
      relay: node.relay,
      store: node.store,
      clock: { nowMs: () => node.nowSec * 1000, monotonicMs: () => 0 },
      timers: hostTimers,
      log: LOG,
    });
    await sync.poll();
    await other.relay.broadcast(envelope);
    const before = asked.length;
    await sync.poll();
    expect(asked).toHaveLength(before);
    connectedAtMs.other = 1;
    await sync.poll();
    expect(idsOf(node, envelope.recipient_pub)).toEqual([envelope.id]);
  });

  it("asks from the time on that the node was last online, after a restart and after it was alone", async () => {
    const [node, other] = await Promise.all([mailNode(), mailNode()]);
    node.relay.serve(recipient);
    const asked: string[] = [];
    const peers: Record<string, MailNode> = { other };
    const parts = {
      relay: node.relay,
      store: node.store,
      clock: { nowMs: () => node.nowSec * 1000, monotonicMs: () => 0 },
      timers: hostTimers,
      log: LOG,
    };
    const sync = new MailboxSync({ ...parts, network: networkOf(peers, asked, []) });
    await sync.poll();
    node.nowSec += 100_000;
    await sync.poll();
    const onlineAt = START_SEC + 100_000;
    expect(node.store.served.onlineAtSec).toBe(onlineAt);
    node.nowSec += 5_000;
    other.nowSec = node.nowSec - 1_000;
    await other.relay.receive([sampleEnvelope(5)]);
    const restarted = new MailboxSync({ ...parts, network: networkOf(peers, asked, []) });
    await restarted.poll();
    expect(asked.at(-1)).toBe(`other 1 ${onlineAt - 900} first`);
    expect(idsOf(node, recipient)).toEqual([sampleEnvelope(5).id]);
    const before = asked.length;
    delete peers.other;
    await restarted.poll();
    peers.other = other;
    await restarted.poll();
    expect(asked.length).toBeGreaterThan(before);
    restarted.stop();
    peers.another = other;
    await restarted.poll();
    expect(asked).toHaveLength(before + 1);
  });

  it("asks the nodes that it chose before those that came, and waits for none of them without end", async () => {
    const node = await mailNode();
    const [honest, other] = [await mailNode(), await mailNode()];
    const envelope = sampleEnvelope(1);
    node.relay.serve(envelope.recipient_pub);
    await honest.relay.receive([envelope]);
    const asked: string[] = [];
    const time = new VirtualTime();
    const inner = networkOf({ liar1: other, slow: other, liar2: other, honest, chosen: other }, asked, []);
    const network = {
      ...inner,
      peers: (): readonly PeerView[] =>
        inner.peers().map((peer) => ({ ...peer, direction: /liar/.test(peer.name) ? ("inbound" as const) : ("outbound" as const) })),
      // Page after page of nothing, each of them late.
      requestMailbox: (...[peer, request, signal]: Parameters<PeerNetwork["requestMailbox"]>): Promise<MailboxResponse> => {
        if (peer !== "slow") return inner.requestMailbox(peer, request, signal);
        asked.push("slow");
        return new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          time.setTimer(100_000, () => resolve({ envelopes: [], admits: [], openings: [], deletions: [], cursor: `0.${asked.length}` }));
        });
      },
    };
    const clock = { nowMs: (): number => node.nowSec * 1000, monotonicMs: (): number => 0 };
    const sync = new MailboxSync({ network, relay: node.relay, store: node.store, clock, timers: time, log: LOG });
    let isOver = false;
    const poll = sync.poll().finally(() => {
      isOver = true;
    });
    for (let step = 0; step < 100 && !isOver; step += 1) {
      time.advance(10_000);
      await new Promise(setImmediate);
    }
    sync.stop();
    await poll;
    expect(idsOf(node, envelope.recipient_pub)).toEqual([envelope.id]);
    expect(asked.filter((each) => each !== "slow").map((each) => each.split(" ")[0])).toEqual(["honest", "chosen"]);
  });

  it("reports a node that answers with envelopes that are wrong or pages without end", async () => {
    const node = await mailNode();
    node.relay.serve(recipient);
    const reported: PeerOffence[] = [];
    const answers: MailboxResponse[] = [
      mailboxPage({ envelopes: [{ ...withFee(sampleEnvelope(1)), fee_ut: 3 }] }),
      mailboxPage({ cursor: "0.1" }),
      mailboxPage({ cursor: "0.1" }),
    ];
    const network = {
      ...networkOf({ a: null, b: null }, [], reported),
      requestMailbox: (_: string, __: MailboxRequest) => Promise.resolve(answers.shift() ?? mailboxPage()),
    };
    const sync = new MailboxSync({
      network,
      relay: node.relay,
      store: node.store,
      clock: { nowMs: () => START_SEC * 1000, monotonicMs: () => 0 },
      timers: hostTimers,
      log: LOG,
    });
    await sync.poll();
    expect(reported).toEqual(["invalid", "malformed"]);
    expect(node.store.totalCount()).toBe(0);
  });
});

describe("recipients that read here", () => {
  it("are remembered across restarts, the latest ones, for a while", async () => {
    const folder = await createTemporaryFolder();
    const node = openMailbox(folder.path);
    node.served.see("a", 10);
    node.served.see("b", 20);
    node.served.see("a", 30);
    node.served.markSynced(["b"], 77);
    node.close();
    const again = openMailbox(folder.path);
    expect(again.served.list()).toEqual([
      { recipientPub: "a", isSynced: false },
      { recipientPub: "b", isSynced: true },
    ]);
    expect(again.served.onlineAtSec).toBe(77);
    again.served.prune(25);
    expect([again.served.has("a"), again.served.has("b")]).toEqual([true, false]);
    expect(MAX_SERVED_RECIPIENTS).toBeGreaterThan(1_000);
    again.close();
    await folder.remove();
  });

  it("have a bound", async () => {
    const { openSqliteDatabase, closeSqliteDatabase } = await import("#node/storage/sqlite-database.ts");
    const { MAILBOX_DATABASE } = await import("#node/storage/mailbox/mailbox-schema.ts");
    const folder = await createTemporaryFolder();
    const database = openSqliteDatabase(`${folder.path}/mailbox.db`, MAILBOX_DATABASE);
    const served = new ServedRecipientRepository(database, 2);
    for (const [index, name] of ["a", "b", "c"].entries()) served.see(name, index);
    expect(served.list().map(({ recipientPub }) => recipientPub)).toEqual(["c", "b"]);
    // One address displaces its own readers, and none of others; the node's own programs lose none.
    const shared = new ServedRecipientRepository(database, 6);
    for (const name of ["own 1", "own 2", "own 3"]) shared.see(name, 10, OWN_PARTY);
    shared.see("person", 11, "home");
    for (let n = 0; n < 50; n += 1) shared.see(`flood ${n}`, 100 + n, "flood");
    expect(shared.list().map(({ recipientPub }) => recipientPub)).toEqual(["flood 49", "person", "own 1", "own 2", "own 3", "c"]);
    closeSqliteDatabase(database);
    await folder.remove();
  });
});
