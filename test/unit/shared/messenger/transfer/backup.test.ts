import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { sealBackup } from "#shared/messenger/transfer/backup.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import {
  befriend,
  chatOf,
  createWorld,
  type Device,
  keyOf,
  messageWith,
  passTime,
  summaryOf,
  textsOf,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, TestRelay, withRealBackupKeys } from "#test/support/worlds/messenger-world.ts";

const PASSWORD = "a password for the file";
const APP = { labels: { tx1: "Rent" } };
const NOTHING = { messages: 0, chunks: 0, app: APP };

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;
let fresh: Device;
let file: Uint8Array;

beforeEach(async () => {
  relay = new TestRelay();
  world = createWorld(relay);
  ann = await world.join();
  bob = await world.join();
  await befriend(relay, ann, bob, world.devices);
  await ann.messenger.sendText(keyOf(bob), "one");
  await untilTexts(bob, keyOf(ann), ["one"]);
  await bob.messenger.sendText(keyOf(ann), "two");
  await untilTexts(ann, keyOf(bob), ["one", "two"]);
  await ann.messenger.editMessage((await messageWith(ann, keyOf(bob), "one")).key, "uno");
  await ann.messenger.setChat(keyOf(bob), { isPinned: true });
  ann.node.setOnline(false);
  await ann.messenger.sendText(keyOf(bob), "not sent");
  await ann.messenger.sendFile(keyOf(ann), { name: "a", mediaType: "b/c", bytes: new Uint8Array(9), caption: "", image: null });
  file = await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: APP });
  fresh = await world.join({ phrase: ann.phrase, isPublished: false });
}, 60_000);

afterEach(() => world.stop());

describe("a backup", () => {
  it("brings history to a fresh device, each message once, also when it is restored twice", async () => {
    withRealBackupKeys(ann, fresh);
    file = await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: APP });
    expect(await fresh.messenger.importBackup(file, PASSWORD)).toEqual({ ...NOTHING, messages: 4 });
    expect(await textsOf(fresh, keyOf(bob))).toEqual(await textsOf(ann, keyOf(bob)));
    expect(await messageWith(fresh, keyOf(bob), "uno")).toMatchObject({ isEdited: true, direction: "out" });
    expect(await messageWith(fresh, keyOf(bob), "not sent")).toMatchObject({ state: "failed" });
    expect(summaryOf(fresh, keyOf(bob))).toMatchObject({ isPinned: true, unread: 0, isRequest: false });
    expect((await chatOf(fresh, keyOf(fresh)))[0]).toMatchObject({ body: { kind: "attachment" }, transfer: null });
    expect((await fresh.messenger.search("uno")).length).toBe(1);
    expect(await fresh.messenger.importBackup(file, PASSWORD)).toEqual(NOTHING);
  });

  it("brings polls with their votes, pinned and starred messages, and previews of links", async () => {
    const preview = { link: "https://a.example/", title: "A page", description: "About it", picture: "" };
    await ann.messenger.sendText(keyOf(bob), "https://a.example/", [], preview);
    await ann.messenger.sendPoll(keyOf(bob), { question: "When?", answers: ["Sat", "Sun"], isMultiple: false });
    const poll = async (device: Device): Promise<ChatMessage | undefined> =>
      (await chatOf(device, keyOf(bob))).find(({ body }) => body.kind === "poll");
    await ann.messenger.votePoll((await poll(ann))?.key ?? "", [1]);
    for (const text of ["two", "uno"]) await ann.messenger.pinMessage((await messageWith(ann, keyOf(bob), text)).key, true);
    await ann.messenger.pinMessage((await messageWith(ann, keyOf(bob), "not sent")).key, true);
    await ann.messenger.pinMessage((await messageWith(ann, keyOf(bob), "not sent")).key, false);
    await ann.messenger.starMessage((await messageWith(ann, keyOf(bob), "uno")).key, true);
    await ann.messenger.setFolders([{ id: "05".repeat(8), name: "Work" }]);
    await fresh.messenger.importBackup(await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: null }), PASSWORD);
    expect(fresh.messenger.getSnapshot().folders).toEqual([{ id: "05".repeat(8), name: "Work" }]);
    expect((await messageWith(fresh, keyOf(bob), "https://a.example/")).body).toMatchObject({ preview });
    expect((await fresh.messenger.starredMessages()).map(({ message: { body } }) => "text" in body && body.text)).toEqual(["uno"]);
    const pinned = await fresh.messenger.pinnedMessages(summaryOf(fresh, keyOf(bob))?.pins ?? []);
    // Both may have been pinned at one moment.
    expect(new Set(pinned.map(({ body }) => "text" in body && body.text))).toEqual(new Set(["two", "uno"]));
    expect((await poll(fresh))?.poll).toEqual({ choices: { [keyOf(ann)]: [1] }, isClosed: false });
  });

  it("brings folders that are later than those here, and none that are earlier", async () => {
    const folder = (name: string): { readonly id: string; readonly name: string } => ({ id: "05".repeat(8), name });
    const namesOn = (device: Device): readonly string[] => device.messenger.getSnapshot().folders.map(({ name }) => name);
    await fresh.messenger.setFolders([folder("Earlier")]);
    for (const name of ["Work", "Office"]) await ann.messenger.setFolders([folder(name)]);
    const later = await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: null });
    await fresh.messenger.importBackup(later, PASSWORD);
    expect(namesOn(fresh)).toEqual(["Office"]);
    await fresh.messenger.setFolders([folder("Latest")]);
    await fresh.messenger.importBackup(later, PASSWORD);
    expect(namesOn(fresh)).toEqual(["Latest"]);
  });

  it("does not bring back what was deleted here, nor undo what changed since", async () => {
    await ann.messenger.deleteMessage((await messageWith(ann, keyOf(bob), "two")).key);
    await ann.messenger.editMessage((await messageWith(ann, keyOf(bob), "uno")).key, "eins");
    expect(await ann.messenger.importBackup(file, PASSWORD)).toEqual(NOTHING);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["eins", "not sent"]);
  });

  it("leaves messages out that disappear", async () => {
    await ann.messenger.setTimer(keyOf(bob), 60);
    await ann.messenger.sendText(keyOf(bob), "gone soon");
    await fresh.messenger.importBackup(await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: null }), PASSWORD);
    expect(await textsOf(fresh, keyOf(bob))).not.toContain("gone soon");
    expect(await textsOf(fresh, keyOf(bob))).toContain("uno");
  });

  it("of an older program begins the time of messages that were not read, and brings none whose time is over", async () => {
    const nowMs = fresh.time.nowMs();
    const unread = (id: string, text: string, startedAt: number | null): object => ({
      conversation: keyOf(bob),
      id: id.repeat(16),
      direction: "in",
      at: nowMs - 120_000,
      body: { kind: "text", text },
      state: null,
      problem: null,
      isUnread: startedAt === null,
      hasReceipts: true,
      raw: null,
      expiry: { seconds: 60, startedAt },
    });
    async function* parts(): AsyncGenerator<unknown> {
      const times = { unread: null, read: nowMs - 30_000, over: nowMs - 60_000, "by a clock ahead": nowMs + 86_400_000 };
      yield { messages: Object.entries(times).map(([text, startedAt], at) => unread(`a${at}`, text, startedAt)) };
    }
    const options = { owner: keyOf(fresh), chainId: fresh.node.chainId, password: PASSWORD, random: systemRandom };
    const older = await sealBackup(parts(), { ...options, deriveKey: (request) => fresh.client.backupKey(request) });
    expect((await fresh.messenger.importBackup(older, PASSWORD)).messages).toBe(3);
    expect(await textsOf(fresh, keyOf(bob))).toEqual(expect.arrayContaining(["unread", "read"]));
    expect(await textsOf(fresh, keyOf(bob))).not.toContain("over");
    await passTime([fresh], 20_000, async () => !(await textsOf(fresh, keyOf(bob))).includes("read"));
    expect((await textsOf(fresh, keyOf(bob))).toSorted()).toEqual(["by a clock ahead", "unread"]);
    await passTime([fresh], 20_000, async () => (await textsOf(fresh, keyOf(bob))).length === 0);
  });

  it("loses nothing for good that disappears later than a clock says that is years ahead", async () => {
    relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
    await ann.messenger.setTimer(keyOf(ann), 7 * 86_400);
    await ann.messenger.sendText(keyOf(ann), "a week");
    const record = await messageWith(ann, keyOf(ann), "a week");
    async function* parts(): AsyncGenerator<unknown> {
      const expiry = { seconds: 7 * 86_400, startedAt: record.at, chainAt: record.at };
      const { id, at, body } = record;
      const rest = { direction: "out", state: "delivered", problem: null, isUnread: false, hasReceipts: true, raw: null };
      yield { messages: [{ conversation: keyOf(ann), id, at, body, ...rest, expiry }] };
    }
    const options = { owner: keyOf(fresh), chainId: fresh.node.chainId, password: PASSWORD, random: systemRandom };
    const sealed = await sealBackup(parts(), { ...options, deriveKey: (request) => fresh.client.backupKey(request) });
    fresh.time.setAhead(3 * 365 * 86_400_000);
    await fresh.messenger.importBackup(sealed, PASSWORD);
    expect(await textsOf(fresh, keyOf(ann))).not.toContain("a week");
    fresh.time.setAhead(0);
    expect(await textsOf(fresh, keyOf(ann))).toContain("a week");
  });

  it("is history to programs, also when something of it comes by itself after that: they may have acted on it", async () => {
    const other = await world.join({ phrase: ann.phrase });
    let isHeld = true;
    bob.node.refuse = (call, to): CodedError | undefined =>
      isHeld && call === "broadcast" && to === other.account.devicePub ? new CodedError("UNAVAILABLE", "Not yet") : undefined;
    ann.node.setOnline(true);
    await bob.messenger.sendText(keyOf(ann), "pay it");
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("pay it"));
    await other.messenger.importBackup(await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: null }), PASSWORD);
    isHeld = false;
    const came = (): boolean => relay.history.some(({ recipient_pub }) => recipient_pub === other.account.devicePub);
    await passTime([bob, other], 1_000, () => came() && relay.count(other.account.devicePub) === 0);
    await bob.messenger.sendText(keyOf(ann), "next");
    await passTime([bob, other], 1_000, async () => (await textsOf(other, keyOf(bob))).includes("next"));
    const { arrivals } = await other.messenger.readArrivals({ after: 0, limit: 10, conversations: [keyOf(bob)] });
    const heard = await Promise.all(arrivals.map(async ({ id }) => (await other.messenger.readEntry({ id })).text));
    expect([heard, (await textsOf(other, keyOf(bob))).filter((text) => text === "pay it")]).toEqual([["next"], ["pay it"]]);
  });

  it("brings files back, also where only their messages were restored before, and none of what was deleted", async () => {
    const bytes = new Uint8Array(400_000).map((_, index) => index % 239);
    await ann.messenger.sendFile(keyOf(ann), { name: "big", mediaType: "b/c", bytes, caption: "", image: null });
    const messagesAlone = await ann.messenger.exportBackup(PASSWORD, { withFiles: false, app: null });
    const whole = await ann.messenger.exportBackup(PASSWORD, { withFiles: true, app: null });
    const fileNamed = async (name: string): Promise<ChatMessage | undefined> =>
      (await chatOf(fresh, keyOf(fresh))).find(({ body }) => body.kind === "attachment" && body.name === name);
    await fresh.messenger.importBackup(messagesAlone, PASSWORD);
    expect(await fresh.messenger.readFile((await fileNamed("big"))?.key ?? "")).toBeUndefined();
    await fresh.messenger.deleteMessage((await fileNamed("a"))?.key ?? "");
    expect(await fresh.messenger.importBackup(whole, PASSWORD)).toEqual({ messages: 0, chunks: 3, app: null });
    const restored = await fileNamed("big");
    expect(restored?.transfer).toEqual({ done: 3, total: 3 });
    expect(Buffer.compare((await fresh.messenger.readFile(restored?.key ?? "")) ?? Buffer.alloc(0), bytes)).toBe(0);
    expect(await fileNamed("a")).toBeUndefined();
    expect(await fresh.messenger.importBackup(whole, PASSWORD)).toEqual({ messages: 0, chunks: 0, app: null });
  }, 60_000);

  it("continues where its restoring was interrupted, and loses nothing", async () => {
    const bytes = new Uint8Array(40 * 170_000).map((_, index) => index % 241);
    await ann.messenger.sendFile(keyOf(ann), { name: "long", mediaType: "b/c", bytes, caption: "", image: null });
    const whole = await ann.messenger.exportBackup(PASSWORD, { withFiles: true, app: null });
    const long = async (): Promise<ChatMessage | undefined> =>
      (await chatOf(fresh, keyOf(fresh))).find(({ body }) => body.kind === "attachment" && body.name === "long");
    void fresh.messenger.importBackup(whole, PASSWORD).catch(() => undefined);
    await pollUntil(async () => ((await long())?.transfer?.done ?? 0) > 0, { intervalMs: 1 });
    await restartAfterCrash(fresh, relay);
    const before = (await long())?.transfer?.done ?? 0;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(40);
    expect((await fresh.messenger.importBackup(whole, PASSWORD)).chunks).toBeGreaterThanOrEqual(40 - before);
    expect((await long())?.transfer).toEqual({ done: 40, total: 40 });
    expect(await textsOf(fresh, keyOf(bob))).toEqual(await textsOf(ann, keyOf(bob)));
    expect(Buffer.compare((await fresh.messenger.readFile((await long())?.key ?? "")) ?? Buffer.alloc(0), bytes)).toBe(0);
  }, 60_000);

  it("that would be larger than what memory takes is refused while it is made", async () => {
    let made = 0;
    async function* parts(): AsyncGenerator<unknown> {
      for (; ; made += 1) yield { chunk: "x".repeat(1_000) };
    }
    const options = { owner: keyOf(ann), chainId: "a", password: PASSWORD, random: systemRandom, maxBytes: 10_000 };
    const sealing = sealBackup(parts(), { ...options, deriveKey: (request) => ann.client.backupKey(request) });
    await expect(sealing).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(made).toBeLessThan(10);
  });

  it("of another network is refused, and says of which", async () => {
    const elsewhere = await sealBackup(nothing(), {
      owner: keyOf(ann),
      chainId: "another-network",
      password: PASSWORD,
      deriveKey: (request) => ann.client.backupKey(request),
      random: systemRandom,
    });
    await expect(ann.messenger.importBackup(elsewhere, PASSWORD)).rejects.toMatchObject({
      code: "BACKUP_FOREIGN",
      details: { network: "another-network" },
    });
  });

  it("shows nothing of what is in it", () => {
    for (const word of ["uno", "two", "Rent", keyOf(bob)]) expect(Buffer.from(file).includes(word)).toBe(false);
  });

  it("is refused with the wrong password, for another identity, changed, cut off, or not a backup; nothing changes", async () => {
    const refusals: readonly [Device, Uint8Array, string, string][] = [
      [fresh, file, "not the password", "BACKUP_WRONG_PASSWORD"],
      [bob, file, PASSWORD, "BACKUP_FOREIGN"],
      [fresh, file.with(file.length - 1, (file.at(-1) ?? 0) ^ 1), PASSWORD, "BACKUP_DAMAGED"],
      [fresh, file.subarray(0, file.length - 44), PASSWORD, "BACKUP_DAMAGED"],
      [fresh, file.subarray(0, 40), PASSWORD, "BACKUP_DAMAGED"],
      [fresh, new Uint8Array(200), PASSWORD, "BACKUP_DAMAGED"],
      [fresh, file.with(8, 9), PASSWORD, "STORAGE_NEWER"],
    ];
    for (const [device, bytes, password, code] of refusals)
      await expect(device.messenger.importBackup(bytes, password)).rejects.toMatchObject({ code });
    expect(fresh.messenger.getSnapshot().conversations).toEqual([]);
  });
});

async function* nothing(): AsyncGenerator<unknown> {
  yield { conversations: [] };
}
