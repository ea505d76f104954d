// Keepers of an earlier version among those of this one, and a reader of an earlier version at one of this: real libp2p. Earlier keepers know
// `mail/1` alone of what nodes ask of keepers; the earlier reader sends its bytes, made by a second encoder.
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type * as RequestProtocols from "#node/network/traffic/request-protocol.ts";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { mailResponseCodec } from "#node/network/wire/mail-codec.ts";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import { KeeperRanks } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { decode } from "#shared/codec/codec.ts";
import { slotOf } from "#shared/protocol/keepers/placement.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { directoryOf, keeperOf, type MailServiceNode, startMailService } from "#test/support/nodes/mail-keepers.ts";
import { type MailboxOwner, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { connectRudePeer, type RudePeer } from "#test/support/nodes/rude-peer.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";

const startsOlder = vi.hoisted(() => ({ now: false }));
vi.mock("#node/network/traffic/request-protocol.ts", async (importOriginal) => {
  const original = await importOriginal<typeof RequestProtocols>();
  const serveRequests: typeof original.serveRequests = (protocol, ...rest) =>
    startsOlder.now && protocol.isOptional === true ? Promise.resolve() : original.serveRequests(protocol, ...rest);
  return { ...original, serveRequests };
});

/** Slots that keepers compare with each other: all of them would take minutes where nine nodes share a process. */
const compared = new Set<number>();
const { keepersOfSlot } = KeeperRanks.prototype;
vi.spyOn(KeeperRanks.prototype, "keepersOfSlot").mockImplementation(function (this: KeeperRanks, slot) {
  return compared.has(slot) ? keepersOfSlot.call(this, slot) : undefined;
});

/** Fewer than use carriers, so that nodes ask keepers themselves. */
const KEEPERS = [11, 12, 13, 14, 15, 16, 17];
const OLDER = [11, 12, 13];
const [SENDER, READER] = [21, 22];
const EARLIER_READER = 66;
const PATIENCE = { timeoutMs: 120_000 };
const nowSec = Math.floor(Date.now() / 1_000);
const directory = new HeldDirectory();
const nodes = new Map<number, MailServiceNode>();
let folder: TemporaryFolder;
let dave: MailboxOwner;

const nodeOf = (n: number): MailServiceNode => {
  const found = nodes.get(n);
  if (found === undefined) throw new Error(`Node ${n} does not run`);
  return found;
};
const keepingOf = (box: string): readonly number[] =>
  (new KeeperRanks(directory, { nowMs: () => Date.now() }).keepersOf(box)?.keeping ?? []).map(
    ({ key }) => KEEPERS.find((n) => actor(n).pub === key) ?? 0,
  );
const idsAt = (n: number, box: string): readonly string[] =>
  nodeOf(n)
    .relay.list({ recipientPub: box, limit: 100 })
    .items.map(({ envelope }) => envelope.id)
    .toSorted();
/** What the reader's node asked of a keeper. */
const askedOf = (n: number): readonly string[] =>
  nodeOf(n)
    .asked.filter(({ from }) => from === nodeOf(READER).network.network.name)
    .map(({ type }) => type);

/** The owner, by number from here on, of a box whose three keepers are of both versions. */
function ownerFrom(first: number): MailboxOwner {
  for (let n = first; n < first + 100; n += 1) {
    const owner = mailboxOwner(CHAIN_ID, n, nowSec);
    const older = keepingOf(owner.pub).filter((keeper) => OLDER.includes(keeper)).length;
    if (older > 0 && older < 3) return owner;
  }
  throw new Error("No box has keepers of both versions");
}

beforeAll(async () => {
  folder = await createTemporaryFolder();
  for (const n of [...KEEPERS, SENDER, READER]) {
    startsOlder.now = OLDER.includes(n);
    const limits = { answerMs: 10_000, renewMs: 500, refreshMs: 200, forgetMs: 1_000, repairMs: 2_000, firstRepairMs: 500 };
    nodes.set(n, await startMailService(n, join(folder.path, String(n)), directory, { limits }));
  }
  startsOlder.now = false;
  directory.give(
    directoryOf(
      KEEPERS.map((n) => keeperOf(n, nodeOf(n).network.address)),
      nowSec - 7_200,
    ),
  );
  dave = ownerFrom(160);
  // No slot of the other boxes: what is deleted there comes to each keeper from its owner's node.
  compared.add(slotOf(dave.pub));
});

afterAll(async () => {
  for (const node of nodes.values()) await node[Symbol.asyncDispose]();
  await folder.remove();
});

it(
  "keep, tell and delete mail together; who watches renews at those that know it, and names all again to the others",
  WHOLE_ONLY,
  async () => {
    const bob = ownerFrom(60);
    const keeping = keepingOf(bob.pub);
    const [older, newer] = [keeping.filter((n) => OLDER.includes(n)), keeping.filter((n) => !OLDER.includes(n))];
    const reader = nodeOf(READER);
    reader.relay.serve(bob.pub);
    const arrived: string[] = [];
    reader.relay.onArrival(
      ({ id }) => arrived.push(id),
      () => true,
    );
    const sent = [bob.envelope(1).id, bob.envelope(2).id].toSorted();
    for (const n of [1, 2]) await nodeOf(SENDER).relay.broadcast(bob.envelope(n));
    await pollUntil(() => arrived.length >= 2, { ...PATIENCE, what: "both to arrive" });
    await pollUntil(() => keeping.every((n) => idsAt(n, bob.pub).length === 2), { ...PATIENCE, what: "three keepers to have both" });
    const watches = (n: number): number => askedOf(n).filter((type) => type === "watch").length;
    await pollUntil(() => newer.every((n) => askedOf(n).includes("renew")) && older.every((n) => watches(n) > 1), {
      ...PATIENCE,
      what: "watches to be renewed, each as the keeper knows it",
    });
    expect(older.map((n) => askedOf(n).filter((type) => ["renew", "signed", "card", "carried"].includes(type)))).toEqual(
      older.map(() => []),
    );
    // What it does not know costs a keeper nothing.
    expect([reader.keeperMail.doubted, reader.network.network.peers().filter(({ score }) => score !== 0)]).toEqual([[], []]);
    await nodeOf(SENDER).relay.broadcast(bob.envelope(3));
    await pollUntil(() => arrived.length >= 3, { ...PATIENCE, what: "what came after that" });
    expect(arrived.toSorted()).toEqual([...sent, bob.envelope(3).id].toSorted());
    await reader.relay.deletions.take(bob.deletion(sent, 5_000));
    await pollUntil(() => keeping.every((n) => idsAt(n, bob.pub).length === 1), {
      ...PATIENCE,
      what: "keepers of both versions to delete",
    });
  },
);

it(
  "bring each other, in repairs, what an owner deleted at one of them: one of this version, and one of an earlier",
  WHOLE_ONLY,
  async () => {
    const keeping = keepingOf(dave.pub);
    const ids = [dave.envelope(1).id, dave.envelope(2).id];
    for (const n of [1, 2]) await nodeOf(SENDER).relay.broadcast(dave.envelope(n));
    await pollUntil(() => keeping.every((n) => idsAt(n, dave.pub).length === 2), { ...PATIENCE, what: "three keepers to have both" });
    // Once they have found each other equal, and remember it.
    const isComparedTwice = (n: number): boolean => nodeOf(n).keeperMail.repairFigures.rounds >= 2;
    await pollUntil(() => keeping.every(isComparedTwice), { ...PATIENCE, what: "rounds of repair" });
    for (const [at, isOlder] of [false, true].entries()) {
      const first = keeping.find((n) => OLDER.includes(n) === isOlder) ?? 0;
      const { mailbox, height, signature } = dave.deletion(ids.slice(at, at + 1), 5_000);
      const notices = [{ mailbox, ids: ids.slice(at, at + 1), proof: { height, signature } }];
      const answer = await nodeOf(SENDER).keeperMail.ask(actor(first).pub, { type: "delete", notices }, AbortSignal.timeout(10_000));
      expect(answer.type).toBe("done");
      const left = ids.slice(at + 1);
      await pollUntil(() => keeping.every((n) => idsAt(n, dave.pub).join() === left.join()), { ...PATIENCE, what: "all three to delete" });
    }
  },
);

interface EarlierReader {
  readonly peer: RudePeer;
  /** Requests that came to it. */
  readonly told: string[];
  /** Sends a request of `mail/1` and gives the bytes of its response; none where the other side ends the exchange. */
  ask(...fields: readonly unknown[]): Promise<Uint8Array | undefined>;
}

const DONE = miniCbor([1, 2]);
const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, "hex");

async function connectEarlierReader(keeper: number): Promise<EarlierReader> {
  const peer = await connectRudePeer(EARLIER_READER, nodeOf(keeper).network.address);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  const told: string[] = [];
  await peer.libp2p.handle(peer.names.mail, (stream) =>
    readFrames(stream, {
      maxBytes: 100_000,
      onFrame: (frame) => {
        told.push(Buffer.from(frame).toString("hex"));
        writeFrame(stream, DONE);
        void stream.close();
      },
      onEnd: () => undefined,
    }),
  );
  return {
    peer,
    told,
    async ask(...fields): Promise<Uint8Array | undefined> {
      const stream = await peer.open(peer.names.mail);
      const frames: Uint8Array[] = [];
      const ended = new Promise<void>((resolve) => {
        readFrames(stream, { maxBytes: 4_000_000, onFrame: (frame) => void frames.push(frame), onEnd: () => resolve() });
      });
      writeFrame(stream, miniCbor([1, ...fields]));
      await ended;
      return frames[0];
    },
  };
}

it("serve a reader of an earlier version by its bytes: watches, news, lists and signed deletions", WHOLE_ONLY, async () => {
  const carol = ownerFrom(110);
  const [keeper = 0] = keepingOf(carol.pub).filter((n) => !OLDER.includes(n));
  const earlier = await connectEarlierReader(keeper);
  const box = bytesOf(carol.pub);
  expect(await earlier.ask(5, [box], false)).toEqual(DONE);
  await nodeOf(SENDER).relay.broadcast(carol.envelope(1));
  const news = miniCbor([1, 6, [box]]).toString("hex");
  await pollUntil(() => earlier.told.includes(news), { ...PATIENCE, what: "news" });
  expect(new Set(earlier.told)).toEqual(new Set([news]));
  const list = async (): Promise<readonly [ids: readonly string[], deleted: readonly string[]]> => {
    const page = decode(mailResponseCodec, (await earlier.ask(2, null, [[box, 0, 0]], true)) ?? new Uint8Array());
    if (page.type !== "page") throw new Error("A page");
    const [found] = page.boxes;
    return [page.items.map(({ envelope }) => envelope.id), (found?.deletions ?? []).flatMap(({ ids }) => ids)];
  };
  const { id } = carol.envelope(1);
  expect(await list()).toEqual([[id], []]);
  const { signature } = carol.deletion([id], 5_000);
  const deletion = [box, [id], [5_000, Buffer.from(signature, "base64")]];
  expect(await earlier.ask(3, [deletion])).toEqual(DONE);
  expect(await list()).toEqual([[], [id]]);
});
