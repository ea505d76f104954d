// The relay over a real mailbox database: caps, durability, first write wins, fees, listeners.
import { afterEach, describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { MAILBOX_LIMITS } from "#node/relay/mailbox-limits.ts";
import { RecentLists } from "#node/relay/readers/recent-lists.ts";
import { createRelay, type Relay, type RelayOptions } from "#node/relay/relay.ts";
import { readClaims } from "#node/storage/folder-readers.ts";
import { type MailboxRepository, openMailbox } from "#node/storage/mailbox/mailbox-repository.ts";
import { boxKeyPair, type Envelope, envelopeBytes, feeSignBytes, openEnvelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const NOW_MS = 1_800_000_000_000;
const recipient = boxKeyPair(new Uint8Array(32).fill(1));
const sender = boxKeyPair(new Uint8Array(32).fill(2));
const pub = toHex(recipient.publicKey);

interface World {
  readonly relay: Relay;
  readonly store: MailboxRepository;
  readonly folder: TemporaryFolder;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function createWorld(
  options: Partial<RelayOptions> = {},
  wrap: (store: MailboxRepository) => MailboxRepository = (store) => store,
): Promise<World> {
  const folder = await createTemporaryFolder();
  const store = openMailbox(folder.path);
  const relay = createRelay({
    chainId: CHAIN_ID,
    secretKey: new Uint8Array(32).fill(3),
    store: wrap(store),
    clock: { nowMs: () => NOW_MS, monotonicMs: () => 0 },
    random: (length) => new Uint8Array(length).fill(4),
    verify: createNativeVerifier(),
    ...options,
  });
  closers.push(async () => {
    relay.close();
    store.close();
    await folder.remove();
  });
  return { relay, store, folder };
}

function envelope(n: number, over: Partial<Envelope> = {}, text = "hello"): Envelope {
  const nonce = new Uint8Array(24);
  new DataView(nonce.buffer).setUint32(0, n);
  const sealed = sealEnvelope({ plaintext: utf8(text), recipientPub: pub, sender, senderMasterPub: "", nonce, sentAt: 1_000 + n });
  return { ...sealed, ...over };
}

describe("storing", () => {
  it("is durable before it is acknowledged, and one transaction holds what came together", async () => {
    let commits = 0;
    let committed = 0;
    const { relay, store } = await createWorld({}, (real) => ({
      ...delegate(real),
      inTransaction: (work) => {
        commits += 1;
        const result = real.inTransaction(work);
        committed = real.totalCount();
        return result;
      },
    }));
    const seen: number[] = [];
    await Promise.all(Array.from({ length: 100 }, (_, n) => relay.broadcast(envelope(n)).then(() => seen.push(committed))));
    expect(commits).toBe(1);
    expect(new Set(seen)).toEqual(new Set([100]));
    expect(store.count(pub)).toBe(100);
    await relay.broadcast(envelope(100));
    expect(commits).toBe(2);
    expect(relay.envelopeCount).toBe(101);
  });

  it("bounds a batch", async () => {
    const sizes: number[] = [];
    const limits = { ...MAILBOX_LIMITS, batchEnvelopes: 10 };
    const { relay } = await createWorld({ limits }, (real) => ({
      ...delegate(real),
      inTransaction: (work) => {
        const before = real.totalCount();
        const result = real.inTransaction(work);
        sizes.push(real.totalCount() - before);
        return result;
      },
    }));
    await Promise.all(Array.from({ length: 25 }, (_, n) => relay.broadcast(envelope(n))));
    expect(sizes).toEqual([10, 10, 5]);
  });

  it("acknowledges nothing when the commit fails, and continues after it", async () => {
    let isBroken = true;
    const { relay, store } = await createWorld({}, (real) => ({
      ...delegate(real),
      inTransaction: (work) =>
        real.inTransaction(() => {
          const result = work();
          if (isBroken) throw new Error("disk");
          return result;
        }),
    }));
    const announced: string[] = [];
    relay.onEnvelope(({ id }) => announced.push(id));
    const results = await Promise.allSettled([relay.broadcast(envelope(1)), relay.broadcast(envelope(2))]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect([store.totalCount(), store.totalBytes(), announced]).toEqual([0, 0, []]);
    isBroken = false;
    await relay.broadcast(envelope(1));
    expect(announced).toEqual([envelope(1).id]);
  });

  it("survives a crash right after the acknowledgement", async () => {
    const { relay, folder } = await createWorld();
    const { id } = await relay.broadcast(envelope(1));
    const other = openMailbox(folder.path);
    expect(other.get(pub, id)?.envelope).toEqual(envelope(1));
    other.close();
  });

  it("commits what waits when it closes", async () => {
    const { relay, store } = await createWorld();
    const pending = relay.broadcast(envelope(1));
    await Promise.resolve();
    relay.close();
    await pending;
    expect(store.count(pub)).toBe(1);
  });

  it("keeps the first of two, unless the first one's id was not its own", async () => {
    const { relay, store } = await createWorld();
    const announced: string[] = [];
    relay.onEnvelope(({ ciphertext }) => announced.push(ciphertext));
    const honest = envelope(1);
    const squatter = envelope(2, { id: honest.id });
    await relay.broadcast(squatter);
    await relay.broadcast(honest);
    await relay.broadcast(squatter);
    await relay.broadcast(honest);
    expect(store.get(pub, honest.id)?.envelope).toEqual(honest);
    expect(announced).toEqual([squatter.ciphertext, honest.ciphertext]);
  });

  it("gives an envelope without time the time of its arrival", async () => {
    const { relay } = await createWorld();
    const { sent_at: _, ...timeless } = envelope(1);
    expect((await relay.broadcast(timeless)).sent_at).toBe(NOW_MS / 1000);
  });
});

describe("caps", () => {
  const size = envelopeBytes(envelope(0));

  it.each([
    ["larger than a mailbox", { recipientBytes: size - 1 }, "MAILBOX_FULL", 400],
    ["larger than the node", { totalBytes: size - 1 }, "RELAY_FULL", 503],
  ])("refuse what is %s", async (_name, over, code, status) => {
    const { relay } = await createWorld({ limits: { ...MAILBOX_LIMITS, ...over } });
    await expect(relay.broadcast(envelope(1))).rejects.toMatchObject({ code, status });
    expect(relay.refused).toEqual({ MAILBOX_FULL: 0, RELAY_FULL: 0, [code]: 1 });
  });

  it.each([["bytes of the node", { totalBytes: 2 * size + 10 }, "RELAY_FULL", 503]])("on %s", async (_name, over, code, status) => {
    const { relay } = await createWorld({ limits: { ...MAILBOX_LIMITS, ...over } });
    const results = await Promise.allSettled([relay.broadcast(envelope(1)), relay.broadcast(envelope(2)), relay.broadcast(envelope(3))]);
    expect(results.map((result) => (result.status === "rejected" ? [result.reason.code, result.reason.status] : "stored"))).toEqual([
      "stored",
      "stored",
      [code, status],
    ]);
    expect((await relay.broadcast(envelope(1))).id).toBe(envelope(1).id);
    relay.delete(pub, envelope(1).id);
    await relay.broadcast(envelope(3));
  });

  it("are not evaded by replacing small squatters with large envelopes", async () => {
    const large = envelope(1, {}, "x".repeat(4_000));
    const { relay } = await createWorld({ limits: { ...MAILBOX_LIMITS, recipientBytes: 2_000 } });
    await relay.broadcast(envelope(2, { id: large.id }));
    await expect(relay.broadcast(large)).rejects.toMatchObject({ code: "MAILBOX_FULL" });
  });

  it("on what waits for its turn", async () => {
    const { relay } = await createWorld({ limits: { ...MAILBOX_LIMITS, waitingEnvelopes: 2 } });
    const results = await Promise.allSettled([1, 2, 3].map((n) => relay.broadcast(envelope(n))));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  });

  it("on the size of one envelope", async () => {
    const { relay } = await createWorld();
    await expect(relay.send(pub, new Uint8Array(262_144))).rejects.toMatchObject({ code: "ENVELOPE_INVALID", status: 400 });
    await expect(relay.send(pub, new Uint8Array(200_000))).rejects.toMatchObject({ code: "ENVELOPE_INVALID" });
  });

  it("drops what is older than the retention", async () => {
    let nowMs = NOW_MS;
    const clock = { nowMs: (): number => nowMs, monotonicMs: (): number => 0 };
    const { relay, store } = await createWorld({ clock });
    await relay.broadcast(envelope(1));
    nowMs += MAILBOX_LIMITS.retentionMs - 1_000;
    const reopen = (): void =>
      createRelay({
        chainId: CHAIN_ID,
        secretKey: new Uint8Array(32).fill(3),
        store,
        clock,
        random: () => new Uint8Array(24),
        verify: () => true,
      }).close();
    reopen();
    expect(store.count(pub)).toBe(1);
    nowMs += 2_000;
    reopen();
    expect(store.count(pub)).toBe(0);
  });

  it("a mailbox that is switched off takes nothing and still gives back", async () => {
    const { relay, store } = await createWorld({ isEnabled: false });
    await expect(relay.broadcast(envelope(1))).rejects.toMatchObject({ code: "RELAY_FULL", status: 503 });
    await expect(relay.send(pub, utf8("x"))).rejects.toMatchObject({ status: 503 });
    store.put(envelope(1), 1);
    expect(relay.list({ recipientPub: pub, limit: 5 }).items).toHaveLength(1);
  });
});

describe("fees", () => {
  const feeSig = (id: string, feeUt: number, chainId = CHAIN_ID): string =>
    toBase64(signEd25519(feeSignBytes(chainId, id, feeUt), alice.seed));

  it("need the sender's signature over id and fee on this chain", async () => {
    const { relay, store } = await createWorld();
    const { id } = envelope(1);
    const paid = { fee_ut: 5, sender_ed25519_pub: alice.pub };
    for (const bad of [
      { fee_ut: 5, fee_sig: feeSig(id, 5) },
      { ...paid, fee_sig: feeSig(id, 6) },
      { ...paid, fee_sig: feeSig("other", 5) },
      { ...paid, fee_sig: feeSig(id, 5, "other-chain") },
    ])
      await expect(relay.broadcast(envelope(1, bad))).rejects.toMatchObject({ code: "ENVELOPE_INVALID" });
    expect(store.totalCount()).toBe(0);
    await relay.broadcast(envelope(1, { ...paid, fee_sig: feeSig(id, 5) }));
    expect(store.get(pub, id)?.envelope.fee_ut).toBe(5);
  });

  it("can be claimed later, once a sender and envelope, also when the recipient has deleted the envelope", async () => {
    const { relay, store } = await createWorld();
    const { id } = envelope(1);
    const paid = { fee_ut: 5, sender_ed25519_pub: alice.pub, fee_sig: feeSig(id, 5) };
    await relay.broadcast(envelope(1, paid));
    await relay.broadcast(envelope(1, paid));
    await relay.broadcast(envelope(2));
    relay.delete(pub, id);
    const claim = { envelope_id: id, recipient_pub: pub, sender_pub: alice.pub, fee_ut: 5, fee_sig: paid.fee_sig };
    expect(store.claims.list(10)).toEqual([{ seq: 1, ...claim }]);
    store.claims.remove([1]);
    expect(store.claims.count).toBe(0);
  });

  it("are forgotten with the age of envelopes", async () => {
    const { relay, store, folder } = await createWorld();
    const { id } = envelope(1);
    await relay.broadcast(envelope(1, { fee_ut: 5, sender_ed25519_pub: alice.pub, fee_sig: feeSig(id, 5) }));
    const later = (ms: number): Relay =>
      createRelay({
        chainId: CHAIN_ID,
        secretKey: new Uint8Array(32).fill(3),
        store,
        clock: { nowMs: () => NOW_MS + ms, monotonicMs: () => 0 },
        random: (length) => new Uint8Array(length).fill(4),
        verify: createNativeVerifier(),
      });
    later(MAILBOX_LIMITS.retentionMs).close();
    expect(readClaims(folder.path)).toHaveLength(1);
    later(MAILBOX_LIMITS.retentionMs + 1_000).close();
    expect(readClaims(folder.path)).toEqual([]);
  });
});

describe("sealing for clients", () => {
  it("uses the node's key and a fresh nonce", async () => {
    const { relay } = await createWorld();
    const sealed = await relay.send(pub, utf8("plain"));
    expect(sealed).toMatchObject({ sender_pub: relay.publicKey, sender_ed25519_pub: "", fee_ut: 0, sent_at: NOW_MS / 1000 });
    expect(sealed.nonce).toBe(toBase64(new Uint8Array(24).fill(4)));
    expect(openEnvelope(sealed, recipient.secretKey)).toEqual(utf8("plain"));
  });
});

/** Asks twice, so that the second response may come from memory. */
function expectSameLists(relay: Relay, recipientPub: string): void {
  for (const query of [{ limit: 3 }, { limit: 50 }, { limit: 2, afterSeq: 3 }, { limit: 50, sinceSec: NOW_MS / 1000 }]) {
    const { items, hasMore } = relay.list({ recipientPub, ...query });
    for (let asked = 0; asked < 2; asked += 1) {
      const text = relay.listText({ recipientPub, ...query });
      const ids = (JSON.parse(`[${text.items}]`) as readonly { readonly id: string }[]).map((item) => item.id);
      expect([ids, text.count, text.hasMore]).toEqual([items.map((item) => item.envelope.id), items.length, hasMore]);
    }
  }
}

describe("lists", () => {
  it("are those of the mailbox after every change, however often they were asked for", async () => {
    const { relay } = await createWorld();
    const other = toHex(sender.publicKey);
    const steps = [1, 2, 2, 3, -2, 4, 5, -1, -9, 2, 6];
    for (const n of steps) {
      for (const owner of [pub, other]) {
        const { id } = envelope(Math.abs(n));
        if (n > 0) await relay.broadcast(envelope(n, { recipient_pub: owner }));
        else relay.delete(owner, id);
        expectSameLists(relay, owner);
      }
    }
  });

  it("take what is too old out with the mailbox", async () => {
    let nowMs = NOW_MS;
    const limits = { ...MAILBOX_LIMITS, pruneIntervalMs: 5 };
    const { relay } = await createWorld({ limits, clock: { nowMs: () => nowMs, monotonicMs: () => 0 } });
    await relay.broadcast(envelope(1));
    expect(relay.listText({ recipientPub: pub, limit: 9 }).count).toBe(1);
    nowMs += MAILBOX_LIMITS.retentionMs + 1_000;
    await pollUntil(() => relay.listText({ recipientPub: pub, limit: 9 }).count === 0);
  });

  it("keep no more than their room", () => {
    const lists = new RecentLists();
    let reads = 0;
    const ask = (n: number, chars: number): void => {
      lists.get({ recipientPub: String(n), limit: 1 }, () => {
        reads += 1;
        return { items: "x".repeat(chars), count: 1, hasMore: false };
      });
    };
    // The fourth finds no room, and all others are forgotten for it.
    for (const n of [0, 1, 2, 0, 3, 3]) ask(n, 3_000_000);
    expect(reads).toBe(4);
    ask(0, 3_000_000);
    expect(reads).toBe(5);
  });
});

describe("listeners", () => {
  it("reach every listener, whatever another one does", async () => {
    const errors: unknown[] = [];
    const { relay } = await createWorld({ onError: (error) => errors.push(error) });
    const received: string[] = [];
    const stop = relay.onEnvelope(() => {
      throw new Error("listener");
    });
    relay.onEnvelope(({ id }) => received.push(id));
    await relay.broadcast(envelope(1));
    stop();
    await relay.broadcast(envelope(2));
    expect(received).toEqual([envelope(1).id, envelope(2).id]);
    expect(errors).toHaveLength(1);
  });
});

it("tells listeners of an envelope when it is durable, and before its sender", async () => {
  let isDurable = false;
  const { relay } = await createWorld({}, (real) => ({
    ...delegate(real),
    inTransaction: (work) => {
      const result = real.inTransaction(work);
      isDurable = true;
      return result;
    },
  }));
  const order: string[] = [];
  relay.onEnvelope(({ id }) => order.push(`${id} listened, ${isDurable ? "durable" : "lost"}`));
  await Promise.all([1, 2, 1].map((n) => relay.broadcast(envelope(n)).then(({ id }) => order.push(`${id} answered`))));
  const [first, second] = [envelope(1).id, envelope(2).id];
  const announced = [`${first} listened, durable`, `${second} listened, durable`];
  expect(order).toEqual([...announced, `${first} answered`, `${second} answered`, `${first} answered`]);
});

/** The methods of a repository as plain functions, so that a test can replace one. */
function delegate(store: MailboxRepository): MailboxRepository {
  return {
    claims: store.claims,
    listIds: (...given) => store.listIds(...given),
    recipients: (...given) => store.recipients(...given),
    served: store.served,
    deleted: store.deleted,
    proofs: store.proofs,
    waiting: store.waiting,
    boxes: store.boxes,
    open: store.open,
    put: (value, receivedAtSec, placing) => store.put(value, receivedAtSec, placing),
    list: (query) => store.list(query),
    get: (recipientPub, id) => store.get(recipientPub, id),
    count: (recipientPub) => store.count(recipientPub),
    listText: (query) => store.listText(query),
    sizeOf: (recipientPub, id) => store.sizeOf(recipientPub, id),
    usage: (recipientPub) => store.usage(recipientPub),
    waitingOf: (recipientPub) => store.waitingOf(recipientPub),
    evict: (recipientPub, id) => store.evict(recipientPub, id),
    markRead: (recipientPub, id) => store.markRead(recipientPub, id),
    hide: (recipientPub, id) => store.hide(recipientPub, id),
    postageOf: (recipientPub, by) => store.postageOf(recipientPub, by),
    totalBytes: () => store.totalBytes(),
    totalCount: () => store.totalCount(),
    delete: (recipientPub, id, atSec) => store.delete(recipientPub, id, atSec),
    prune: (beforeSec) => store.prune(beforeSec),
    inTransaction: (work) => store.inTransaction(work),
    close: () => store.close(),
  };
}
