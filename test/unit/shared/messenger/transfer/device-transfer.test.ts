import { openDB } from "idb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { CHUNK_BYTES, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { LinkChannel } from "#shared/linking/link-channel.ts";
import { sessionMailboxes } from "#shared/linking/link-keys.ts";
import { type LinkPart, SESSION_KINDS } from "#shared/linking/link-message.ts";
import type { DeviceTransferView } from "#shared/messenger/model/device-transfer.ts";
import type { ChatMessage, OutgoingFile } from "#shared/messenger/model/message.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { byteAt, watchedFile, watchedSource } from "#test/support/worlds/file-source.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import {
  befriend,
  chatOf,
  createWorld,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  takeOver,
  textsOf,
  untilState,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";

const SESSION = new Uint8Array(32).fill(5);
const DAY_MS = 86_400_000;

/** Asleep: what is done every hour would be done 1,440 times. */
function passTwoMonths({ time }: Device): void {
  time.sleep(60 * DAY_MS);
  time.advance(0);
}

let world: World;
let desk: Device;
let laptop: Device;
let bob: Device;

beforeEach(async () => {
  world = createWorld(new TestRelay());
  desk = await world.join();
  bob = await world.join();
  await befriend(world.relay, desk, bob, [desk, bob]);
  await desk.messenger.sendText(keyOf(bob), "long ago");
  await untilTexts(bob, keyOf(desk), ["long ago"]);
  for (const device of [desk, bob]) passTwoMonths(device);
  await desk.messenger.sendText(keyOf(bob), "last week");
  await untilTexts(bob, keyOf(desk), ["long ago", "last week"]);
  await bob.messenger.sendText(keyOf(desk), "and the answer");
  await untilTexts(desk, keyOf(bob), ["long ago", "last week", "and the answer"]);
  laptop = await world.join({ phrase: desk.phrase });
  passTwoMonths(laptop);
});

afterEach(() => world.stop());

function viewOf(device: Device): DeviceTransferView | null {
  return device.messenger.getSnapshot().deviceTransfer;
}

async function begin(sinceMs: number | null, keepsakes = "notes"): Promise<void> {
  await desk.messenger.sendDeviceTransfer({
    session: SESSION,
    keepsakes,
    sinceMs,
    deviceName: "Laptop",
    devicePub: laptop.account.devicePub,
  });
  await takeOver(laptop, SESSION);
}

/** The channel of a device that was linked, as its program has it. */
function channelOf({ node, time }: Device): LinkChannel {
  return new LinkChannel(
    { node, clock: time, random: systemRandom },
    { mailboxes: sessionMailboxes(SESSION), side: "fresh", kinds: SESSION_KINDS },
  );
}

function isLargeEnvelope({ ciphertext }: Pick<Envelope, "ciphertext">): boolean {
  return ciphertext.length > CHUNK_BYTES;
}

async function untilDone(): Promise<void> {
  await passTime([desk, laptop], 500, () => viewOf(desk)?.phase === "done" && viewOf(laptop)?.phase === "done");
}

describe("handing over", () => {
  it("brings notes, conversations and all messages, each once, and says how far it is", async () => {
    const texts = ["long ago", "last week", "and the answer"];
    await desk.messenger.setChat(keyOf(bob), { isPinned: true });
    const preview = { link: "https://a.example/", title: "A page", description: "About it", picture: "" };
    await desk.messenger.sendText(keyOf(bob), "https://a.example/", [], preview);
    await pollUntil(async () => (await messageWith(desk, keyOf(bob), "https://a.example/")).state !== "queued");
    await begin(0);
    expect(viewOf(desk)).toMatchObject({ role: "sending", phase: "running", deviceName: "Laptop", total: 4 });
    await untilDone();
    expect(await textsOf(laptop, keyOf(bob))).toEqual([...texts, "https://a.example/"]);
    expect((await messageWith(laptop, keyOf(bob), "https://a.example/")).body).toMatchObject({ preview });
    expect(laptop.node.keepsakes).toEqual(["notes"]);
    expect(laptop.messenger.getSnapshot().conversations.find(({ id }) => id === keyOf(bob))).toMatchObject({ isPinned: true, unread: 0 });
    expect(viewOf(laptop)).toMatchObject({ role: "receiving", done: 4, total: 4, problem: null });
    await desk.messenger.cancelDeviceTransfer();
    expect(viewOf(desk)).toBeNull();
    await bob.messenger.sendText(keyOf(desk), "to both");
    for (const device of [desk, laptop]) await untilTexts(device, keyOf(bob), [...texts, "https://a.example/", "to both"]);
  });

  it("brings what a person writes meanwhile: programs hear of it once, though it comes from the other device before it comes by itself", async () => {
    let isHeld = true;
    bob.node.refuse = (call, to): CodedError | undefined =>
      isHeld && call === "broadcast" && to === laptop.account.devicePub ? new CodedError("UNAVAILABLE", "Not yet") : undefined;
    await bob.messenger.sendText(keyOf(desk), "meanwhile");
    await untilTexts(desk, keyOf(bob), ["long ago", "last week", "and the answer", "meanwhile"]);
    await begin(0);
    await untilDone();
    const heard = async (): Promise<readonly string[]> => {
      const { arrivals } = await laptop.messenger.readArrivals({ after: 0, limit: 10, conversations: [keyOf(bob)] });
      return Promise.all(arrivals.map(async ({ id }) => (await laptop.messenger.readEntry({ id })).text ?? ""));
    };
    expect([await textsOf(laptop, keyOf(bob)), await heard()]).toEqual([["long ago", "last week", "and the answer", "meanwhile"], []]);
    isHeld = false;
    await passTime([bob, laptop], 1_000, async () => (await heard()).length > 0);
    expect(await heard()).toEqual(["meanwhile"]);
    await passTime([bob, laptop], 1_000, () => world.relay.count(laptop.account.devicePub) === 0);
    const [came] = world.relay.history.filter(({ recipient_pub }) => recipient_pub === laptop.account.devicePub);
    world.relay.store({ ...came });
    await pollUntil(() => world.relay.count(laptop.account.devicePub) === 0);
    expect([await textsOf(laptop, keyOf(bob)), await heard()]).toEqual([
      ["long ago", "last week", "and the answer", "meanwhile"],
      ["meanwhile"],
    ]);
  });

  it("brings the last weeks only, or only the notes, where that was chosen", async () => {
    await begin(desk.time.nowMs() - 45 * DAY_MS);
    await untilDone();
    expect(await textsOf(laptop, keyOf(bob))).toEqual(["last week", "and the answer"]);
    const tablet = await world.join({ phrase: desk.phrase });
    const session = new Uint8Array(32).fill(6);
    await desk.messenger.sendDeviceTransfer({
      session,
      keepsakes: "names",
      sinceMs: null,
      deviceName: "Tablet",
      devicePub: tablet.account.devicePub,
    });
    await takeOver(tablet, session);
    await passTime([desk, tablet], 500, () => viewOf(tablet)?.phase === "done");
    expect(tablet.node.keepsakes).toEqual(["names"]);
    expect(await textsOf(tablet, keyOf(bob))).toEqual([]);
  });

  it("continues where it was after either device restarted", async () => {
    for (let n = 0; n < 420; n += 1) await desk.messenger.sendText(keyOf(desk), `note ${n}`);
    await passTime([desk, laptop], 100, () => desk.messenger.getSnapshot().queued === 0);
    const tablet = await world.join({ phrase: desk.phrase });
    await desk.messenger.sendDeviceTransfer({
      session: SESSION,
      keepsakes: "notes",
      sinceMs: 0,
      deviceName: "Tablet",
      devicePub: tablet.account.devicePub,
    });
    await takeOver(tablet, SESSION);
    await passTime([desk, tablet], 100, () => (viewOf(tablet)?.done ?? 0) > 0);
    await restart(tablet, world.relay);
    await passTime([tablet], 100, () => viewOf(tablet) !== null);
    expect(viewOf(tablet)).toMatchObject({ role: "receiving", phase: "running" });
    expect(viewOf(tablet)?.done).toBeGreaterThan(0);
    await restart(desk, world.relay);
    await passTime([desk, tablet], 500, () => viewOf(tablet)?.phase === "done");
    expect(await textsOf(tablet, keyOf(desk))).toEqual(await textsOf(desk, keyOf(desk)));
    expect(await textsOf(tablet, keyOf(desk))).toHaveLength(420);
  });

  it("asks again for what gets lost, and waits while the node is away", async () => {
    let lost = 0;
    world.relay.loses = (): boolean => {
      lost += 1;
      return lost <= 3;
    };
    laptop.node.setOnline(false);
    await begin(0);
    await passTime([desk, laptop], 500, () => viewOf(laptop)?.problem?.code === "UNAVAILABLE");
    laptop.node.setOnline(true);
    await untilDone();
    expect(await textsOf(laptop, keyOf(bob))).toEqual(["long ago", "last week", "and the answer"]);
  });

  it.each(["desk", "laptop"] as const)("ends on both devices when the %s cancels it", async (who) => {
    desk.node.setOnline(false);
    await begin(0);
    if (who === "laptop") desk.node.setOnline(true);
    const [canceller, other] = who === "desk" ? [desk, laptop] : [laptop, desk];
    canceller.node.setOnline(true);
    await canceller.messenger.cancelDeviceTransfer();
    expect(viewOf(canceller)?.phase).toBe("cancelled");
    desk.node.setOnline(true);
    await passTime([desk, laptop], 500, () => viewOf(other)?.phase !== "running");
    await restart(canceller, world.relay);
    expect(viewOf(canceller)).toBeNull();
  });
});

/** A file of so many chunks and a few bytes. */
function fileOf(chunks: number, name: string): OutgoingFile {
  const bytes = new Uint8Array(chunks * CHUNK_BYTES + 9).map((_, index) => (index * 5 + name.length) & 255);
  return { name, mediaType: "application/octet-stream", bytes, caption: "", image: null };
}

async function fileMessage(device: Device, name: string): Promise<ChatMessage> {
  const chat = await chatOf(device, device === bob ? keyOf(desk) : keyOf(bob));
  const found = chat.find(({ body }) => body.kind === "attachment" && body.name === name);
  if (found === undefined) throw new Error(`No file ${name}`);
  return found;
}

async function bytesOf(device: Device, name: string): Promise<Uint8Array | undefined> {
  return device.messenger.readFile((await fileMessage(device, name)).key);
}

async function untilFile(device: Device, { name, bytes }: OutgoingFile): Promise<void> {
  await passTime([desk, bob], 500, async () => (await textsOf(device, device === bob ? keyOf(desk) : keyOf(bob))).includes("attachment"));
  await passTime([desk, bob], 500, async () => (await bytesOf(device, name))?.length === bytes.length);
}

/** Of the files at the desk: as if a part had got lost there. */
async function loseChunk(chunks: number): Promise<void> {
  const database = await openDB(databaseName((await desk.client.storeKeys()).name));
  const byFile = new Map<string, string[]>();
  for (const { key, file } of await database.getAll("chunks")) byFile.set(file, [...(byFile.get(file) ?? []), key]);
  const [key = ""] = [...byFile.values()].find((keys) => keys.length === chunks) ?? [];
  await database.delete("chunks", key);
  database.close();
}

describe("files", () => {
  const mine = fileOf(6, "mine.bin");
  const theirs = fileOf(2, "theirs.bin");
  const torn = fileOf(3, "torn.bin");
  const long = fileOf(40, "long.bin");

  it("come with the history of their time, also after both restarted; one that is not whole is not there", async () => {
    const tablet = await world.join({ phrase: desk.phrase, isPublished: false });
    await desk.messenger.sendFile(keyOf(bob), mine);
    await untilFile(bob, mine);
    await bob.messenger.sendFile(keyOf(desk), theirs);
    await untilFile(desk, theirs);
    await bob.messenger.sendFile(keyOf(desk), torn);
    await untilFile(desk, torn);
    await loseChunk(4);
    world.relay.link(keyOf(desk), tablet.account.devicePub);
    await desk.messenger.sendDeviceTransfer({
      session: SESSION,
      keepsakes: "notes",
      sinceMs: desk.time.nowMs() - 45 * DAY_MS,
      deviceName: "Tablet",
      devicePub: tablet.account.devicePub,
    });
    await takeOver(tablet, SESSION);
    await passTime(
      [desk, tablet],
      100,
      async () => ((await fileMessage(tablet, "mine.bin").catch(() => undefined))?.transfer?.done ?? 0) > 0,
    );
    for (const device of [tablet, desk]) await restart(device, world.relay);
    await passTime([desk, tablet], 500, () => viewOf(tablet)?.phase === "done");
    expect(await bytesOf(tablet, "mine.bin")).toEqual(mine.bytes);
    expect(await bytesOf(tablet, "theirs.bin")).toEqual(theirs.bytes);
    expect(await bytesOf(tablet, "torn.bin")).toBeUndefined();
    expect((await fileMessage(tablet, "torn.bin")).transfer).toEqual({ done: 3, total: 4, from: "history" });
    expect((await fileMessage(tablet, "mine.bin")).transfer).toEqual({ done: 7, total: 7 });
    expect(viewOf(tablet)?.done).toBe(viewOf(tablet)?.total);
    const sealed = world.relay.history.map(({ ciphertext }) => ciphertext).join();
    expect(sealed).not.toContain(Buffer.from(mine.bytes.subarray(0, 99)).toString("base64"));
  });

  it("of before that time stay away, and what has come stays when it is cancelled", async () => {
    const tablet = await world.join({ phrase: desk.phrase, isPublished: false });
    await desk.messenger.sendFile(keyOf(bob), mine);
    await untilFile(bob, mine);
    for (const device of [desk, bob, tablet]) passTwoMonths(device);
    await bob.messenger.sendFile(keyOf(desk), long);
    await untilFile(desk, long);
    await desk.messenger.sendDeviceTransfer({
      session: SESSION,
      keepsakes: "notes",
      sinceMs: desk.time.nowMs() - 45 * DAY_MS,
      deviceName: "Tablet",
      devicePub: tablet.account.devicePub,
    });
    await takeOver(tablet, SESSION);
    await passTime(
      [desk, tablet],
      100,
      async () => ((await fileMessage(tablet, "long.bin").catch(() => undefined))?.transfer?.done ?? 0) > 0,
    );
    await tablet.messenger.cancelDeviceTransfer();
    await passTime([desk, tablet], 500, () => viewOf(desk)?.phase !== "running");
    expect(await textsOf(tablet, keyOf(bob))).toEqual(["attachment"]);
    expect((await fileMessage(tablet, "long.bin")).transfer).toMatchObject({ total: 41, from: "history" });
  });
});

describe("large files", () => {
  const SIZE = MAX_PUSHED_FILE_BYTES + 1;
  const TOTAL = Math.ceil(SIZE / CHUNK_BYTES);

  async function beginWithLarge(): Promise<Device> {
    const tablet = await world.join({ phrase: desk.phrase, isPublished: false });
    await desk.messenger.sendFile(keyOf(desk), watchedFile(watchedSource(SIZE)));
    await desk.messenger.sendDeviceTransfer({
      session: SESSION,
      keepsakes: "notes",
      sinceMs: 0,
      deviceName: "Tablet",
      devicePub: tablet.account.devicePub,
    });
    return tablet;
  }

  const fileOn = async (device: Device): Promise<ChatMessage | undefined> =>
    (await chatOf(device, keyOf(desk))).find(({ body }) => body.kind === "attachment");

  async function bytesOn(device: Device): Promise<number> {
    const file = await device.messenger.readFileParts((await fileOn(device))?.key ?? "");
    let at = 0;
    for await (const part of file?.parts ?? []) {
      expect(part[0]).toBe(byteAt(at));
      at += part.length;
    }
    return at;
  }

  it("come last and whole, although one side or the other is killed at every step", async () => {
    const tablet = await beginWithLarge();
    await takeOver(tablet, SESSION);
    let done = 0;
    let kills = 0;
    const isOver = (): boolean => viewOf(tablet)?.phase === "done";
    for (;;) {
      await passTime([desk, tablet], 1_000, () => isOver() || (viewOf(tablet)?.done ?? 0) > done);
      done = viewOf(tablet)?.done ?? 0;
      // One that is killed while it notes that all has come may have no transfer any more.
      if (done === viewOf(tablet)?.total) break;
      kills += 1;
      await restartAfterCrash(kills % 2 === 0 ? desk : tablet, world.relay);
    }
    await passTime([desk, tablet], 1_000, isOver);
    expect(kills).toBeGreaterThan(3);
    expect((await fileOn(tablet))?.transfer).toEqual({ done: TOTAL, total: TOTAL });
    expect(await bytesOn(tablet)).toBe(SIZE);
    expect(viewOf(tablet)?.done).toBe(viewOf(tablet)?.total);
    // Nothing of it is left in a mailbox.
    expect([...world.relay.mailboxes.values()].flatMap((mailbox) => [...mailbox.values()]).filter(isLargeEnvelope)).toEqual([]);
  });

  it("go to no device that does not ask for them, as of an earlier version", async () => {
    const tablet = await beginWithLarge();
    await tablet.messenger.stop();
    const channel = channelOf(tablet);
    let after = "";
    const sizes: number[] = [];
    for (let isLast = false; !isLast; ) {
      await channel.send({ kind: "want", after, window: 1 });
      let part: LinkPart | undefined;
      await passTime([desk], 500, async () => {
        part = (await channel.receive()).find((message) => message.kind === "part" && message.from === after) as LinkPart | undefined;
        return part !== undefined;
      });
      sizes.push(part?.data.length ?? 0);
      isLast = part?.isLast ?? true;
      after = part?.next ?? "";
    }
    expect(Math.max(...sizes)).toBeLessThan(CHUNK_BYTES);
  });

  it("are compared with what their messages say: one that is damaged on the old device is not kept", async () => {
    const tablet = await beginWithLarge();
    const database = await openDB(databaseName((await desk.client.storeKeys()).name));
    const [key] = await database.getAllKeys("chunks");
    const row = (await database.get("chunks", key ?? "")) as { readonly data: Uint8Array };
    await database.put("chunks", { ...row, data: new Uint8Array(row.data.length) });
    database.close();
    await takeOver(tablet, SESSION);
    await passTime([desk, tablet], 500, () => viewOf(tablet)?.phase === "done");
    expect((await fileOn(tablet))?.transfer).toEqual({ done: 0, total: TOTAL, from: "sender" });
  });

  it("wait while the device has no room, which is said, and continue when there is some", async () => {
    const tablet = await beginWithLarge();
    let free = 1_000_000;
    let kept = 0;
    tablet.node.room = {
      freeBytes: async (): Promise<number> => free,
      keep: async (): Promise<void> => {
        kept += 1;
      },
    };
    await takeOver(tablet, SESSION);
    await passTime([desk, tablet], 500, () => viewOf(tablet)?.problem?.code === "STORAGE_FULL");
    expect(kept).toBe(1);
    const asked = world.relay.history.length;
    for (let step = 0; step < 20; step += 1) for (const { time } of [desk, tablet]) time.advance(1_000);
    expect(world.relay.history.length).toBe(asked);
    free = 1_000_000_000;
    let leftMs: number | null = null;
    await passTime([desk, tablet], 2_000, () => {
      leftMs = viewOf(tablet)?.leftMs ?? leftMs;
      return viewOf(tablet)?.phase === "done";
    });
    expect(leftMs).toBeGreaterThan(0);
    expect(await bytesOn(tablet)).toBe(SIZE);
  });
});

/** Whom a device sends something from now on, until it restarts. */
function recipientsOf(device: Device): readonly string[] {
  const recipients: string[] = [];
  device.node.refuse = (call, to): undefined => {
    if (call === "broadcast") recipients.push(to);
    return undefined;
  };
  return recipients;
}

describe("what still waits to be sent", () => {
  it("is shown as waiting on the other device, sent by that one alone, and followed from there", async () => {
    withoutCards(desk, laptop, bob);
    const unreachable = [bob.account.devicePub, laptop.account.devicePub];
    desk.node.refuse = (call, to): CodedError | undefined =>
      call === "broadcast" && unreachable.includes(to) ? new CodedError("UNAVAILABLE", "not now") : undefined;
    const picture = fileOf(1, "waiting.bin");
    await desk.messenger.sendText(keyOf(bob), "on its way");
    await desk.messenger.sendFile(keyOf(bob), picture);
    await begin(desk.time.nowMs() - DAY_MS);
    await untilDone();
    expect(await messageWith(laptop, keyOf(bob), "on its way")).toMatchObject({ state: "queued", isOnOtherDevice: true, problem: null });
    expect(await bytesOf(laptop, "waiting.bin")).toEqual(picture.bytes);
    expect(laptop.messenger.getSnapshot().queued).toBe(0);
    const sentByLaptop = recipientsOf(laptop);
    await laptop.messenger.retry((await messageWith(laptop, keyOf(bob), "on its way")).key);
    await restart(laptop, world.relay);
    expect(await textsOf(bob, keyOf(desk))).not.toContain("on its way");
    const sentAfterRestart = recipientsOf(laptop);
    desk.node.refuse = (): undefined => undefined;
    await passTime([desk, laptop, bob], 1_000, async () => (await messageWith(laptop, keyOf(bob), "on its way")).state === "delivered");
    expect(await messageWith(laptop, keyOf(bob), "on its way")).toMatchObject({ isOnOtherDevice: false });
    await passTime([desk, bob], 1_000, async () => (await bytesOf(bob, "waiting.bin").catch(() => undefined)) !== undefined);
    for (const device of [desk, laptop]) await untilState(device, keyOf(bob), "delivered");
    expect((await textsOf(bob, keyOf(desk))).filter((text) => text === "on its way")).toHaveLength(1);
    expect([...sentByLaptop, ...sentAfterRestart]).not.toContain(bob.account.devicePub);
  });
});

describe("a device that was let in and never came back", () => {
  const LEFT = { devicePub: "", name: "Laptop" };
  const left = (): readonly unknown[] => desk.messenger.getSnapshot().unfinishedLinks;

  async function letIn(session = SESSION): Promise<void> {
    await desk.messenger.sendDeviceTransfer({
      session,
      keepsakes: "notes",
      sinceMs: 0,
      deviceName: "Laptop",
      devicePub: laptop.account.devicePub,
    });
  }

  it("is shown once its end message comes that it was left, also after a restart, until it is forgotten", async () => {
    await letIn();
    const channel = channelOf(laptop);
    await laptop.node.broadcast(channel.seal({ kind: "end", reason: "interrupted" }));
    await passTime([desk], 500, () => left().length > 0);
    await passTime([desk], 500, () => viewOf(desk) === null);
    expect(left()).toEqual([{ ...LEFT, devicePub: laptop.account.devicePub }]);
    await restart(desk, world.relay);
    await passTime([desk], 500, () => left().length === 1);
    await desk.messenger.forgetUnfinishedLink(laptop.account.devicePub);
    expect(left()).toEqual([]);
  });

  it("is shown after five minutes of silence, and no more once it asks", async () => {
    await letIn();
    desk.time.advance(299_000);
    await restart(desk, world.relay);
    await passTime([desk], 500, () => left().length === 1);
    await takeOver(laptop, SESSION);
    await untilDone();
    expect(left()).toEqual([]);
    expect(await textsOf(laptop, keyOf(bob))).toHaveLength(3);
  });

  it("is shown when another one is let in instead", async () => {
    await letIn();
    const tablet = await world.join({ phrase: desk.phrase });
    const session = new Uint8Array(32).fill(6);
    await desk.messenger.sendDeviceTransfer({
      session,
      keepsakes: "",
      sinceMs: 0,
      deviceName: "Tablet",
      devicePub: tablet.account.devicePub,
    });
    expect(left()).toEqual([{ ...LEFT, devicePub: laptop.account.devicePub }]);
    await takeOver(tablet, session);
    await passTime([desk, tablet], 500, () => viewOf(tablet)?.phase === "done");
    expect(left()).toHaveLength(1);
  });
});
