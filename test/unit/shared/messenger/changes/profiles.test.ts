import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { MAX_PROFILE_PICTURE_BYTES } from "#shared/content/chat/picture-content.ts";
import { joinPictures, NO_PICTURES, type PictureRecord, pictureKey, withPicture } from "#shared/messenger/state/profiles/picture-record.ts";
import { joinProfiles, NO_PROFILE, type ProfileRecord, withName, withNameSent } from "#shared/messenger/state/profiles/profile-registry.ts";
import { openLocalStore } from "#shared/messenger/store/local-store.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { smallWebp } from "#test/support/host/sample-images.ts";
import {
  chatOf,
  createTrio,
  createWorld,
  type Device,
  keyOf,
  passTime,
  restart,
  type Trio,
  takeOver,
  textsOf,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let annOther: Device;
let bob: Device;
let everywhere: Trio["everywhere"];

const nameAt = (device: Device, person: Device): string | undefined => device.messenger.getSnapshot().profileNames[keyOf(person)];
const pictureAt = async (device: Device, person: Device): Promise<string | undefined> => {
  const bytes = await device.messenger.readPicture(keyOf(person));
  return bytes && Buffer.from(bytes).toString("hex");
};
/** Until the device has and shows a picture of the person, or has and shows none. */
const untilPicture = (device: Device, person: Device, picture: Buffer | undefined): Promise<unknown> =>
  pollUntil(
    async () => {
      const snapshot = device.messenger.getSnapshot();
      const mark = device.phrase === person.phrase ? snapshot.profilePicture : (snapshot.profilePictures[keyOf(person)] ?? "");
      return (await pictureAt(device, person)) === picture?.toString("hex") && (mark === "") === (picture === undefined);
    },
    { what: "the picture" },
  );
const ownName = (device: Device): string => device.messenger.getSnapshot().profileName;
const untilNamed = (device: Device, person: Device, name: string | undefined): Promise<unknown> =>
  pollUntil(() => nameAt(device, person) === name, { what: `the name ${name}` });
const idle = (...devices: readonly Device[]): Promise<unknown> =>
  pollUntil(() => devices.every((device) => areEmpty() && device.messenger.getSnapshot().queued === 0), {
    what: "empty mailboxes",
  });
const areEmpty = (): boolean => [...relay.mailboxes.values()].every((mailbox) => mailbox.size === 0);
/** Envelopes that reached the mailboxes of a person so far. */
const sentTo = (device: Device): number => relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub).length;

describe("between contacts", () => {
  beforeEach(async () => {
    ({ relay, world, ann, annOther, bob, everywhere } = await createTrio());
  });

  afterEach(() => world.stop());

  it("goes with the next message, once, and is no message itself", async () => {
    await ann.messenger.setProfileName("  Zoë  ");
    await pollUntil(() => ownName(annOther) === "Zoë", { what: "the name on the other device" });
    expect(sentTo(bob)).toBe(0);
    await ann.messenger.sendText(keyOf(bob), "hello");
    await untilNamed(bob, ann, "Zoë");
    await everywhere((device, peer) => untilTexts(device, peer, ["hello"]));
    await idle(ann, annOther, bob);
    const before = sentTo(bob);
    await ann.messenger.sendText(keyOf(bob), "again");
    await everywhere((device, peer) => untilTexts(device, peer, ["hello", "again"]));
    await annOther.messenger.sendText(keyOf(bob), "from the other device");
    await everywhere((device, peer) => untilTexts(device, peer, ["hello", "again", "from the other device"]));
    await idle(ann, annOther, bob);
    const unread = bob.messenger.getSnapshot().totalUnread;
    expect([sentTo(bob) - before, unread]).toEqual([2, 3]);
  });

  it("is the same on all own devices, with its recipients, over restarts", async () => {
    await bob.messenger.setProfileName("Robert");
    await bob.messenger.sendText(keyOf(ann), "hi");
    for (const device of [ann, annOther]) await untilNamed(device, bob, "Robert");
    await restart(ann, relay);
    expect(nameAt(ann, bob)).toBe("Robert");
    await restart(bob, relay);
    expect(ownName(bob)).toBe("Robert");
  });

  it("changes and is taken back with later messages, and the other device knows who received it", async () => {
    await ann.messenger.setProfileName("Zoë");
    await ann.messenger.sendText(keyOf(bob), "1");
    await untilNamed(bob, ann, "Zoë");
    ann.time.advance(5);
    await ann.messenger.setProfileName("Zora");
    await pollUntil(() => ownName(annOther) === "Zora", { what: "the change" });
    expect(nameAt(bob, ann)).toBe("Zoë");
    await annOther.messenger.sendText(keyOf(bob), "2");
    await untilNamed(bob, ann, "Zora");
    await ann.messenger.setProfileName("");
    await ann.messenger.sendText(keyOf(bob), "3");
    await untilNamed(bob, ann, undefined);
    await everywhere((device, peer) => untilTexts(device, peer, ["1", "2", "3"]));
  });

  it("the latest choice holds on all devices, even with clocks apart", async () => {
    annOther.time.advance(60_000);
    await annOther.messenger.setProfileName("Later clock");
    await pollUntil(() => ownName(ann) === "Later clock", { what: "the first name" });
    await ann.messenger.setProfileName("Chosen last");
    await pollUntil(() => ownName(annOther) === "Chosen last", { what: "the last name" });
    await annOther.messenger.sendText(keyOf(bob), "hi");
    await untilNamed(bob, ann, "Chosen last");
  });

  it("is not sent to a blocked person, nor shown of them, even when it waited", async () => {
    await bob.messenger.setProfileName("Robert");
    await bob.messenger.sendText(keyOf(ann), "hi");
    await untilNamed(ann, bob, "Robert");
    await idle(ann, annOther, bob);
    await ann.messenger.setProfileName("Zoë");
    await pollUntil(() => ownName(annOther) === "Zoë", { what: "the sync" });
    ann.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "before the block");
    relay.setContact(keyOf(bob), keyOf(ann), "blocked");
    ann.node.setOnline(true);
    await ann.messenger.refreshContacts();
    expect(nameAt(ann, bob)).toBeUndefined();
    await ann.messenger.sendText(keyOf(bob), "after the block");
    await passTime([ann], 1_000, async () => (await textsOf(bob, keyOf(ann))).join() === "hi,before the block,after the block");
    await idle(ann, bob);
    expect(nameAt(bob, ann)).toBeUndefined();
  });

  it("is refused when it is long or could pass for something else", async () => {
    for (const name of ["x".repeat(65), "a\u202Eb", "a\nb"])
      await expect(ann.messenger.setProfileName(name)).rejects.toMatchObject({ code: "BAD_REQUEST", details: { field: "name" } });
    expect(ownName(ann)).toBe("");
  });

  it("takes a picture along, once, that changes and is taken back alone", async () => {
    const [first, second] = [smallWebp(96), smallWebp(128, 1)];
    await ann.messenger.setProfilePicture(first);
    await untilPicture(annOther, ann, first);
    expect(sentTo(bob)).toBe(0);
    await annOther.messenger.sendText(keyOf(bob), "1");
    await untilPicture(bob, ann, first);
    await idle(ann, annOther, bob);
    const before = sentTo(bob);
    await ann.messenger.sendText(keyOf(bob), "2");
    await everywhere((device, peer) => untilTexts(device, peer, ["1", "2"]));
    await idle(ann, annOther, bob);
    expect(sentTo(bob) - before).toBe(1);
    await restart(bob, relay);
    await untilPicture(bob, ann, first);
    await ann.messenger.setProfileName("Zoë");
    await ann.messenger.sendText(keyOf(bob), "3");
    await untilNamed(bob, ann, "Zoë");
    expect(await pictureAt(bob, ann)).toBe(first.toString("hex"));
    await annOther.messenger.setProfilePicture(second);
    await untilPicture(ann, ann, second);
    await ann.messenger.sendText(keyOf(bob), "4");
    await untilPicture(bob, ann, second);
    await ann.messenger.setProfilePicture(new Uint8Array());
    await ann.messenger.sendText(keyOf(bob), "5");
    await untilPicture(bob, ann, undefined);
    expect(nameAt(bob, ann)).toBe("Zoë");
  });

  it("takes the same picture anew where its bytes are not there, as after a backup of a moment when it changed", async () => {
    const picture = smallWebp(96);
    await ann.messenger.setProfilePicture(picture);
    await untilPicture(annOther, ann, picture);
    await ann.messenger.stop();
    const store = await openLocalStore({ keys: await ann.client.storeKeys(), openDatabase: openMessageDatabase, onLost: () => undefined });
    const batch = store.begin();
    batch.putMeta(pictureKey(keyOf(ann)), { mark: "", data: "" });
    await batch.commit();
    store.close();
    await restart(ann, relay);
    expect(await pictureAt(ann, ann)).toBeUndefined();
    await ann.messenger.setProfilePicture(picture);
    expect(await pictureAt(ann, ann)).toBe(picture.toString("hex"));
    await ann.messenger.sendText(keyOf(bob), "hi");
    await untilPicture(bob, ann, picture);
  });

  it("takes no picture that is large, or none at all", async () => {
    for (const data of [smallWebp(129), Buffer.concat([smallWebp(96), Buffer.alloc(MAX_PROFILE_PICTURE_BYTES)]), Buffer.from("a picture")])
      await expect(ann.messenger.setProfilePicture(data)).rejects.toMatchObject({ code: "BAD_REQUEST", details: { field: "data" } });
    expect(ann.messenger.getSnapshot().profilePicture).toBe("");
  });

  it("comes back with a backup, and to a device that takes only the notes", async () => {
    withoutCards(ann, annOther, bob);
    await ann.messenger.setProfileName("Zoë");
    await ann.messenger.sendText(keyOf(bob), "hi");
    await untilTexts(bob, keyOf(ann), ["hi"]);
    await bob.messenger.setProfileName("Robert");
    await bob.messenger.sendText(keyOf(ann), "ho");
    await untilNamed(ann, bob, "Robert");
    await untilNamed(bob, ann, "Zoë");
    const [mine, theirs] = [smallWebp(64), smallWebp(64, 1)];
    await ann.messenger.setProfilePicture(mine);
    await bob.messenger.setProfilePicture(theirs);
    await bob.messenger.sendText(keyOf(ann), "hm");
    await untilPicture(ann, bob, theirs);
    const file = await ann.messenger.exportBackup("a password", { withFiles: false, app: {} });
    const tablet = await world.join({ phrase: ann.phrase });
    await tablet.messenger.importBackup(file, "a password");
    expect([ownName(tablet), nameAt(tablet, bob)]).toEqual(["Zoë", "Robert"]);
    await untilPicture(tablet, ann, mine);
    await untilPicture(tablet, bob, theirs);
    const laptop = await world.join({ phrase: ann.phrase });
    const session = new Uint8Array(32).fill(5);
    const { devicePub } = laptop.account;
    await ann.messenger.sendDeviceTransfer({ session, keepsakes: "notes", sinceMs: null, deviceName: "Laptop", devicePub });
    await takeOver(laptop, session);
    await passTime([ann, laptop], 500, () => laptop.messenger.getSnapshot().deviceTransfer?.phase === "done");
    expect([ownName(laptop), nameAt(laptop, bob), await textsOf(laptop, keyOf(bob))]).toEqual(["Zoë", "Robert", []]);
    await untilPicture(laptop, ann, mine);
    await untilPicture(laptop, bob, theirs);
    // What a device wrote before the others looked it up once more waits in their mailboxes until then.
    await passTime([ann, annOther, tablet, laptop], 1_000, areEmpty);
    await idle(ann, bob, laptop, tablet);
    withoutCards(laptop, tablet);
    const before = sentTo(bob);
    bob.time.advance(3_600_000);
    await laptop.messenger.sendText(keyOf(bob), "from the laptop");
    await untilTexts(bob, keyOf(ann), ["hi", "ho", "hm", "from the laptop", "device.note", "device.note"]);
    await passTime([ann, annOther, bob, tablet, laptop], 1_000, areEmpty);
    await idle(laptop);
    // The picture of before goes with it, once.
    expect(sentTo(bob) - before).toBe(2);
    await untilPicture(bob, ann, mine);
  });
});

describe("between strangers", () => {
  beforeEach(async () => {
    relay = new TestRelay();
    world = createWorld(relay);
    ann = await world.join();
    bob = await world.join();
  });

  afterEach(() => world.stop());

  it("is not sent before a request was accepted, and with the first message after", async () => {
    await ann.messenger.setProfileName("Zoë");
    relay.setContact(keyOf(ann), keyOf(bob), "pending");
    for (const device of [ann, bob]) await device.messenger.refreshContacts();
    await ann.messenger.sendText(keyOf(bob), "a request");
    await untilTexts(bob, keyOf(ann), ["a request"]);
    await idle(ann, bob);
    expect([sentTo(bob), nameAt(bob, ann)]).toEqual([1, undefined]);
    relay.setContact(keyOf(ann), keyOf(bob), "accepted");
    for (const device of [ann, bob]) await device.messenger.refreshContacts();
    await ann.messenger.sendText(keyOf(bob), "thank you");
    await untilNamed(bob, ann, "Zoë");
    expect((await chatOf(bob, keyOf(ann))).map(({ body }) => body.kind)).not.toContain("unsupported");
  });

  it("is not shown of a stranger, whatever they send, and is once they are accepted", async () => {
    relay.setContact(keyOf(ann), keyOf(bob), "accepted");
    await ann.messenger.refreshContacts();
    await ann.messenger.setProfileName("Zoë");
    await ann.messenger.setProfilePicture(smallWebp(96));
    await ann.messenger.sendText(keyOf(bob), "you do not know me");
    await untilTexts(bob, keyOf(ann), ["you do not know me"]);
    await idle(ann, bob);
    expect([sentTo(bob), nameAt(bob, ann), bob.messenger.getSnapshot().profilePictures]).toEqual([2, undefined, {}]);
    await bob.messenger.refreshContacts();
    await untilNamed(bob, ann, "Zoë");
    await untilPicture(bob, ann, smallWebp(96));
  });

  it("does not go with a message to a group", async () => {
    relay.setContact(keyOf(ann), keyOf(bob), "accepted");
    for (const device of [ann, bob]) await device.messenger.refreshContacts();
    await ann.messenger.setProfileName("Zoë");
    const group = await ann.messenger.createGroup("Hikers", [keyOf(bob)]);
    await ann.messenger.sendText(group, "all of you");
    await pollUntil(async () => (await textsOf(bob, group)).includes("all of you"), { what: "the message" });
    await idle(ann, bob);
    expect(nameAt(bob, ann)).toBeUndefined();
  });
});

describe("records", () => {
  const isStranger = (): boolean => true;
  const chosen = (name: string, at: number): ProfileRecord => withName(NO_PROFILE, "p", { chosen: { name, at }, isStranger });

  it.each([
    [chosen("a", 1), chosen("b", 2), "b"],
    [chosen("a", 2), chosen("b", 1), "a"],
    [chosen("a", 1), chosen("b", 1), "b"],
    [chosen("a", 1), chosen("", 2), ""],
  ])("join to the later name in either order", (one, other, name) => {
    expect(joinProfiles(one, other).names).toEqual(joinProfiles(other, one).names);
    expect(joinProfiles(one, other).names.p?.name).toBe(name);
  });

  it.each([
    [[1, "a"], [2, "b"], "b"],
    [[2, "a"], [1, "b"], "a"],
    [[1, "a"], [1, "b"], "b"],
    [[1, "a"], [2, ""], ""],
  ] as const)("join to the later picture in either order: %j and %j", (one, other, mark) => {
    const [a, b] = [one, other].map(([at, some]) => withPicture(NO_PICTURES, "p", { chosen: { mark: some, at }, isStranger }));
    if (a === undefined || b === undefined) throw new Error("two records");
    expect(joinPictures(a, b)).toEqual(joinPictures(b, a));
    expect(joinPictures(a, b).of.p?.mark).toBe(mark);
  });

  it("take the pictures of 64 strangers and 2,000 people at most, and still update those", () => {
    let record = NO_PICTURES;
    for (let n = 0; n < 70; n += 1) record = withPicture(record, `p${n}`, { chosen: { mark: "a", at: 1 }, isStranger });
    expect(Object.keys(record.of)).toHaveLength(64);
    const known = { mark: "a", at: 1 };
    const full: PictureRecord = { sent: {}, of: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`p${n}`, known])) };
    expect(withPicture(full, "one more", { chosen: known, isStranger: () => false })).toBe(full);
    expect(withPicture(full, "p7", { chosen: { mark: "b", at: 2 }, isStranger }).of.p7?.mark).toBe("b");
  });

  it("have the properties that stores and backups have", () => {
    expect(withNameSent(NO_PROFILE, "p", 1)).toEqual({ own: { name: "", at: 0 }, told: { p: 1 }, names: {} });
  });

  it("take no more than 256 strangers in, and still update those", () => {
    let record = NO_PROFILE;
    for (let n = 0; n < 300; n += 1) record = withName(record, `p${n}`, { chosen: { name: "x", at: 1 }, isStranger });
    expect(Object.keys(record.names)).toHaveLength(256);
    expect(withName(record, "p7", { chosen: { name: "y", at: 2 }, isStranger }).names.p7?.name).toBe("y");
    expect(withName(record, "known", { chosen: { name: "z", at: 1 }, isStranger: () => false }).names.known?.name).toBe("z");
  });
});
