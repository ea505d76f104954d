import { openDB } from "idb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { CHUNK_BYTES, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import type { CodedError } from "#shared/errors/coded-error.ts";
import { UNDO_MS } from "#shared/messenger/commands/removing/removals.ts";
import type { OutgoingFile } from "#shared/messenger/model/message.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  chatOf,
  createTrio,
  type Device,
  keyOf,
  passTime,
  restart,
  textsOf,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import type { TestRelay } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let annOther: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, annOther, bob } = await createTrio());
});

afterEach(() => world.stop());

function file(length: number, fields: Partial<OutgoingFile> = {}): OutgoingFile {
  const bytes = new Uint8Array(length).map((_, index) => (index * 7 + (index >> 8)) & 255);
  return { name: "notes.bin", mediaType: "application/octet-stream", bytes, caption: "", image: null, ...fields };
}

async function fileOf(device: Device, peer: string): Promise<Uint8Array | undefined> {
  const message = (await chatOf(device, peer)).find(({ body }) => body.kind === "attachment");
  return message && device.messenger.readFile(message.key);
}

async function untilFile(device: Device, peer: string, sent: OutgoingFile): Promise<void> {
  await pollUntil(async () => (await fileOf(device, peer)) !== undefined, { what: "the whole file" });
  expect(Buffer.compare((await fileOf(device, peer)) ?? Buffer.alloc(0), sent.bytes)).toBe(0);
}

async function transferOf(device: Device, peer: string): Promise<unknown> {
  return (await chatOf(device, peer)).find(({ body }) => body.kind === "attachment")?.transfer;
}

const mailOf = (device: Device): number => relay.count(device.account.devicePub);

describe("a file", () => {
  it("arrives whole on all devices, with its text and small picture", async () => {
    const image = { width: 640, height: 480, preview: new Uint8Array([1, 2, 3]) };
    const sent = file(2 * CHUNK_BYTES + 5, { caption: "Look", image });
    await ann.messenger.sendFile(keyOf(bob), sent);
    await untilFile(bob, keyOf(ann), sent);
    await untilFile(annOther, keyOf(bob), sent);
    for (const [device, peer] of [
      [ann, keyOf(bob)],
      [annOther, keyOf(bob)],
      [bob, keyOf(ann)],
    ] as const) {
      await pollUntil(async () => JSON.stringify(await transferOf(device, peer)) === JSON.stringify({ done: 3, total: 3 }));
      const [message] = await chatOf(device, peer);
      expect(message?.body).toMatchObject({
        kind: "attachment",
        caption: "Look",
        size: sent.bytes.length,
        image: { width: 640, preview: "AQID" },
      });
    }
  });

  it("does not hold up what is written after it", async () => {
    bob.node.setOnline(false);
    await ann.messenger.sendFile(keyOf(bob), file(4 * CHUNK_BYTES));
    await ann.messenger.sendText(keyOf(bob), "while it goes");
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
    await pollUntil(() => mailOf(bob) === 6);
    const sizes = [...(relay.mailboxes.get(bob.account.devicePub)?.values() ?? [])].map(({ ciphertext }) => ciphertext.length > 10_000);
    expect(sizes.lastIndexOf(false)).toBeLessThan(sizes.lastIndexOf(true));
    bob.node.setOnline(true);
    await untilTexts(bob, keyOf(ann), ["attachment", "while it goes"]);
  });

  it("continues after both sides were away in the middle of it", async () => {
    const sent = file(5 * CHUNK_BYTES);
    let chunks = 0;
    ann.node.refuse = (call): CodedError | undefined => {
      if (call === "broadcast") chunks += 1;
      if (chunks > 5) ann.node.setOnline(false);
      return undefined;
    };
    await ann.messenger.sendFile(keyOf(bob), sent);
    await pollUntil(() => !ann.node.isOnline());
    expect(await fileOf(bob, keyOf(ann))).toBeUndefined();
    await restart(ann, relay);
    await restart(bob, relay);
    await untilFile(bob, keyOf(ann), sent);
  });

  it("is whole although chunks got lost, came twice and before the message", async () => {
    const sent = file(6 * CHUNK_BYTES);
    let count = 0;
    relay.loses = ({ recipient_pub }): boolean => {
      if (recipient_pub !== bob.account.devicePub) return false;
      count += 1;
      return count % 3 === 0;
    };
    bob.node.setOnline(false);
    await ann.messenger.sendFile(keyOf(bob), sent);
    await pollUntil(() => mailOf(bob) >= 4);
    await pollUntil(async () => JSON.stringify(await transferOf(ann, keyOf(bob))) === JSON.stringify({ done: 6, total: 6 }));
    relay.loses = (): boolean => false;
    const mailbox = relay.mailboxes.get(bob.account.devicePub) ?? new Map();
    relay.mailboxes.set(bob.account.devicePub, new Map([...mailbox].reverse()));
    for (const envelope of [...mailbox.values()]) relay.store({ ...envelope, id: `again-${envelope.id}` });
    bob.node.setOnline(true);
    await ann.messenger.sendText(keyOf(bob), "and a word");
    await passTime([ann, bob], 5_000, async () => (await fileOf(bob, keyOf(ann))) !== undefined);
    await untilFile(bob, keyOf(ann), sent);
  });

  it("that is cancelled is not sent any further and leaves nothing", async () => {
    ann.node.refuse = (call): CodedError | undefined => {
      if (call === "broadcast" && mailOf(bob) >= 2) ann.node.setOnline(false);
      return undefined;
    };
    bob.node.setOnline(false);
    const key = await ann.messenger.sendFile(keyOf(bob), file(5 * CHUNK_BYTES));
    await pollUntil(() => !ann.node.isOnline());
    await ann.messenger.deleteForEveryone(key);
    ann.node.refuse = (): undefined => undefined;
    ann.node.setOnline(true);
    bob.node.setOnline(true);
    await untilTexts(bob, keyOf(ann), ["deleted"]);
    expect(await ann.messenger.readFile(key)).toBeUndefined();
    for (const device of [ann, bob]) expect(await chunksStored(device)).toBe(0);
  });

  it("lies encrypted in the store and is gone with its message, once that cannot be undone", async () => {
    const sent = file(1_000, { bytes: new Uint8Array(1_000).fill(0x41) });
    const key = await ann.messenger.sendFile(keyOf(ann), sent);
    const database = await openDB(await nameOf(ann));
    for (const { data } of await database.getAll("chunks")) expect(Buffer.from(data).includes("AAAA")).toBe(false);
    database.close();
    expect(await chunksStored(ann)).toBe(1);
    await ann.messenger.deleteMessage(key);
    ann.time.advance(UNDO_MS);
    await pollUntil(async () => (await chunksStored(ann)) === 0, { what: "no chunk" });
  });

  it("counts for its chat, and is removed here alone, with the others of the chat, once nothing of it is to be sent", async () => {
    const sent = file(2 * CHUNK_BYTES);
    await ann.messenger.sendText(keyOf(ann), "a note");
    await ann.messenger.sendFile(keyOf(bob), sent);
    await untilFile(bob, keyOf(ann), sent);
    await pollUntil(async () => JSON.stringify(await transferOf(ann, keyOf(bob))) === JSON.stringify({ done: 2, total: 2 }));
    const expected = { conversation: keyOf(bob), messages: 1, files: 1, fileBytes: sent.bytes.length };
    const { chats, isPartial } = await ann.messenger.storageUse();
    expect(chats).toEqual([expected, { conversation: keyOf(ann), messages: 1, files: 0, fileBytes: 0 }]);
    expect(isPartial).toBe(false);
    await pollUntil(async () => (await ann.messenger.deleteFiles(keyOf(bob))).files === 1);
    expect(await fileOf(ann, keyOf(bob))).toBeUndefined();
    expect(await transferOf(ann, keyOf(bob))).toEqual({ done: 0, total: 2, from: "history" });
    expect(await chunksStored(ann)).toBe(0);
    expect((await ann.messenger.storageUse()).chats).toContainEqual({ ...expected, files: 0, fileBytes: 0 });
    expect(await ann.messenger.deleteFiles(keyOf(bob))).toEqual({ files: 0, bytes: 0 });
    expect(await fileOf(bob, keyOf(ann))).toEqual(sent.bytes);
  });

  it("of a stranger is announced and not kept", async () => {
    const eve = await world.join();
    await eve.messenger.sendFile(keyOf(bob), file(CHUNK_BYTES));
    await untilTexts(bob, keyOf(eve), ["attachment"]);
    await pollUntil(() => mailOf(bob) === 0);
    expect(await chunksStored(bob)).toBe(0);
  });

  it("that was damaged in the store is refused, not shown", async () => {
    const key = await ann.messenger.sendFile(keyOf(ann), file(1_000));
    const database = await openDB(await nameOf(ann));
    const [row] = await database.getAll("chunks");
    row.data[3] ^= 1;
    await database.put("chunks", row);
    database.close();
    await expect(ann.messenger.readFile(key)).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
  });

  it.each<[string, OutgoingFile]>([
    ["nothing in it", file(0)],
    ["more than 8 MiB, to one whose program has not said that it takes that", file(MAX_PUSHED_FILE_BYTES + 1)],
    ["no name", file(1, { name: "" })],
    ["a long name", file(1, { name: "x".repeat(256) })],
  ])("with %s is refused", async (_, wrong) => {
    await expect(ann.messenger.sendFile(keyOf(bob), wrong)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await textsOf(ann, keyOf(bob))).toEqual([]);
  });
});

async function nameOf(device: Device): Promise<string> {
  return databaseName((await device.client.storeKeys()).name);
}

async function chunksStored(device: Device): Promise<number> {
  const database = await openDB(await nameOf(device));
  const count = await database.count("chunks");
  database.close();
  return count;
}
