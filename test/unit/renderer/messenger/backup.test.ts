import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  befriend,
  chatOf,
  createWorld,
  type Device,
  keyOf,
  messageWith,
  summaryOf,
  textsOf,
  untilTexts,
  type World,
} from "#test/support/messenger-chat.ts";
import { TestRelay } from "#test/support/messenger-world.ts";

const PASSWORD = "a password for the file";

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
  file = await ann.messenger.exportBackup(PASSWORD);
  fresh = await world.join({ phrase: ann.phrase, isPublished: false });
}, 60_000);

afterEach(() => world.stop());

describe("a backup", () => {
  it("brings history to a fresh device, each message once, also when it is restored twice", async () => {
    expect(await fresh.messenger.importBackup(file, PASSWORD)).toBe(4);
    expect(await textsOf(fresh, keyOf(bob))).toEqual(await textsOf(ann, keyOf(bob)));
    expect(await messageWith(fresh, keyOf(bob), "uno")).toMatchObject({ isEdited: true, direction: "out" });
    expect(await messageWith(fresh, keyOf(bob), "not sent")).toMatchObject({ state: "failed" });
    expect(summaryOf(fresh, keyOf(bob))).toMatchObject({ isPinned: true, unread: 0, isRequest: false });
    expect((await chatOf(fresh, keyOf(fresh)))[0]).toMatchObject({ body: { kind: "attachment" }, transfer: null });
    expect((await fresh.messenger.search("uno")).length).toBe(1);
    expect(await fresh.messenger.importBackup(file, PASSWORD)).toBe(0);
  });

  it("does not bring back what was deleted here, nor undo what changed since", async () => {
    await ann.messenger.deleteMessage((await messageWith(ann, keyOf(bob), "two")).key);
    await ann.messenger.editMessage((await messageWith(ann, keyOf(bob), "uno")).key, "eins");
    expect(await ann.messenger.importBackup(file, PASSWORD)).toBe(0);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["eins", "not sent"]);
  });

  it("shows nothing of what is in it", () => {
    for (const word of ["uno", "two", keyOf(bob)]) expect(Buffer.from(file).includes(word)).toBe(false);
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
