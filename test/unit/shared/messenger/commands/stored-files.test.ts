// A file to several devices is stored once, in mailboxes of its own, and read there by all of them.
import { describe, expect, it } from "vitest";
import { CHUNK_BYTES, CHUNK_OVERHEAD_BYTES, CHUNKS_A_BOX, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { fileBoxKeys, sealStoredChunk } from "#shared/messenger/changes/files/box-cipher.ts";
import { chunkCount } from "#shared/messenger/changes/files/chunk-sizes.ts";
import { STALLED_MS } from "#shared/messenger/commands/files/stored-reads.ts";
import type { ChatMessage, StoredAttachment, Transfer } from "#shared/messenger/model/message.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { byteAt, watchedFile, watchedSource } from "#test/support/worlds/file-source.ts";
import { createQuartet, makeGroup } from "#test/support/worlds/group-world.ts";
import { chatOf, type Device, keyOf, passTime } from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, TEST_CHAIN } from "#test/support/worlds/messenger-world.ts";
import { pairsOf, settlePairs } from "#test/support/worlds/pair-mail.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const TOTAL = 5;
const SIZE = TOTAL * CHUNK_BYTES - 1;

const people = peopleForEach(createQuartet);

const readers = (): readonly Device[] => [people.annOther, people.bob, people.carol];

/** A group whose devices have all said that they read such mailboxes. */
async function readyGroup(): Promise<string> {
  const group = await makeGroup(people);
  const isReady = async (): Promise<boolean> => {
    const pairs = await pairsOf(people.ann);
    return readers().every(({ account }) =>
      pairs.some(({ device, readsBoxes }) => device === account.devicePub && readsBoxes !== undefined),
    );
  };
  for (let round = 0; round < 6 && !(await isReady()); round += 1) {
    for (const device of people.world.devices) await device.messenger.sendText(group, `round ${round}`);
    await settlePairs(people.relay, people.world.devices);
  }
  expect(await isReady()).toBe(true);
  return group;
}

async function fileIn(device: Device, group: string): Promise<ChatMessage | undefined> {
  return (await chatOf(device, group)).find(({ body }) => body.kind === "attachment");
}

async function transferOf(device: Device, group: string): Promise<Transfer | null | undefined> {
  return (await fileIn(device, group))?.transfer;
}

async function boxesOfFile(group: string, device = people.ann): Promise<readonly string[]> {
  return ((await fileIn(device, group))?.body as StoredAttachment | undefined)?.boxes ?? [];
}

const isLargeEnvelope = ({ ciphertext }: Pick<Envelope, "ciphertext">): boolean => ciphertext.length > CHUNK_BYTES;
const chunksSent = (from = 0): readonly Envelope[] => people.relay.history.slice(from).filter(isLargeEnvelope);
const inBoxes = async (group: string): Promise<number> =>
  (await boxesOfFile(group)).reduce((sum, mailbox) => sum + people.relay.count(mailbox), 0);

async function untilWhole(devices: readonly Device[], group: string, total = TOTAL): Promise<void> {
  const isWhole = async (device: Device): Promise<boolean> => {
    const transfer = await transferOf(device, group);
    return transfer?.done === total && transfer.total === total && transfer.from === undefined;
  };
  await passTime(people.world.devices, 3_000, async () => (await Promise.all(devices.map(isWhole))).every(Boolean));
}

async function bytesRead(device: Device, group: string): Promise<number> {
  const file = await device.messenger.readFileParts((await fileIn(device, group))?.key ?? "");
  let at = 0;
  for await (const part of file?.parts ?? []) {
    expect(part[0]).toBe(byteAt(at));
    at += part.length;
  }
  return at;
}

/** What is under way in a turn or two is done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const send = (group: string, size = SIZE): Promise<unknown> => people.ann.messenger.sendFile(group, watchedFile(watchedSource(size)));

describe("a file to a group", () => {
  it("is stored once, comes to every device, and is deleted when all have it", async () => {
    const { ann, world } = people;
    const group = await readyGroup();
    const from = people.relay.history.length;
    await send(group);
    await untilWhole([ann, ...readers()], group);
    const boxes = await boxesOfFile(group);
    expect(boxes).toHaveLength(1);
    expect(chunksSent(from)).toHaveLength(TOTAL);
    expect(new Set(chunksSent(from).map(({ recipient_pub, ciphertext }) => `${recipient_pub} ${ciphertext.length}`)).size).toBe(1);
    expect(people.relay.openings.get(boxes[0] ?? "")?.read).toBe("anyone");
    for (const device of readers()) expect(await bytesRead(device, group)).toBe(SIZE);
    await passTime(world.devices, 3_000, async () => (await inBoxes(group)) === 0);
  });

  it("is deleted with its message, and for no one when only one's own chat is removed", async () => {
    const { ann, bob, world } = people;
    const group = await readyGroup();
    bob.node.setOnline(false);
    await send(group);
    await untilWhole([ann, people.annOther], group);
    const { key = "" } = (await fileIn(ann, group)) ?? {};
    expect(await inBoxes(group)).toBe(TOTAL);
    const boxes = await boxesOfFile(group);
    await ann.messenger.deleteForEveryone(key);
    await passTime(world.devices, 3_000, () => boxes.every((mailbox) => people.relay.count(mailbox) === 0));
    const at = people.relay.history.length;
    await send(group);
    await untilWhole([ann, people.annOther], group);
    const kept = await boxesOfFile(group);
    await ann.messenger.deleteMessages([(await fileIn(ann, group))?.key ?? ""]);
    bob.node.setOnline(true);
    await passTime(world.devices, 3_000, async () => (await transferOf(bob, group))?.done === TOTAL);
    expect(chunksSent(at)).toHaveLength(TOTAL);
    await passTime(world.devices, 3_000, () => kept.every((mailbox) => people.relay.count(mailbox) === 0));
  });

  it("stays for the others when a message that disappears is removed on one's own device alone, until it disappears for them", async () => {
    const { ann, bob, carol, world } = people;
    const group = await readyGroup();
    await ann.messenger.setTimer(group, 3_600);
    await settlePairs(people.relay, world.devices);
    for (const device of [bob, carol]) device.node.setOnline(false);
    const at = people.relay.history.length;
    await send(group);
    await untilWhole([ann, people.annOther], group);
    const boxes = await boxesOfFile(group);
    const stored = (): number => boxes.reduce((sum, mailbox) => sum + people.relay.count(mailbox), 0);
    await ann.messenger.deleteMessages([(await fileIn(ann, group))?.key ?? ""]);
    await passTime(world.devices, 3_000, async () => (await fileIn(ann, group)) === undefined);
    bob.node.setOnline(true);
    await passTime(world.devices, 3_000, async () => (await transferOf(bob, group))?.done === TOTAL);
    expect([chunksSent(at).length, stored()]).toEqual([TOTAL, TOTAL]);
    // Carol does not come: it goes when the message would have.
    await passTime(world.devices, 600_000, () => stored() === 0);
  });

  it("continues after the sender and a reader were killed in the middle, with the same envelopes", async () => {
    const { ann, bob, relay } = people;
    const group = await readyGroup();
    const from = relay.history.length;
    let left = 2;
    ann.node.refuse = (call, mailbox): CodedError | undefined => {
      // Mailboxes of people have other mail in them.
      const isOfFile = relay.openings.has(mailbox) && [...(relay.mailboxes.get(mailbox)?.values() ?? [])].every(isLargeEnvelope);
      if (call !== "broadcast" || !isOfFile) return undefined;
      left -= 1;
      return left < 0 ? new CodedError("UNAVAILABLE", "The node cannot be reached") : undefined;
    };
    await send(group);
    await passTime(people.world.devices, 3_000, async () => ((await transferOf(bob, group))?.done ?? 0) >= 1);
    await restartAfterCrash(ann, relay);
    await restartAfterCrash(bob, relay);
    await untilWhole([ann, ...readers()], group);
    expect(chunksSent(from)).toHaveLength(TOTAL);
    expect(await bytesRead(bob, group)).toBe(SIZE);
  });

  it("goes to each device as before where the node stores no such mailbox", async () => {
    const { ann, relay } = people;
    const group = await readyGroup();
    ann.node.refuse = (call): CodedError | undefined => (call === "openBox" ? new CodedError("NOT_FOUND", "No boxes") : undefined);
    const [from, startMs] = [relay.history.length, ann.time.nowMs()];
    await send(group);
    await untilWhole(readers(), group);
    expect(chunksSent(from)).toHaveLength(TOTAL * readers().length);
    // At once, not because readers asked for what did not come.
    expect(ann.time.nowMs() - startMs).toBeLessThan(STALLED_MS);
  });

  it("is sent to the end where one who was to read it has left before it goes to each device", async () => {
    const { ann, bob, carol, world } = people;
    const group = await readyGroup();
    let code: "UNAVAILABLE" | "NOT_FOUND" = "UNAVAILABLE";
    ann.node.refuse = (call): CodedError | undefined => (call === "openBox" ? new CodedError(code, "No boxes") : undefined);
    await send(group);
    await ann.messenger.removeFromGroup(group, keyOf(carol));
    code = "NOT_FOUND";
    await untilWhole([bob, people.annOther], group);
    await passTime(world.devices, 3_000, async () => (await transferOf(ann, group))?.done === 2 * TOTAL);
    expect(await transferOf(ann, group)).toEqual({ done: 2 * TOTAL, total: 2 * TOTAL });
  });
});

describe("what hostile keepers and members do", () => {
  it("with what lies there: damaged, replaced, repeated and foreign envelopes count for nothing", async () => {
    const { ann, bob, carol, relay, world } = people;
    const group = await readyGroup();
    for (const device of [bob, carol]) device.node.setOnline(false);
    await send(group);
    await untilWhole([ann, people.annOther], group);
    const [mailbox = ""] = await boxesOfFile(group);
    const stored = [...(relay.mailboxes.get(mailbox)?.values() ?? [])];
    const [first, second] = stored;
    if (first === undefined || second === undefined) throw new Error("nothing stored");
    // One is missing, one has other contents under its nonce, one is there under the nonce of another, and there is junk of every size.
    const damaged = { ...first, ciphertext: `${first.ciphertext.slice(0, 400)}AAAA${first.ciphertext.slice(404)}` };
    const swapped = { ...second, nonce: first.nonce, id: "swapped" };
    const junk = { ...second, id: "junk", ciphertext: "A".repeat(24) };
    const others = stored.slice(2);
    relay.mailboxes.set(mailbox, new Map([damaged, swapped, junk, ...others, ...others].map((envelope) => [envelope.id, envelope])));
    for (const device of [bob, carol]) device.node.setOnline(true);
    await passTime(world.devices, 3_000, async () => (await transferOf(bob, group))?.done === TOTAL - 2);
    // What is not there comes from the device that sent it, once it was waited for.
    await passTime(world.devices, STALLED_MS / 20, async () => (await transferOf(bob, group))?.done === TOTAL);
    expect(await bytesRead(bob, group)).toBe(SIZE);
  });

  it("with chunks that one who knows the file's key made: a file that is not what its message says is taken away, and asked for", async () => {
    const { ann, bob, carol, relay, world } = people;
    const group = await readyGroup();
    for (const device of [bob, carol]) device.node.setOnline(false);
    await send(group);
    await untilWhole([ann, people.annOther], group);
    const [mailbox = ""] = await boxesOfFile(group);
    const { key: fileKey } = ((await fileIn(ann, group))?.body as StoredAttachment | undefined) ?? { key: "" };
    const stored = [...(relay.mailboxes.get(mailbox)?.values() ?? [])];
    const keys = { ...fileBoxKeys(new Uint8Array(32), 0), mailbox };
    const chunk = { fileKey, index: 0, data: new Uint8Array(CHUNK_BYTES + CHUNK_OVERHEAD_BYTES), sentAtS: 1 };
    const { admit: _, ...forged } = await sealStoredChunk(TEST_CHAIN, keys, chunk);
    relay.mailboxes.set(mailbox, new Map([forged, ...stored.slice(1)].map((envelope) => [envelope.id, envelope])));
    bob.node.setOnline(true);
    const taken = { done: 0, total: TOTAL, from: "sender" };
    await passTime(world.devices, 3_000, async () => JSON.stringify(await transferOf(bob, group)) === JSON.stringify(taken));
    await bob.messenger.downloadFile((await fileIn(bob, group))?.key ?? "");
    await untilWhole([bob], group);
    expect(await bytesRead(bob, group)).toBe(SIZE);
  });
});

it("a large one to a group is put there with the first request, and members who come later read it there", async () => {
  const { ann, bob, carol, relay } = people;
  const group = await readyGroup();
  const size = MAX_PUSHED_FILE_BYTES + 1;
  const total = chunkCount(size);
  const from = relay.history.length;
  expect(await ann.messenger.fileLimit(group)).toMatchObject({ bytes: 100_000_000 });
  await send(group, size);
  await pollUntil(async () => (await fileIn(bob, group)) !== undefined && (await fileIn(carol, group)) !== undefined);
  expect(chunksSent(from)).toHaveLength(0);
  expect(await transferOf(bob, group)).toEqual({ done: 0, total, from: "sender" });
  await bob.messenger.downloadFile((await fileIn(bob, group))?.key ?? "");
  await untilWhole([bob], group, total);
  await carol.messenger.downloadFile((await fileIn(carol, group))?.key ?? "");
  await untilWhole([carol], group, total);
  expect(chunksSent(from)).toHaveLength(total);
  expect(chunkCount(size)).toBeLessThan(CHUNKS_A_BOX);
  expect(await bytesRead(carol, group)).toBe(size);
});

it("a large one that is stopped stays as far as it is, and continues at once when it is wanted again", async () => {
  const { ann, bob } = people;
  const group = await readyGroup();
  const size = MAX_PUSHED_FILE_BYTES + 1;
  const total = chunkCount(size);
  await send(group, size);
  await pollUntil(async () => (await fileIn(bob, group)) !== undefined);
  const { key = "" } = (await fileIn(bob, group)) ?? {};
  let left = 10;
  ann.node.refuse = (call, mailbox): CodedError | undefined => {
    const isOfFile =
      people.relay.openings.has(mailbox) && [...(people.relay.mailboxes.get(mailbox)?.values() ?? [])].every(isLargeEnvelope);
    if (call !== "broadcast" || !isOfFile) return undefined;
    left -= 1;
    return left < 0 ? new CodedError("UNAVAILABLE", "The node cannot be reached") : undefined;
  };
  await bob.messenger.downloadFile(key);
  await passTime(people.world.devices, 3_000, async () => ((await transferOf(bob, group))?.done ?? 0) >= 10);
  await bob.messenger.stopDownload(key);
  await settled();
  // A look at its mailboxes is due meanwhile.
  bob.time.advance(2_000);
  await settled();
  expect((await transferOf(bob, group))?.done).toBe(10);
  ann.node.refuse = (): undefined => undefined;
  await bob.messenger.downloadFile(key);
  let passed = 0;
  await pollUntil(async () => {
    for (const device of [ann, bob]) device.time.advance(1_000);
    passed += 1;
    await settled();
    return (await transferOf(bob, group))?.done === total;
  });
  expect(passed).toBeLessThan(100);
  expect(await bytesRead(bob, group)).toBe(size);
});

it("is looked for no more often than every few minutes in the end, and not at all while the node is away", async () => {
  const { ann, bob } = people;
  const group = await readyGroup();
  ann.node.refuse = (call): CodedError | undefined => (call === "openBox" ? new CodedError("UNAVAILABLE", "Later") : undefined);
  await send(group);
  await pollUntil(async () => (await transferOf(bob, group))?.isAsked === true, { what: "the message" });
  const setTimer = bob.time.setTimer.bind(bob.time);
  let [timers, looks] = [0, 0];
  bob.time.setTimer = (delayMs, callback): ReturnType<typeof setTimer> => {
    timers += 1;
    return setTimer(delayMs, callback);
  };
  bob.node.refuse = (call): undefined => {
    looks += Number(call === "listBoxes");
  };
  const pass = async (): Promise<void> => {
    for (let step = 0; step < 20; step += 1) {
      bob.time.advance(60_000);
      await settled();
    }
  };
  await pass();
  expect(looks).toBeLessThan(60);
  bob.node.setOnline(false);
  [timers, looks] = [0, 0];
  await pass();
  expect(timers).toBeLessThan(400);
  expect(looks).toBe(0);
});

it("a small file, and one to few devices, is sent as before", async () => {
  const { ann, bob, relay } = people;
  const group = await readyGroup();
  const from = relay.history.length;
  await send(group, CHUNK_BYTES);
  await untilWhole(readers(), group, 1);
  expect(await boxesOfFile(group)).toEqual([]);
  expect(chunksSent(from)).toHaveLength(readers().length);
  expect((await ann.messenger.fileLimit(keyOf(bob))).tooOld).toEqual([]);
});
