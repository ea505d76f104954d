// Files above 8 MiB: announced by their message, and sent chunk by chunk to devices that ask for them.
import { openDB } from "idb";
import { describe, expect, it } from "vitest";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { HttpError } from "#shared/api/client.ts";
import { CHUNK_BYTES, MAX_ASKED_CHUNKS, MAX_FILE_BYTES, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { MAX_DOWNLOADS } from "#shared/messenger/commands/files/downloads.ts";
import type { ChatMessage, MessageKey, Transfer } from "#shared/messenger/model/message.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { byteAt, type WatchedSource, watchedFile, watchedSource } from "#test/support/worlds/file-source.ts";
import { chatOf, createPair, type Device, keyOf, passTime, restart } from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { restartAfterCrash, withoutCards } from "#test/support/worlds/messenger-world.ts";
import { pairsOf } from "#test/support/worlds/pair-mail.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const SIZE = MAX_PUSHED_FILE_BYTES + 1;
const TOTAL = Math.ceil(SIZE / CHUNK_BYTES);

const pair = peopleForEach(createPair);

/** Both have written, and so know what the other's program takes. */
async function acquainted(): Promise<void> {
  const { ann, bob } = pair;
  await ann.messenger.sendText(keyOf(bob), "hello");
  await bob.messenger.sendText(keyOf(ann), "hi");
  for (const [one, other] of [
    [ann, bob],
    [bob, ann],
  ] as const)
    await passTime([ann, bob], 5_000, async () => (await one.messenger.fileLimit(keyOf(other))).tooOld.length === 0);
}

async function fileIn(device: Device, peer: Device): Promise<ChatMessage> {
  const found = async (): Promise<ChatMessage | undefined> =>
    (await chatOf(device, keyOf(peer))).find(({ body }) => body.kind === "attachment");
  await pollUntil(async () => (await found()) !== undefined, { what: "the file's message" });
  return (await found()) as ChatMessage;
}

async function transferOf(device: Device, peer: Device): Promise<Transfer | null> {
  return (await fileIn(device, peer)).transfer;
}

async function chunksStored(device: Device): Promise<number> {
  const database = await openDB(databaseName((await device.client.storeKeys()).name));
  const count = await database.count("chunks");
  database.close();
  return count;
}

/** Envelopes that hold a chunk, by their size. */
function chunksWaiting(): number {
  return [...pair.relay.mailboxes.values()].flatMap((mailbox) => [...mailbox.values()]).filter(isLargeEnvelope).length;
}

function isLargeEnvelope({ ciphertext }: Pick<Envelope, "ciphertext">): boolean {
  return ciphertext.length > CHUNK_BYTES;
}

async function untilWhole(device: Device, peer: Device): Promise<MessageKey> {
  const { key } = await fileIn(device, peer);
  await pollUntil(async () => (await transferOf(device, peer))?.done === TOTAL, { what: "all chunks" });
  expect(await transferOf(device, peer)).toEqual({ done: TOTAL, total: TOTAL });
  return key;
}

describe("a large file", () => {
  it("is read once and part by part, downloaded on request, and no mailbox ever holds more than was asked for", async () => {
    const { ann, bob } = pair;
    await acquainted();
    const source = watchedSource(SIZE);
    const shown: (Transfer | null)[] = [];
    const view = ann.messenger.openConversation(keyOf(bob));
    const stop = view.subscribe(() => {
      const message = view.getSnapshot().messages.find(({ body }) => body.kind === "attachment");
      if (message !== undefined) shown.push(message.transfer);
    });
    await ann.messenger.sendFile(keyOf(bob), watchedFile(source));
    stop();
    view.close();
    expect(source.largest).toBe(CHUNK_BYTES);
    expect(source.together).toBe(1);
    expect(source.starts).toEqual(Array.from({ length: TOTAL }, (_, index) => index * CHUNK_BYTES));
    expect(shown).toContainEqual({ done: 4, total: TOTAL, from: "copy" });
    expect(await transferOf(ann, bob)).toEqual({ done: 0, total: TOTAL });
    expect(await transferOf(bob, ann)).toEqual({ done: 0, total: TOTAL, from: "sender" });
    expect(await chunksStored(bob)).toBe(0);
    let most = 0;
    const store = pair.relay.store.bind(pair.relay);
    pair.relay.store = (json): void => {
      store(json);
      most = Math.max(most, chunksWaiting());
    };
    await bob.messenger.downloadFile((await fileIn(bob, ann)).key);
    const key = await untilWhole(bob, ann);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(MAX_ASKED_CHUNKS);
    await pollUntil(async () => (await transferOf(ann, bob))?.done === TOTAL, { what: "the sender's progress" });
    const parts = await bob.messenger.readFileParts(key);
    let at = 0;
    for await (const part of parts?.parts ?? []) {
      expect(part.length).toBeLessThanOrEqual(CHUNK_BYTES);
      expect(part[0]).toBe(byteAt(at));
      at += part.length;
    }
    expect(at).toBe(SIZE);
  });

  it("continues after both programs were killed in the middle, and lets words pass", async () => {
    const { ann, bob, relay } = pair;
    await acquainted();
    await ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(SIZE)));
    await bob.messenger.downloadFile((await fileIn(bob, ann)).key);
    await pollUntil(async () => ((await transferOf(bob, ann))?.done ?? 0) >= 5, { what: "some chunks" });
    await restartAfterCrash(ann, relay);
    await restartAfterCrash(bob, relay);
    await ann.messenger.sendText(keyOf(bob), "meanwhile");
    await pollUntil(async () => (await chatOf(bob, keyOf(ann))).some(({ body }) => "text" in body && body.text === "meanwhile"));
    expect((await transferOf(bob, ann))?.done).toBeLessThan(TOTAL);
    await passTime([ann, bob], 61_000, async () => (await transferOf(bob, ann))?.done === TOTAL);
    await untilWhole(bob, ann);
  });

  it("that is stopped stays as far as it is, and continues from there", async () => {
    const { ann, bob, relay } = pair;
    await acquainted();
    await ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(SIZE)));
    const { key } = await fileIn(bob, ann);
    await bob.messenger.downloadFile(key);
    await pollUntil(async () => ((await transferOf(bob, ann))?.done ?? 0) >= 3, { what: "some chunks" });
    await bob.messenger.stopDownload(key);
    const stopped = await transferOf(bob, ann);
    expect(stopped).toEqual({ done: stopped?.done, total: TOTAL, from: "sender" });
    await pollUntil(() => chunksWaiting() === 0, { what: "what was on its way" });
    expect(await transferOf(bob, ann)).toEqual(stopped);
    await restart(bob, relay);
    expect(await transferOf(bob, ann)).toEqual(stopped);
    await bob.messenger.downloadFile(key);
    await passTime([ann, bob], 61_000, async () => (await transferOf(bob, ann))?.done === TOTAL);
    await untilWhole(bob, ann);
  });

  it("that its author deletes is gone on both sides", async () => {
    const { ann, bob } = pair;
    await acquainted();
    const key = await ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(SIZE)));
    await bob.messenger.downloadFile((await fileIn(bob, ann)).key);
    await pollUntil(async () => ((await transferOf(bob, ann))?.done ?? 0) >= 2, { what: "some chunks" });
    await ann.messenger.deleteForEveryone(key);
    await pollUntil(async () => (await chatOf(bob, keyOf(ann))).some(({ body }) => body.kind === "deleted"), { what: "the deletion" });
    await pollUntil(async () => (await chunksStored(bob)) === 0 && chunksWaiting() === 0, { what: "nothing left" });
    expect(await chunksStored(ann)).toBe(0);
  });

  it("that the sender removed from their device is said to be gone", async () => {
    const { ann, bob } = pair;
    await acquainted();
    await ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(SIZE)));
    const { key } = await fileIn(bob, ann);
    await ann.messenger.deleteFiles(keyOf(bob));
    await bob.messenger.downloadFile(key);
    await pollUntil(async () => (await transferOf(bob, ann))?.from === "gone", { what: "the answer" });
    expect(await transferOf(bob, ann)).toEqual({ done: 0, total: TOTAL, from: "gone" });
  });
});

it("own other devices, and members of a group, get a large file from the device that sent it when they want it", async () => {
  const { ann, bob, relay, world } = pair;
  const other = await world.join({ phrase: ann.phrase });
  await other.messenger.refreshContacts();
  await acquainted();
  const sent = watchedSource(SIZE);
  const group = await ann.messenger.createGroup("Film club", [keyOf(bob)]);
  await pollUntil(() => bob.messenger.getSnapshot().conversations.some(({ id }) => id === group), { what: "the group" });
  await ann.messenger.sendFile(group, watchedFile(sent));
  for (const device of [other, bob]) {
    const found = async (): Promise<ChatMessage | undefined> =>
      (await chatOf(device, group)).find(({ body }) => body.kind === "attachment");
    await pollUntil(async () => (await found()) !== undefined, { what: "the file's message" });
    expect((await found())?.transfer).toEqual({ done: 0, total: TOTAL, from: "sender" });
    await device.messenger.downloadFile((await found())?.key ?? "");
    await pollUntil(async () => (await found())?.transfer?.done === TOTAL, { what: "all chunks" });
  }
  expect([...relay.mailboxes.values()].every((mailbox) => mailbox.size < 100)).toBe(true);
});

describe("copying a file into the store", () => {
  /** A source that stops before its tenth part, and the way to let it continue. */
  function heldSource(): { readonly source: WatchedSource; readonly isHeld: () => boolean; readonly release: () => void } {
    const source = watchedSource(SIZE);
    const held = Promise.withResolvers<void>();
    source.gate = (): Promise<void> => (source.starts.length === 10 ? held.promise : Promise.resolve());
    return { source, isHeld: () => source.starts.length === 10, release: held.resolve };
  }

  it("leaves nothing when it is given up", async () => {
    const { ann } = pair;
    const { source, isHeld, release } = heldSource();
    const view = ann.messenger.openConversation(keyOf(ann));
    const sent = ann.messenger.sendFile(keyOf(ann), watchedFile(source));
    await pollUntil(isHeld, { what: "a part of the copy" });
    expect(await chunksStored(ann)).toBe(8);
    const [shown] = view.getSnapshot().messages;
    expect(shown?.transfer).toEqual({ done: 8, total: TOTAL, from: "copy" });
    await ann.messenger.cancelCopy(shown?.key ?? "");
    release();
    await sent;
    expect(view.getSnapshot().messages).toEqual([]);
    view.close();
    expect(await chunksStored(ann)).toBe(0);
    expect(await chatOf(ann, keyOf(ann))).toEqual([]);
  });

  it("ends with the chat that it is for, and one that waits behind it is gone at once when it is given up", async () => {
    const { ann } = pair;
    const { source, isHeld, release } = heldSource();
    const view = ann.messenger.openConversation(keyOf(ann));
    const sent = ann.messenger.sendFile(keyOf(ann), watchedFile(source));
    await pollUntil(isHeld, { what: "a part of the copy" });
    const behind = ann.messenger.sendFile(keyOf(ann), watchedFile(watchedSource(CHUNK_BYTES)));
    await pollUntil(() => view.getSnapshot().messages.length === 2, { what: "the one behind" });
    await ann.messenger.cancelCopy(view.getSnapshot().messages.at(-1)?.key ?? "");
    expect(view.getSnapshot().messages).toHaveLength(1);
    await ann.messenger.deleteConversation(keyOf(ann));
    expect(view.getSnapshot().messages).toEqual([]);
    release();
    await Promise.all([sent, behind]);
    expect([view.getSnapshot().messages, await chatOf(ann, keyOf(ann)), await chunksStored(ann)]).toEqual([[], [], 0]);
    view.close();
  });

  it("leaves nothing of a file that a crash interrupted, once the program is there again", async () => {
    const { ann, relay } = pair;
    const { source, isHeld } = heldSource();
    void ann.messenger.sendFile(keyOf(ann), watchedFile(source)).catch(() => undefined);
    await pollUntil(isHeld, { what: "a part of the copy" });
    await restartAfterCrash(ann, relay);
    expect(await chunksStored(ann)).toBe(0);
    expect(await chatOf(ann, keyOf(ann))).toEqual([]);
  });
});

describe("who cannot get it", () => {
  it("is named before anything is sent, and gets what every program takes", async () => {
    const { ann, bob } = pair;
    withoutCards(ann, bob);
    await ann.messenger.sendText(keyOf(bob), "hello");
    expect(await ann.messenger.fileLimit(keyOf(bob))).toEqual({ bytes: MAX_PUSHED_FILE_BYTES, tooOld: [keyOf(bob)] });
    await expect(ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(SIZE)))).rejects.toMatchObject({
      code: "BAD_REQUEST",
      details: { limit: MAX_PUSHED_FILE_BYTES },
    });
    expect(await ann.messenger.fileLimit(keyOf(ann))).toEqual({ bytes: MAX_FILE_BYTES, tooOld: [] });
  });
});

describe("chunks and requests that are not due", () => {
  it("are refused: not asked for, of a wrong size or number, and requests of others or without end", async () => {
    const { ann, bob, relay, world } = pair;
    await acquainted();
    await ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(SIZE)));
    const { key, id } = await fileIn(bob, ann);
    const put = async (index: number, bytes: number): Promise<void> => {
      const body = { kind: "attachment.chunk", id, index, data: new Uint8Array(bytes) } as const;
      await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, body) });
      await pollUntil(() => relay.count(bob.account.devicePub) === 0, { what: "the chunk to be read" });
    };
    await put(0, CHUNK_BYTES + 16);
    expect(await chunksStored(bob)).toBe(0);
    // Nothing leaves Ann's device from here on, so that what is asked for stays missing.
    ann.node.setOnline(false);
    await bob.messenger.downloadFile(key);
    await put(0, CHUNK_BYTES + 15);
    await put(TOTAL, CHUNK_BYTES + 16);
    await put(Math.floor(MAX_FILE_BYTES / CHUNK_BYTES), CHUNK_BYTES + 16);
    expect(await chunksStored(bob)).toBe(0);
    await put(1, CHUNK_BYTES + 16);
    await put(1, CHUNK_BYTES + 16);
    expect(await chunksStored(bob)).toBe(1);
    expect((await transferOf(bob, ann))?.done).toBe(1);
    ann.node.setOnline(true);
    const eve = await world.join();
    relay.setContact(keyOf(ann), keyOf(eve), "accepted");
    for (const device of [ann, eve]) await device.messenger.refreshContacts();
    const before = relay.history.filter((envelope) => isLargeEnvelope(envelope) && envelope.recipient_pub === eve.account.devicePub).length;
    const ask = { kind: "file.ask", id, chunks: [0, 1, 2] } as const;
    await deliver(relay, { from: eve, to: ann, plaintext: contentOf(eve, ann, ask) });
    await pollUntil(() => relay.count(ann.account.devicePub) === 0, { what: "the request to be read" });
    // What Bob asks for next is served behind what she would get.
    await pollUntil(async () => ((await transferOf(bob, ann))?.done ?? 0) > MAX_ASKED_CHUNKS + 4, { what: "later chunks" });
    expect(relay.history.filter((envelope) => isLargeEnvelope(envelope) && envelope.recipient_pub === eve.account.devicePub).length).toBe(
      before,
    );
  });
});

it("no more files are downloaded at once than so many", async () => {
  const { ann, bob, relay } = pair;
  const body = {
    kind: "file",
    name: "f",
    mediaType: "a/b",
    size: SIZE,
    key: "0a".repeat(32),
    digest: "0b".repeat(32),
    caption: "",
  } as const;
  for (let count = 0; count <= MAX_DOWNLOADS; count += 1)
    await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, body) });
  await pollUntil(async () => (await chatOf(bob, keyOf(ann))).length > MAX_DOWNLOADS, { what: "the messages" });
  const [last, ...others] = await chatOf(bob, keyOf(ann));
  ann.node.setOnline(false);
  for (const { key } of others) await bob.messenger.downloadFile(key);
  await expect(bob.messenger.downloadFile(last?.key ?? "")).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await bob.messenger.stopDownload(others[0]?.key ?? "");
  await bob.messenger.downloadFile(last?.key ?? "");
});

it("chunks that come before their message are stored only so far", async () => {
  const { ann, bob, relay } = pair;
  const database = await openDB(databaseName((await bob.client.storeKeys()).name));
  for (let index = 1; index < 500; index += 1)
    await database.put("chunks", { key: `early ${index}`, file: "early", data: Uint8Array.of(1), orphanAt: 1 });
  database.close();
  for (const id of ["01", "02"]) {
    const body = { kind: "attachment.chunk", id: id.repeat(16), index: 0, data: Uint8Array.of(1) } as const;
    await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, body) });
    await pollUntil(() => relay.count(bob.account.devicePub) === 0, { what: "the chunk to be read" });
    expect(await chunksStored(bob)).toBe(500);
  }
});

it("chunks are known as such in the chain of a device until it has acknowledged them", async () => {
  const { ann, bob } = pair;
  await acquainted();
  const waiting = async (): Promise<number> =>
    (await pairsOf(ann)).flatMap(({ state }) => state.sent.waiting).filter(({ isChunk }) => isChunk === true).length;
  bob.node.setOnline(false);
  await ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(CHUNK_BYTES)));
  await pollUntil(async () => (await waiting()) > 0, { what: "the chunk in the chain" });
  expect(await waiting()).toBe(1);
  bob.node.setOnline(true);
  await passTime([ann, bob], 61_000, async () => (await waiting()) === 0);
});

describe("a node that takes no more of files today", () => {
  it("gets what is written beside them, is not asked in vain, and gets the rest the next day; the sender is shown that", async () => {
    const { ann, bob } = pair;
    await acquainted();
    await ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(SIZE)));
    let refused = 0;
    const send = ann.node.broadcast.bind(ann.node);
    ann.node.broadcast = async (envelope): Promise<void> => {
      if (!isLargeEnvelope(envelope)) return send(envelope);
      refused += 1;
      throw new HttpError(429, "tomorrow", "40000");
    };
    await bob.messenger.downloadFile((await fileIn(bob, ann)).key);
    await pollUntil(async () => (await transferOf(ann, bob))?.isHeldUp === true, { what: "the refusal" });
    await ann.messenger.sendText(keyOf(bob), "beside it");
    await pollUntil(async () => (await chatOf(bob, keyOf(ann))).some(({ body }) => "text" in body && body.text === "beside it"));
    for (let step = 0; step < 50; step += 1) ann.time.advance(60_000);
    expect(refused).toBe(1);
    ann.node.broadcast = send;
    await passTime([ann, bob], 600_000, async () => ((await transferOf(bob, ann))?.done ?? 0) > 0);
    await pollUntil(async () => ((await transferOf(ann, bob))?.done ?? 0) > 0, { what: "the sender's progress" });
    expect((await transferOf(ann, bob))?.isHeldUp).toBeUndefined();
  });
});

it("chunks that were held back for longer than a day are not given up with the first failure", async () => {
  const { ann, bob } = pair;
  await acquainted();
  ann.node.setOnline(false);
  await ann.messenger.sendFile(keyOf(bob), watchedFile(watchedSource(CHUNK_BYTES)));
  ann.time.sleep(2 * 86_400_000);
  await passTime([ann], 400_000, async () => (await fileIn(ann, bob)).state === "failed");
  ann.node.setOnline(true);
  await ann.messenger.retry((await fileIn(ann, bob)).key);
  await passTime([ann, bob], 61_000, async () => (await chatOf(bob, keyOf(ann))).some(({ transfer }) => transfer?.done === 1));
});
