// The picture of a group between devices: who sees it, who may change it, and what happens where its bytes do not come.
import { beforeEach, describe, expect, it } from "vitest";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { smallWebp, webpFile, webpFrame, webpHeader } from "#test/support/host/sample-images.ts";
import { deliverToGroup, entriesFor, olderState, signEntry } from "#test/support/worlds/group-mail.ts";
import { createQuartet, makeGroup, tick as passSecond, untilWords, wordsOf } from "#test/support/worlds/group-world.ts";
import { befriend, type Device, keyOf, passTime, restart, summaryOf, takeOver } from "#test/support/worlds/messenger-chat.ts";
import { withoutCards } from "#test/support/worlds/messenger-world.ts";
import { kindsFor } from "#test/support/worlds/pair-mail.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const people = peopleForEach(createQuartet);

const PICTURE = smallWebp(128, 64);
const OTHER = smallWebp(96, 96);

let id: string;

beforeEach(async () => {
  id = await makeGroup(people);
});

const tick = (): void => passSecond(people);
const shownAt = async (device: Device): Promise<string> => {
  const mark = summaryOf(device, id)?.group?.picture ?? "";
  const bytes = await device.messenger.readPicture(id);
  return mark === "" || bytes === undefined ? "" : toHex(bytes);
};
const untilShown = async (devices: readonly Device[], picture: Uint8Array | undefined): Promise<void> => {
  const expected = picture === undefined ? "" : toHex(picture);
  for (const device of devices) await pollUntil(async () => (await shownAt(device)) === expected, { what: "the picture of the group" });
};
const hashOf = async (picture: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(picture))));
/** The log that came to a device, with an entry that another one signs. */
const withSigned = async (from: Device, at: Device, picture: string): Promise<readonly string[]> => {
  const before = await entriesFor(at, people.relay);
  const text = await signEntry(from, before, { prev: [before.at(-1)?.hash ?? ""], change: { op: "picture", at: 5, picture } });
  return [...before.map((entry) => entry.text), text];
};
const sendLog = (from: Device, to: Device, log: readonly string[], picture?: Uint8Array): Promise<void> => {
  const body = { ...olderState(people.ann, [[people.ann, "in", 1]]), log, ...(picture && { picture: toBase64(picture) }) };
  return deliverToGroup(people.relay, { from, to: [to], id, keeper: people.ann, body });
};

describe("the picture of a group", () => {
  it("is seen by all members and own devices, changes and goes, and is there after a restart", async () => {
    const { relay, ann, annOther, bob, carol } = people;
    await ann.messenger.setGroupPicture(id, PICTURE);
    await untilShown([ann, annOther, bob, carol], PICTURE);
    await untilWords([ann, annOther, bob, carol], id, ["made", "pictured"]);
    expect(summaryOf(bob, id)?.group?.name).toBe("Hikes");
    tick();
    await ann.messenger.setGroupPicture(id, PICTURE);
    await restart(bob, relay);
    await untilShown([bob], PICTURE);
    await annOther.messenger.setGroupPicture(id, OTHER);
    await untilShown([ann, annOther, bob, carol], OTHER);
    tick();
    await ann.messenger.setGroupPicture(id, new Uint8Array());
    await untilShown([ann, annOther, bob, carol], undefined);
    await untilWords([ann, bob], id, ["made", "pictured", "pictured", "unpictured"]);
    expect(await bob.messenger.readPicture(id)).toBeUndefined();
  });

  it("is sent to who comes later, with their welcome", async () => {
    const { relay, world, ann, annOther } = people;
    await ann.messenger.setGroupPicture(id, PICTURE);
    await untilShown([ann, annOther], PICTURE);
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    tick();
    await ann.messenger.addToGroup(id, [keyOf(dave)]);
    await untilShown([dave], PICTURE);
  });

  it("is changed by owner and admins alone", async () => {
    const { ann, annOther, bob, carol } = people;
    await expect(bob.messenger.setGroupPicture(id, PICTURE)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await ann.messenger.setGroupAdmin(id, keyOf(bob), true);
    await untilWords([bob, carol], id, ["made", "adminNamed"]);
    tick();
    await bob.messenger.setGroupPicture(id, PICTURE);
    await untilShown([ann, annOther, bob, carol], PICTURE);
  });

  it.each([
    ["no picture", new Uint8Array([1, 2, 3])],
    ["a picture of more pixels", smallWebp(129)],
    ["a moving picture", webpFile(webpHeader(2), webpFrame(true))],
    ["too many bytes", Buffer.concat([PICTURE, Buffer.alloc(8_192)])],
  ])("is never %s", async (_, data) => {
    const { ann } = people;
    await expect(ann.messenger.setGroupPicture(id, data)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("is not what a member without the right signs with a changed program", async () => {
    const { bob, carol } = people;
    await sendLog(carol, bob, await withSigned(carol, bob, await hashOf(PICTURE)), PICTURE);
    await pollUntil(async () => (await wordsOf(bob, id)).includes("void"));
    expect(await shownAt(bob)).toBe("");
    expect(await bob.messenger.readPicture(id)).toBeUndefined();
  });

  it("of an admin who was removed beside it is taken back", async () => {
    const { relay, ann, bob, carol } = people;
    await ann.messenger.setGroupAdmin(id, keyOf(bob), true);
    await untilWords([ann, bob, carol], id, ["made", "adminNamed"]);
    tick();
    relay.loses = ({ recipient_pub }): boolean => recipient_pub === ann.account.devicePub || recipient_pub === bob.account.devicePub;
    await bob.messenger.setGroupPicture(id, PICTURE);
    await untilShown([carol], PICTURE);
    await ann.messenger.removeFromGroup(id, keyOf(bob));
    await untilShown([carol], undefined);
    expect(await wordsOf(carol, id)).toContain("void");
    expect(await carol.messenger.readPicture(id)).toBeUndefined();
  });

  it("is no other one that comes under its name", async () => {
    const { ann, bob } = people;
    await sendLog(ann, bob, await withSigned(ann, bob, await hashOf(PICTURE)), OTHER);
    await untilWords([bob], id, ["pictured", "made"]);
    expect(await shownAt(bob)).toBe("");
    expect(await bob.messenger.readPicture(id)).toBeUndefined();
  });

  it("of a group of strangers is seen once that is answered", async () => {
    const { world, ann } = people;
    const eve = await world.join();
    const prize = await eve.messenger.createGroup("Win a prize", [keyOf(ann)]);
    tick();
    await eve.messenger.setGroupPicture(prize, PICTURE);
    await pollUntil(async () => (await wordsOf(ann, prize)).includes("pictured"), { what: "the picture" });
    expect(summaryOf(ann, prize)).toMatchObject({ isRequest: true, group: { picture: "" } });
    await ann.messenger.sendText(prize, "Who is this?");
    expect(summaryOf(ann, prize)).toMatchObject({ isRequest: false, group: { picture: await hashOf(PICTURE) } });
  });

  it("comes back with a backup, and to a device that was linked", async () => {
    const { world, ann, annOther } = people;
    await ann.messenger.setGroupPicture(id, PICTURE);
    await untilShown([ann, annOther], PICTURE);
    const file = await ann.messenger.exportBackup("a password", { withFiles: false, app: {} });
    const tablet = await world.join({ phrase: ann.phrase });
    await tablet.messenger.importBackup(file, "a password");
    expect(await shownAt(tablet)).toBe(toHex(PICTURE));
    const laptop = await world.join({ phrase: ann.phrase });
    const session = new Uint8Array(32).fill(5);
    const { devicePub } = laptop.account;
    await ann.messenger.sendDeviceTransfer({ session, keepsakes: "notes", sinceMs: 0, deviceName: "Laptop", devicePub });
    await takeOver(laptop, session);
    await passTime([ann, laptop], 500, () => laptop.messenger.getSnapshot().deviceTransfer?.phase === "done");
    expect(await shownAt(laptop)).toBe(toHex(PICTURE));
  });

  it("is asked of each who writes, once, until its bytes come", async () => {
    const { relay, world, ann, bob, carol } = people;
    // What she asks is read from the mail, in version 1.
    withoutCards(ann, carol);
    const log = await withSigned(ann, bob, await hashOf(PICTURE));
    await sendLog(ann, bob, log, PICTURE);
    await untilShown([bob], PICTURE);
    await sendLog(ann, carol, log);
    await untilWords([carol], id, ["pictured", "made"]);
    expect(await shownAt(carol)).toBe("");
    const asksOfAnn = async (): Promise<number> => (await kindsFor(ann, relay)).filter((kind) => kind === "group.ask").length;
    await pollUntil(async () => (await asksOfAnn()) === 1, { what: "the question" });
    for (const device of world.devices) device.time.advance(660_000);
    await ann.messenger.sendText(id, "once more");
    await pollUntil(async () => (await wordsOf(carol, id)).includes("once more"));
    // It would have left before this.
    await carol.messenger.sendText(id, "which one?");
    await pollUntil(async () => (await wordsOf(ann, id)).includes("which one?"));
    expect(await asksOfAnn()).toBe(1);
    await bob.messenger.sendText(id, "look");
    await untilShown([carol], PICTURE);
  });
});
