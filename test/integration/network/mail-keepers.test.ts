// Mail at its keepers over real libp2p: what two people write arrives once each, whichever keepers are gone, and when a network begins with
// keepers and gives them up. One of the two nodes that keep nothing is a light one.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KeeperLimits } from "#node/relay/keepers/keeper-limits.ts";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import { KeeperRanks } from "#node/relay/keepers/placing/keeper-ranks.ts";
import type { Relay } from "#node/relay/relay.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import { CHUNK_BYTES, CHUNK_OVERHEAD_BYTES } from "#shared/content/content.ts";
import {
  fileBoxKeys,
  type StoredChunk,
  StoredChunkOpener,
  sealStoredChunk,
  signFileDeletion,
  signFileOpening,
} from "#shared/messenger/changes/files/box-cipher.ts";
import type { MailMode } from "#shared/protocol/keepers/mail-mode.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { KeptEnvelope, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import { publicCardNumber } from "#shared/protocol/pairs/public-card.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { directoryOf, keeperOf, type MailServiceNode, startMailService } from "#test/support/nodes/mail-keepers.ts";
import { boxWriter, type MailboxOwner, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { actor, CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { publicCardOf } from "#test/support/worlds/public-card-of.ts";

const KEEPERS = [11, 12, 13, 14, 15, 16, 17, 18];
const [ALICE_NODE, BOB_NODE] = [21, 22];
const nowSec = Math.floor(Date.now() / 1_000);
/** A request that a busy machine loses is made again after a pause, which doubles. */
const PATIENCE = { timeoutMs: 200_000 };
const clock = { nowMs: (): number => Date.now() };
const directory = new HeldDirectory();
const nodes = new Map<number, MailServiceNode>();
let folder: TemporaryFolder;

const nodeOf = (n: number): MailServiceNode => {
  const found = nodes.get(n);
  if (found === undefined) throw new Error(`Node ${n} does not run`);
  return found;
};
const start = async (n: number, more: Partial<KeeperLimits> = {}): Promise<void> => {
  const role = n === BOB_NODE ? "light" : "full";
  // All nodes are in one process: on a busy machine a keeper is given longer, so that no further one gets its mail.
  const limits = { forgetMs: 1_000, answerMs: 10_000, ...more };
  nodes.set(n, await startMailService(n, join(folder.path, String(n)), directory, { limits, network: { role } }));
};
const stop = async (n: number): Promise<void> => {
  const node = nodeOf(n);
  nodes.delete(n);
  await node[Symbol.asyncDispose]();
};
const giveDirectory = (): void => {
  const keepers = KEEPERS.map((n) => keeperOf(n, nodes.get(n)?.network.address ?? "/ip4/127.0.0.1/tcp/1"));
  directory.give(directoryOf(keepers, nowSec - 7_200));
};
/** Numbers of a box's keepers, by rank. */
const ranksOf = (box: string): readonly number[] => {
  const found = new KeeperRanks(directory, clock).keepersOf(box);
  const keys = [...(found?.keeping ?? []), ...(found?.standingIn ?? [])].map(({ key }) => key);
  return keys.map((key) => KEEPERS.find((n) => actor(n).pub === key) ?? 0);
};
const idsAt = (n: number, box: string): readonly string[] =>
  nodeOf(n)
    .relay.list({ recipientPub: box, limit: 1_000 })
    .items.map(({ envelope }) => envelope.id);

const [bob, carol, dave, erin, frank, grace, henry] = [60, 61, 62, 63, 64, 65, 66].map((n) => mailboxOwner(CHAIN_ID, n, nowSec)) as [
  MailboxOwner,
  MailboxOwner,
  MailboxOwner,
  MailboxOwner,
  MailboxOwner,
  MailboxOwner,
  MailboxOwner,
];

async function send(envelope: Envelope, from = ALICE_NODE): Promise<string> {
  return (await nodeOf(from).relay.broadcast(envelope)).id;
}

beforeAll(async () => {
  folder = await createTemporaryFolder();
  for (const n of [...KEEPERS, ALICE_NODE, BOB_NODE]) await start(n);
  giveDirectory();
});

afterAll(async () => {
  for (const n of [...nodes.keys()]) await stop(n);
  await folder.remove();
});

describe("mail at keepers", () => {
  it("is at the three keepers of its box, and with who reads it, once", async () => {
    nodeOf(BOB_NODE).relay.serve(bob.pub);
    const arrived: string[] = [];
    nodeOf(BOB_NODE).relay.onArrival(
      ({ id }) => arrived.push(id),
      () => true,
    );
    const sent = [await send(bob.envelope(1)), await send(bob.envelope(2))];
    await pollUntil(() => arrived.length >= 2, { ...PATIENCE, what: "two envelopes to arrive" });
    expect(arrived.toSorted()).toEqual(sent.toSorted());
    const [first, second, third, ...others] = ranksOf(bob.pub);
    await pollUntil(() => [first, second, third].every((n) => idsAt(n ?? 0, bob.pub).length === 2), {
      ...PATIENCE,
      what: "three keepers to have both",
    });
    expect(idsAt(ALICE_NODE, bob.pub)).toEqual([]);
    expect(others.map((n) => idsAt(n, bob.pub).length)).toEqual([0, 0, 0]);
    await pollUntil(() => nodeOf(ALICE_NODE).keeperMail.figures.queued === 0, { ...PATIENCE, what: "the queue to be empty" });
  });

  it("is handed in and read through carriers, whom keepers see instead; one that is killed delays, and nothing is lost", async () => {
    const [alice, reader] = [ALICE_NODE, BOB_NODE].map((n) => nodeOf(n).network.network.name);
    const byClients = (n: number, ...types: readonly string[]): number =>
      nodeOf(n).asked.filter(({ from, type }) => (from === alice || from === reader) && types.includes(type)).length;
    const arrived: string[] = [];
    nodeOf(BOB_NODE).relay.onArrival(
      ({ id }) => arrived.push(id),
      () => true,
    );
    // The busiest one, while it carries.
    const [carrier = 0] = KEEPERS.toSorted((a, b) => byClients(b, "pass") - byClients(a, "pass"));
    expect([byClients(carrier, "pass") > 0, nodeOf(ALICE_NODE).keeperMail.usesCarriers]).toEqual([true, true]);
    const sending = Array.from({ length: 4 }, (_, n) => send(bob.envelope(100 + n)));
    const stopping = stop(carrier);
    const sent = await Promise.all([...sending, send(bob.envelope(110)), send(bob.envelope(111))]);
    await stopping;
    await pollUntil(() => new Set(arrived).size >= sent.length, { ...PATIENCE, what: "all to arrive" });
    expect(arrived.toSorted()).toEqual(sent.toSorted());
    const others = KEEPERS.filter((n) => n !== carrier);
    // What keepers know of both, and of each other.
    expect(others.map((n) => byClients(n, "put", "open", "get", "delete", "fetch", "watch", "typing", "carried"))).toEqual(
      others.map(() => 0),
    );
    expect(others.some((n) => nodeOf(n).asked.some(({ type }) => type === "carried"))).toBe(true);
    await start(carrier);
    giveDirectory();
  });

  it("arrives once each while the keepers of its box go one after the other", async () => {
    const arrived: string[] = [];
    nodeOf(BOB_NODE).relay.onArrival(
      ({ id }) => arrived.push(id),
      () => true,
    );
    const sent: string[] = [];
    const gone = ranksOf(bob.pub).slice(0, 3);
    let n = 10;
    for (const keeper of gone) {
      const before = Array.from({ length: 5 }, () => send(bob.envelope(n++)));
      const stopping = stop(keeper);
      const during = Array.from({ length: 5 }, () => send(bob.envelope(n++)));
      sent.push(...(await Promise.all([...before, ...during])));
      await stopping;
    }
    await pollUntil(() => new Set(arrived).size >= sent.length, { ...PATIENCE, what: "all to arrive" });
    expect(arrived.toSorted()).toEqual(sent.toSorted());
    for (const keeper of gone) await start(keeper);
    giveDirectory();
  });

  it("passes a large envelope on from one keeper to the others", async () => {
    const large = carol.envelope(1, carol.pub, 20_000);
    await send(large);
    const keeping = ranksOf(carol.pub).slice(0, 3);
    await pollUntil(() => keeping.every((n) => idsAt(n, carol.pub).includes(large.id)), { ...PATIENCE, what: "three keepers to have it" });
    await pollUntil(() => nodeOf(ALICE_NODE).keeperMail.figures.queued === 0, { ...PATIENCE, what: "three receipts" });
  });

  it("goes on with what waits after its sender's node was away, and deletes at every keeper what its owner deleted", async () => {
    const keeping = ranksOf(dave.pub).slice(0, 3);
    const others = KEEPERS.filter((n) => !keeping.includes(n));
    for (const n of KEEPERS) await stop(n);
    const { id } = await send(dave.envelope(1)).then((sent) => ({ id: sent }));
    await stop(ALICE_NODE);
    for (const n of [...others, ...keeping, ALICE_NODE]) await start(n);
    giveDirectory();
    nodeOf(BOB_NODE).relay.serve(dave.pub);
    await pollUntil(() => idsAt(BOB_NODE, dave.pub).includes(id), { ...PATIENCE, what: "it to arrive" });
    await pollUntil(() => keeping.every((n) => idsAt(n, dave.pub).includes(id)), { ...PATIENCE, what: "three keepers to have it" });
    const [away = 0, ...rest] = keeping;
    await stop(away);
    await nodeOf(BOB_NODE).relay.deletions.take(dave.deletion([id], 5_000));
    await pollUntil(() => rest.every((n) => idsAt(n, dave.pub).length === 0), { ...PATIENCE, what: "two keepers to delete it" });
    await start(away);
    expect(idsAt(away, dave.pub)).toEqual([id]);
    giveDirectory();
    await pollUntil(() => idsAt(away, dave.pub).length === 0, { ...PATIENCE, what: "the one that was away to learn it" });
    expect(idsAt(BOB_NODE, dave.pub)).toEqual([]);
  });

  it("is read at any node without a proof, which stores nothing and tells who listens; a gateway's reader gets it stored", async () => {
    const { relay, store } = nodeOf(BOB_NODE);
    const first = await send(frank.envelope(1));
    const shown = async (): Promise<readonly string[]> => {
      await relay.elsewhere?.read([frank.pub]);
      const { items } = (await relay.elsewhere?.listText({ recipientPub: frank.pub, limit: 9 })) ?? { items: "" };
      return (JSON.parse(`[${items}]`) as { readonly id: string }[]).map(({ id }) => id);
    };
    await pollUntil(async () => (await shown()).includes(first), { what: "it to be shown" });
    const told: string[] = [];
    relay.onArrival(
      ({ id }) => told.push(id),
      (pub) => pub === frank.pub,
    );
    const stop = relay.watch(frank.pub);
    const second = await send(frank.envelope(2));
    await pollUntil(() => told.includes(second), { what: "who listens to be told" });
    stop();
    expect([store.count(frank.pub), store.served.has(frank.pub)]).toEqual([0, false]);
    relay.readers.serveGateway([{ box: frank.pub }]);
    await pollUntil(() => idsAt(BOB_NODE, frank.pub).length === 2, { what: "a gateway's reader to have both" });
    expect(await relay.elsewhere?.readServed([frank.pub])).toEqual(new Set());
  });

  it("brings what is admitted into an open box, whose opening the sender's node asks its keepers for", async () => {
    const writer = boxWriter(CHAIN_ID, 7);
    nodeOf(BOB_NODE).relay.serve(erin.pub);
    await nodeOf(BOB_NODE).relay.boxes.take(erin.opening(writer.key, { untilSec: nowSec + 86_400, height: 5_000 }), UNKNOWN_SOURCE);
    const keeping = ranksOf(erin.pub);
    await pollUntil(() => keeping.every((n) => nodeOf(n).relay.boxes.find(erin.pub) !== undefined), {
      ...PATIENCE,
      what: "keepers to know the opening",
    });
    const envelope = erin.envelope(1);
    expect(nodeOf(ALICE_NODE).relay.boxes.find(erin.pub)).toBeUndefined();
    await nodeOf(ALICE_NODE).relay.broadcast(envelope, undefined, writer.admit(envelope));
    await pollUntil(() => idsAt(BOB_NODE, erin.pub).includes(envelope.id), { ...PATIENCE, what: "it to arrive" });
  });

  it("has files that are stored once beside it: any member's node reads their boxes without a proof, and they go by a signature", async () => {
    const secret = new Uint8Array(32).fill(9);
    const [keys, fileKey] = [fileBoxKeys(secret, 0), "ab".repeat(32)];
    const data = [0, 1, 2].map((index) => new Uint8Array(CHUNK_BYTES + CHUNK_OVERHEAD_BYTES).fill(index));
    const { relay: sending } = nodeOf(ALICE_NODE);
    await sending.boxes.take(signFileOpening(CHAIN_ID, keys, { untilSec: nowSec + 86_400, height: 5_000 }, randomBytes), UNKNOWN_SOURCE);
    const envelopes = await Promise.all(
      data.map((chunk, index) => sealStoredChunk(CHAIN_ID, keys, { fileKey, index, data: chunk, sentAtS: nowSec })),
    );
    // The light node is the member's own one, which serves what its client lists; the other one is a node that the member is a guest of.
    const own = nodeOf(BOB_NODE).relay;
    const guest = nodeOf(KEEPERS.find((n) => !ranksOf(keys.mailbox).includes(n)) ?? 0).relay;
    own.serve(keys.mailbox);
    for (const { admit, ...envelope } of envelopes) await sending.broadcast(envelope, undefined, admit);
    const opener = await StoredChunkOpener.of({ key: fileKey, size: 3 * CHUNK_BYTES, boxes: [keys.mailbox] }, 0);
    const read = async ({ elsewhere }: Relay, limit = 8): Promise<readonly StoredChunk[]> => {
      await elsewhere?.read([keys.mailbox]);
      const { items } = (await elsewhere?.listText({ recipientPub: keys.mailbox, limit })) ?? { items: "" };
      const chunks = await Promise.all((JSON.parse(`[${items}]`) as Envelope[]).map((item) => opener.open(item)));
      return chunks.filter((chunk) => chunk !== undefined).sort((a, b) => a.index - b.index);
    };
    await pollUntil(async () => (await read(guest)).length === 3, { ...PATIENCE, what: "a guest to read the file" });
    expect((await read(guest)).map(({ data: chunk }) => chunk)).toEqual(data);
    await pollUntil(() => idsAt(BOB_NODE, keys.mailbox).length === 3, { ...PATIENCE, what: "the own node of a member to have it" });
    const ids = envelopes.map(({ id }) => id);
    await sending.deletions.take(signFileDeletion(CHAIN_ID, keys, { ids, height: 5_000 }, randomBytes));
    await pollUntil(async () => (await read(guest)).length === 0 && idsAt(BOB_NODE, keys.mailbox).length === 0, {
      ...PATIENCE,
      what: "it to be gone everywhere",
    });
    expect(ranksOf(keys.mailbox).flatMap((n) => idsAt(n, keys.mailbox))).toEqual([]);
  });

  it("is at a further keeper where one drops what it signed for: its sender and a reader find out, and know it later", async () => {
    const writer = boxWriter(CHAIN_ID, 8);
    for (const n of [ALICE_NODE, BOB_NODE]) {
      await stop(n);
      await start(n, { auditMs: 20, lateMs: 200 });
    }
    const [sending, reading] = [nodeOf(ALICE_NODE), nodeOf(BOB_NODE)];
    reading.relay.serve(henry.pub);
    const opening = henry.opening(writer.key, { untilSec: nowSec + 86_400, height: 5_000 });
    for (const n of [ALICE_NODE, ...KEEPERS]) await nodeOf(n).relay.boxes.take(opening, UNKNOWN_SOURCE);
    const [dropping = 0, ...others] = ranksOf(henry.pub);
    const { pub: key } = actor(dropping);
    const sendOne = async (n: number): Promise<string> => {
      const envelope = henry.envelope(n);
      await sending.relay.broadcast(envelope, undefined, writer.admit(envelope));
      await pollUntil(() => sending.keeperMail.figures.queued === 0, { ...PATIENCE, what: "three receipts that count" });
      return envelope.id;
    };
    let sent = 0;
    const areDoubting = async (): Promise<boolean> => {
      sent += 1;
      if (sent < 10) await sendOne(sent);
      for (const id of idsAt(dropping, henry.pub)) nodeOf(dropping).store.evict(henry.pub, id);
      return [sending, reading].every(({ keeperMail }) => keeperMail.doubted.includes(key));
    };
    await pollUntil(areDoubting, { ...PATIENCE, what: "both to doubt it" });
    expect([sending, reading].map(({ keeperMail }) => keeperMail.doubted)).toEqual([[key], [key]]);
    const id = await sendOne(100);
    expect(others.filter((n) => idsAt(n, henry.pub).includes(id))).toEqual(others.slice(0, 3));
    await stop(ALICE_NODE);
    await start(ALICE_NODE);
    expect(nodeOf(ALICE_NODE).keeperMail.doubted).toEqual([key]);
    nodeOf(BOB_NODE).relay.serve(bob.pub);
  });

  it("comes with notices of who types, from a keeper to who watches the box", async () => {
    const [writer, { typed }] = [carol.pub, nodeOf(BOB_NODE)];
    // Once a second and pair passes.
    const isTyping = (): boolean => {
      nodeOf(ALICE_NODE).type(bob.pub, writer);
      return typed.includes(writer);
    };
    await pollUntil(isTyping, { ...PATIENCE, what: "the notice to arrive" });
  });

  it("has public cards of devices beside it, at the keepers of their mailboxes, which other nodes read", async () => {
    const device = grace.pub;
    const owner = { person: actor(65).pub, device };
    const number = publicCardNumber(Date.now());
    const cardOf = (of: number): Uint8Array =>
      publicCardOf({ chainId: CHAIN_ID, device, master: actor(65).seed, number: of, height: 5_000 });
    const [first, second, third, ...others] = ranksOf(device);
    const hasIt = (n: number | undefined): boolean => nodeOf(n ?? 0).held.find(owner) !== undefined;
    await nodeOf(ALICE_NODE).cards.publish(device, cardOf(number - 1));
    expect([first, second, third, ...others].map(hasIt)).toEqual([true, true, true, false, false, false]);
    await nodeOf(ALICE_NODE).cards.publish(device, cardOf(number));
    expect(toHex((await nodeOf(BOB_NODE).cards.read(owner)) ?? new Uint8Array())).toBe(toHex(cardOf(number)));
    await expect(nodeOf(BOB_NODE).cards.publish(device, cardOf(number - 1))).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("is refused by who does not keep the box, and what no honest node sends costs its sender", async () => {
    const [keeper = 0] = ranksOf(bob.pub);
    const { network } = nodeOf(ALICE_NODE).network;
    const ask = (n: number, item: KeptEnvelope): Promise<MailResponse> =>
      network.requestMail(
        { key: actor(n).pub, multiaddr: nodeOf(n).network.address },
        { type: "put", items: [item], openings: [], passOn: [] },
        AbortSignal.timeout(10_000),
      );
    const scoreAt = (n: number): number =>
      nodeOf(n)
        .network.network.peers()
        .find(({ name }) => name === network.name)?.score ?? 0;
    const before = scoreAt(BOB_NODE);
    const { epoch } = directory.currentDirectory() ?? { epoch: 0 };
    expect(await ask(BOB_NODE, { envelope: bob.envelope(900), admit: null })).toEqual({ type: "wrongKeeper", epoch });
    const made = { ...bob.envelope(901), id: "00".repeat(16) };
    await expect(ask(keeper, { envelope: made, admit: null })).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect([scoreAt(keeper) <= -11, scoreAt(BOB_NODE) >= before]).toEqual([true, true]);
    expect(idsAt(keeper, bob.pub)).not.toContain(made.id);
  });
});

describe("a network that begins with keepers, and gives them up", WHOLE_ONLY, () => {
  /** A directory of so many hours ago. */
  const give = (mode: MailMode, hours: number, some = KEEPERS): void => {
    const keepers = some.map((n) => keeperOf(n, nodeOf(n).network.address));
    directory.give(directoryOf(keepers, nowSec - hours * 3_600, mode));
  };
  const all = [...KEEPERS, ALICE_NODE, BOB_NODE];
  const holders = (id: string): readonly number[] => all.filter((n) => idsAt(n, grace.pub).includes(id));
  const untilHeld = async (id: string, by: readonly number[], what: string): Promise<void> => {
    await pollUntil(() => by.every((n) => holders(id).includes(n)), { ...PATIENCE, what });
  };
  /** What went to keepers alone, and what gossip has brought everyone before: that does not go on twice in two minutes. */
  const [alone, gossiped]: [string[], string[]] = [[], []];

  it("loses nothing, and nodes hold no mail of others once keepers have it", async () => {
    give({ is: "announced", left: 1, tooFew: 0 }, 99);
    const connected = (): boolean => all.every((n) => nodeOf(n).network.network.peers().length > 1);
    await pollUntil(connected, { ...PATIENCE, what: "nodes to be connected" });
    const first = await send(grace.envelope(1));
    gossiped.push(first);
    await untilHeld(first, all, "all nodes to have it by gossip");
    for (const hours of [98, 60, 25]) give({ is: "keepers", tooFew: 0 }, hours);
    await untilHeld(first, all, "it to be there still: the chain is a day behind");
    give({ is: "keepers", tooFew: 0 }, 0.5);
    const ranks = new KeeperRanks(directory, clock);
    const others = all.filter((n) => !ranks.isKeeper(actor(n).pub, grace.pub));
    const keeping = ranksOf(grace.pub).slice(0, 3);
    await pollUntil(() => others.every((n) => !holders(first).includes(n)), { ...PATIENCE, what: "others to forget it" });
    expect(keeping.filter((n) => !holders(first).includes(n))).toEqual([]);
    // From the light node, and from one of an earlier version, which gossips.
    const second = await send(grace.envelope(2), BOB_NODE);
    const third = grace.envelope(3);
    nodeOf(ALICE_NODE).network.network.publishEnvelopes([third]);
    alone.push(second, await send(grace.envelope(4)));
    gossiped.push(third.id);
    for (const id of [...alone, third.id]) await untilHeld(id, keeping, "its keepers to have it");
    expect([...alone, third.id].flatMap((id) => others.filter((n) => holders(id).includes(n)))).toEqual([]);
  });

  it("passes on what keepers and former ones have when there are too few of them", async () => {
    give({ is: "gossip", enough: 0 }, 0.4, KEEPERS.slice(0, 4));
    for (const id of alone) await untilHeld(id, all, "all nodes to have it");
    expect(gossiped.filter((id) => holders(id).length < 3)).toEqual([]);
  });
});
