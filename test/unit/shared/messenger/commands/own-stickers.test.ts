// One's own stickers: what is stored, what leaves as a sticker, and how the set comes to other devices.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { MAX_STICKER_SIDE, MAX_STICKERS, type SyncStickerBody } from "#shared/content/chat/sticker-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { stickerId } from "#shared/messenger/changes/chats/stored-stickers.ts";
import type { ChatMessage, OutgoingFile } from "#shared/messenger/model/message.ts";
import { sealBackup } from "#shared/messenger/transfer/backup.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { smallWebp } from "#test/support/host/sample-images.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import {
  chatOf,
  createTrio,
  type Device,
  keyOf,
  passTime,
  restart,
  type Trio,
  takeOver,
  untilEmpty,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { withRealBackupKeys } from "#test/support/worlds/messenger-world.ts";

const PASSWORD = "a password for the file";
const SESSION = new Uint8Array(32).fill(5);
const [ONE, TWO, THREE] = [1, 2, 3].map((seed) => smallWebp(MAX_STICKER_SIDE, seed)) as [Buffer, Buffer, Buffer];

let trio: Trio;
let ann: Device;
let annOther: Device;
let bob: Device;

beforeEach(async () => {
  trio = await createTrio();
  ({ ann, annOther, bob } = trio);
});

afterEach(() => trio.world.stop());

const emojiOf = async ({ messenger }: Device): Promise<string> => (await messenger.ownStickers()).map(({ emoji }) => emoji).join("");
const bytesOf = async ({ messenger }: Device, id: string | undefined): Promise<string | undefined> => {
  const bytes = await messenger.readSticker(id ?? "");
  return bytes && toHex(bytes);
};
const sticker = (emoji = "🙂", bytes: Uint8Array = ONE): OutgoingFile => ({
  name: "sticker.webp",
  mediaType: "image/webp",
  bytes,
  caption: "",
  image: { width: MAX_STICKER_SIDE, height: MAX_STICKER_SIDE, preview: new Uint8Array() },
  sticker: emoji,
});
/** All rows of the store that are named after a sticker. */
const inFile = async (device: Device): Promise<number> => {
  const found = await Promise.all((await device.messenger.ownStickers()).map(({ id }) => bytesOf(device, id)));
  return found.filter((bytes) => bytes !== undefined).length;
};
/** The row of a picture is gone, as from a damaged disk. */
async function losePicture(device: Device, id: string): Promise<void> {
  const database = await openMessageDatabase((await device.client.storeKeys()).name, () => undefined);
  await database.write([{ table: "meta", delete: `sticker.${id}` }]);
  database.close();
}
/** What the next writes to the disk do. */
async function withFullDisk(task: () => Promise<void>): Promise<void> {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = (): never => {
    throw new DOMException("full", "QuotaExceededError");
  };
  try {
    await task();
  } finally {
    IDBObjectStore.prototype.put = put;
  }
}

describe("a sticker in a chat", () => {
  it("reaches the other side and own devices with its emoji, as a picture with a mark", async () => {
    await ann.messenger.sendFile(keyOf(bob), sticker());
    const at = async (device: Device, peer: Device): Promise<ChatMessage | undefined> =>
      (await chatOf(device, keyOf(peer))).find(({ body }) => body.kind === "attachment");
    for (const [device, peer] of [
      [ann, bob],
      [annOther, bob],
      [bob, ann],
    ] as const) {
      await pollUntil(async () => (await at(device, peer)) !== undefined, { what: "the sticker" });
      expect((await at(device, peer))?.body).toMatchObject({ mediaType: "image/webp", sticker: "🙂", caption: "" });
    }
    await pollUntil(async () => (await bob.messenger.readFile((await at(bob, ann))?.key ?? "")) !== undefined);
    expect(await bob.messenger.readFile((await at(bob, ann))?.key ?? "")).toEqual(new Uint8Array(ONE));
  });

  it.each<[string, Partial<OutgoingFile>]>([
    ["two emoji", { sticker: "🙂🙂" }],
    ["no emoji", { sticker: "" }],
    ["a text", { caption: "Look" }],
    ["no picture", { image: null }],
    ["a large picture", { image: { width: 513, height: 1, preview: new Uint8Array() } }],
    ["many bytes", { bytes: new Uint8Array(65_537) }],
  ])("is not sent with %s", async (_, change) => {
    await expect(ann.messenger.sendFile(keyOf(bob), { ...sticker(), ...change })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await chatOf(ann, keyOf(bob))).toEqual([]);
  });
});

describe("one's own stickers", () => {
  it("are the newest first, each once, can be moved to the front, and stay over a restart", async () => {
    const { messenger } = ann;
    const first = await messenger.addSticker("1️⃣", ONE);
    await messenger.addSticker("2️⃣", TWO);
    expect(await emojiOf(ann)).toBe("2️⃣1️⃣");
    await messenger.moveStickerFirst(first);
    expect(await emojiOf(ann)).toBe("1️⃣2️⃣");
    expect(await messenger.addSticker("🥇", ONE)).toBe(first);
    expect(await messenger.addSticker("2️⃣", TWO)).not.toBe(first);
    expect(await emojiOf(ann)).toBe("2️⃣🥇");
    await restart(ann, trio.relay);
    expect(await emojiOf(ann)).toBe("2️⃣🥇");
    expect(await bytesOf(ann, first)).toBe(toHex(ONE));
    await expect(ann.messenger.moveStickerFirst("00".repeat(16))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("go with their bytes, and come back to their place", async () => {
    const { messenger } = ann;
    await messenger.addSticker("1️⃣", ONE);
    const id = await messenger.addSticker("2️⃣", TWO);
    await messenger.addSticker("3️⃣", THREE);
    const { at } = (await messenger.ownStickers())[1] ?? { at: 0 };
    await messenger.removeSticker(id);
    await messenger.removeSticker(id);
    expect([await emojiOf(ann), await bytesOf(ann, id)]).toEqual(["3️⃣1️⃣", undefined]);
    await restart(ann, trio.relay);
    expect(await bytesOf(ann, id)).toBeUndefined();
    await ann.messenger.addSticker("2️⃣", TWO, at);
    expect(await emojiOf(ann)).toBe("3️⃣2️⃣1️⃣");
  });

  it("are WebP within the bounds with one emoji, and no more than there is room for", async () => {
    const { messenger } = ann;
    for (const [emoji, bytes, at] of [
      ["🙂", smallWebp(MAX_STICKER_SIDE + 1), undefined],
      ["🙂", Buffer.from("no picture"), undefined],
      ["🙂🙂", ONE, undefined],
      ["🙂", ONE, -1],
      ["🙂", ONE, 0.5],
      ["🙂", ONE, 9e15],
    ] as const)
      await expect(messenger.addSticker(emoji, bytes, at)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const ids: string[] = [];
    for (let side = 1; side <= MAX_STICKERS; side += 1) ids.push(await messenger.addSticker("🙂", smallWebp(side)));
    await expect(messenger.addSticker("🙂", ONE)).rejects.toMatchObject({ code: "BAD_REQUEST", details: { count: MAX_STICKERS } });
    await messenger.addSticker("🥇", smallWebp(1));
    expect(await emojiOf(ann)).toMatch(/^🥇/u);
    await messenger.removeSticker(ids[1] ?? "");
    await messenger.addSticker("🆕", ONE);
    expect(await inFile(ann)).toBe(MAX_STICKERS);
  });

  it("are as they were where the disk is full", async () => {
    const id = await ann.messenger.addSticker("🙂", ONE);
    await withFullDisk(async () => {
      await expect(ann.messenger.addSticker("🙃", TWO)).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
      await expect(ann.messenger.removeSticker(id)).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
    });
    expect([await emojiOf(ann), await bytesOf(ann, id)]).toEqual(["🙂", toHex(ONE)]);
    expect(await inFile(ann)).toBe(1);
  });
});

describe("another own device", () => {
  const everywhere = (emoji: string): Promise<unknown> =>
    pollUntil(async () => (await Promise.all([ann, annOther].map(emojiOf))).every((seen) => seen === emoji), { what: `${emoji} on both` });
  const goOffline = (...devices: readonly Device[]): void => {
    for (const { node } of devices) node.refuse = (): CodedError => new CodedError("UNAVAILABLE", "no node");
  };
  const comeBack = async (...devices: readonly Device[]): Promise<void> => {
    for (const device of devices) await restart(device, trio.relay);
  };
  /** Both have stickers of these sides, the widest first. */
  async function withStickers(sides: readonly number[]): Promise<void> {
    withRealBackupKeys(ann, annOther);
    async function* parts(): AsyncGenerator<unknown> {
      yield { app: null };
      yield { stickers: sides.map((side) => ({ emoji: "🙂", at: side, data: toBase64(smallWebp(side)) })) };
    }
    const { account, node, client } = ann;
    const deriveKey: Parameters<typeof sealBackup>[1]["deriveKey"] = (request) => client.backupKey(request);
    const owner = account.masterPub;
    const file = await sealBackup(parts(), { owner, chainId: node.chainId, password: PASSWORD, deriveKey, random: systemRandom });
    for (const device of [ann, annOther]) await device.messenger.importBackup(file, PASSWORD);
  }

  it("keeps one that is moved where its picture is lost", async () => {
    const first = await ann.messenger.addSticker("1️⃣", ONE);
    await ann.messenger.addSticker("2️⃣", TWO);
    await everywhere("2️⃣1️⃣");
    await untilEmpty(trio.relay, ann, annOther);
    await ann.messenger.stop();
    await losePicture(ann, first);
    await restart(ann, trio.relay);
    expect(await bytesOf(ann, first)).toBeUndefined();
    await ann.messenger.moveStickerFirst(first);
    await ann.messenger.addSticker("3️⃣", THREE);
    await pollUntil(async () => (await emojiOf(annOther)).includes("3️⃣"), { what: "what was added after that" });
    expect(await emojiOf(annOther)).toBe("3️⃣2️⃣1️⃣");
    expect(await bytesOf(annOther, first)).toBe(toHex(ONE));
  });

  it("gets each that is added, changed, moved and removed, and no one else does", async () => {
    const first = await ann.messenger.addSticker("1️⃣", ONE);
    await ann.messenger.addSticker("2️⃣", TWO);
    await everywhere("2️⃣1️⃣");
    expect(await bytesOf(annOther, first)).toBe(toHex(ONE));
    await annOther.messenger.moveStickerFirst(first);
    await everywhere("1️⃣2️⃣");
    const { at } = (await ann.messenger.ownStickers())[0] ?? { at: 0 };
    await ann.messenger.addSticker("🥇", ONE, at);
    await everywhere("🥇2️⃣");
    await annOther.messenger.removeSticker(first);
    await everywhere("2️⃣");
    expect(await bytesOf(ann, first)).toBeUndefined();
    await ann.messenger.addSticker("🔙", ONE);
    await everywhere("🔙2️⃣");
    await untilEmpty(trio.relay, ...trio.world.devices);
    expect(await bob.messenger.ownStickers()).toEqual([]);
  });

  it("has the same in the end where both were changed offline: of each sticker the later change", async () => {
    const [one, two] = [await ann.messenger.addSticker("1️⃣", ONE), await ann.messenger.addSticker("2️⃣", TWO)];
    await everywhere("2️⃣1️⃣");
    goOffline(ann, annOther);
    await ann.messenger.removeSticker(one);
    await ann.messenger.removeSticker(two);
    await ann.messenger.addSticker("🅰️", THREE);
    annOther.time.sleep(3_600_000);
    await annOther.messenger.moveStickerFirst(one);
    await comeBack(ann, annOther);
    await everywhere("1️⃣🅰️");
    expect(await bytesOf(ann, one)).toBe(toHex(ONE));
    await comeBack(ann, annOther);
    await everywhere("1️⃣🅰️");
  });

  it("has no more than there is room for where both added the last one: the same one goes on both", async () => {
    const sides = Array.from({ length: MAX_STICKERS - 1 }, (_, index) => index + 1);
    await withStickers(sides);
    goOffline(ann, annOther);
    await ann.messenger.addSticker("🅰️", ONE);
    await annOther.messenger.addSticker("🅱️", TWO);
    await comeBack(ann, annOther);
    await pollUntil(
      async () => JSON.stringify(await ann.messenger.ownStickers()) === JSON.stringify(await annOther.messenger.ownStickers()),
    );
    const emoji = await emojiOf(ann);
    for (const added of ["🅰️", "🅱️"]) expect(emoji).toContain(added);
    expect([await inFile(ann), await inFile(annOther)]).toEqual([MAX_STICKERS, MAX_STICKERS]);
    expect((await ann.messenger.ownStickers()).map(({ at }) => at)).not.toContain(1);
  });

  it("changes nothing by what is no sticker, by a time that no clock shows, and in the name of another person", async () => {
    const id = await ann.messenger.addSticker("1️⃣", ONE);
    await everywhere("1️⃣");
    const removal: SyncStickerBody = { kind: "sync.sticker", sticker: id, emoji: "", place: 0 };
    const other = { ...removal, sticker: stickerId(TWO), emoji: "🙃", place: 5, data: new Uint8Array(TWO) };
    const say = async (from: Device, fields: Partial<SyncStickerBody> = {}, at = 1_900_000_000_000): Promise<void> =>
      deliver(trio.relay, { from, to: ann, plaintext: contentOf(from, ann, { ...other, ...fields }, { at }) });
    const remove = async (from: Device, at: number): Promise<void> =>
      deliver(trio.relay, { from, to: ann, plaintext: contentOf(from, ann, removal, { at }) });
    const wide = smallWebp(MAX_STICKER_SIDE + 1);
    await say(annOther, { sticker: "0f".repeat(16) });
    await say(annOther, { sticker: stickerId(wide), data: new Uint8Array(wide) });
    await say(annOther, { place: Number.MAX_SAFE_INTEGER });
    await say(annOther, {}, Number.MAX_SAFE_INTEGER);
    await say(bob);
    await remove(annOther, 1);
    await remove(annOther, Number.MAX_SAFE_INTEGER);
    await remove(bob, 1_900_000_000_000);
    await untilEmpty(trio.relay, ann);
    expect(await emojiOf(ann)).toBe("1️⃣");
    await say(annOther);
    await pollUntil(async () => (await emojiOf(ann)) === "1️⃣🙃");
    await say(annOther, { emoji: "🙄" }, 1_899_999_999_999);
    await untilEmpty(trio.relay, ann);
    expect(await emojiOf(ann)).toBe("1️⃣🙃");
  });

  it("that is linked later knows what was removed: a backup from before does not bring that back", async () => {
    withRealBackupKeys(ann, annOther);
    const id = await ann.messenger.addSticker("1️⃣", ONE);
    await ann.messenger.addSticker("2️⃣", TWO);
    const file = await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: null });
    await ann.messenger.removeSticker(id);
    const after = await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: null });
    const laptop = await trio.world.join({ phrase: ann.phrase });
    withRealBackupKeys(laptop);
    await laptop.messenger.importBackup(after, PASSWORD);
    for (const device of [ann, laptop]) {
      await device.messenger.importBackup(file, PASSWORD);
      expect(await emojiOf(device)).toBe("2️⃣");
    }
  });
});

describe("other devices", () => {
  it("get them by a backup, also one without files, which changes nothing later", async () => {
    const kept = await ann.messenger.addSticker("1️⃣", ONE);
    await ann.messenger.addSticker("2️⃣", TWO);
    const laptop = await trio.world.join({ phrase: ann.phrase });
    withRealBackupKeys(ann, laptop);
    const file = await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: null });
    laptop.time.sleep(3_600_000);
    await laptop.messenger.addSticker("🥇", ONE);
    await laptop.messenger.importBackup(file, PASSWORD);
    expect(await emojiOf(laptop)).toBe("🥇2️⃣");
    expect(await bytesOf(laptop, kept)).toBe(toHex(ONE));
    expect(await inFile(laptop)).toBe(2);
  });

  it("take from a backup only what may be a sticker", async () => {
    async function* parts(): AsyncGenerator<unknown> {
      const good = { emoji: "🙂", at: 5, data: toBase64(ONE) };
      yield { app: null };
      yield {
        stickers: [
          { ...good, emoji: "smile" },
          { ...good, at: "5" },
          { ...good, data: "?" },
          { ...good, data: toBase64(smallWebp(MAX_STICKER_SIDE + 1)) },
          good,
        ],
      };
    }
    const { account, node, client } = annOther;
    const file = await sealBackup(parts(), {
      owner: account.masterPub,
      chainId: node.chainId,
      password: PASSWORD,
      deriveKey: (request) => client.backupKey(request),
      random: systemRandom,
    });
    await annOther.messenger.importBackup(file, PASSWORD);
    expect(await annOther.messenger.ownStickers()).toMatchObject([{ emoji: "🙂", at: 5 }]);
  });

  it("get them when they are linked, several parts of them, also without the history", async () => {
    for (let side = 1; side <= 3; side += 1) await ann.messenger.addSticker("🙂", Buffer.concat([smallWebp(side), Buffer.alloc(60_000)]));
    const laptop = await trio.world.join({ phrase: ann.phrase });
    await ann.messenger.sendDeviceTransfer({
      session: SESSION,
      keepsakes: "",
      sinceMs: null,
      deviceName: "Laptop",
      devicePub: laptop.account.devicePub,
    });
    await takeOver(laptop, SESSION);
    await passTime([ann, laptop], 500, () => laptop.messenger.getSnapshot().deviceTransfer?.phase === "done");
    expect(await laptop.messenger.ownStickers()).toEqual(await ann.messenger.ownStickers());
    expect(await inFile(laptop)).toBe(3);
  });
});
