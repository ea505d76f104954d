// What a person notes about others and own devices: on all own devices, on no other one, and what it changes for whom it is about.
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_NOTE_NAME_BYTES, MAX_NOTES_A_CONTENT, type Note, type StoredNote } from "#shared/content/chat/note-content.ts";
import { MAX_NOTES } from "#shared/content/chat/note-record.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  createTrio,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  statesOf,
  summaryOf,
  takeOver,
  textsOf,
  untilEmpty,
  untilState,
  untilTexts,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { TEST_PASSWORD } from "#test/support/worlds/messenger-world.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const people = peopleForEach(createTrio);
let eve: Device;

beforeEach(async () => {
  eve = await people.world.join();
});

const about = (device: Device, fields: Partial<Note> = {}): Note => ({
  about: "person",
  key: keyOf(device),
  name: "",
  text: "",
  isContact: false,
  ...fields,
});
const notedOn = (device: Device, other: Device): StoredNote | undefined => device.messenger.getSnapshot().notes.person[keyOf(other)];

describe("a note", () => {
  it("is on all own devices, the later one after both changed it, and on no other one", async () => {
    const { relay, world, ann, annOther, bob } = people;
    await ann.messenger.setNotes([about(eve, { name: " Exchange deposit ", text: "monthly" })]);
    await pollUntil(() => notedOn(annOther, eve)?.name === "Exchange deposit");
    expect(notedOn(annOther, eve)).toEqual(notedOn(ann, eve));
    annOther.time.sleep(3_600_000);
    await annOther.messenger.setNotes([about(eve, { name: "Exchange" })]);
    await pollUntil(() => notedOn(ann, eve)?.name === "Exchange");
    // This clock is an hour behind that: what is changed here counts all the same, as it was changed afterwards.
    await ann.messenger.setNotes([about(eve, { name: "Deposit" })]);
    await pollUntil(() => notedOn(annOther, eve)?.name === "Deposit");
    await annOther.messenger.setNotes([about(eve)]);
    await pollUntil(() => notedOn(ann, eve)?.name === "");
    await restart(ann, relay);
    expect(notedOn(ann, eve)?.name).toBe("");
    await untilEmpty(relay, ...world.devices);
    for (const device of [bob, eve]) expect(device.messenger.getSnapshot().notes).toEqual({ person: {}, device: {} });
  });

  it("of a time that no clock shows is none: what is changed here afterwards counts", async () => {
    const { relay, ann, annOther } = people;
    const at = Number.MAX_SAFE_INTEGER;
    const body = { kind: "sync.notes", notes: [about(eve, { name: "for ever" })] } as const;
    await deliver(relay, { from: annOther, to: ann, plaintext: contentOf(annOther, ann, body, { at }) });
    await untilEmpty(relay, ann);
    await ann.messenger.setNotes([about(eve, { name: "Exchange" })]);
    await pollUntil(() => notedOn(annOther, eve)?.name === "Exchange");
  });

  it("names an own device, and many leave in several contents", async () => {
    const { ann, annOther } = people;
    const device = { about: "device", key: annOther.account.devicePub, name: "Kitchen", text: "", isContact: false } as const;
    const others = Array.from({ length: 2 * MAX_NOTES_A_CONTENT }, (_, index) =>
      about(eve, { key: index.toString(16).padStart(64, "0"), name: "x" }),
    );
    await ann.messenger.setNotes([device, ...others]);
    await pollUntil(() => Object.keys(annOther.messenger.getSnapshot().notes.person).length === others.length);
    expect(annOther.messenger.getSnapshot().notes.device[device.key]?.name).toBe("Kitchen");
    const many = Array.from({ length: MAX_NOTES }, (_, index) =>
      about(eve, { key: (index + 100).toString(16).padStart(64, "0"), name: "x" }),
    );
    for (const refused of [[about(eve, { name: "x".repeat(MAX_NOTE_NAME_BYTES + 1) })], [{ ...device, isContact: true }], many])
      await expect(ann.messenger.setNotes(refused)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(Object.keys(ann.messenger.getSnapshot().notes.person)).toHaveLength(others.length);
  });

  it("goes with a backup, and to a device that is linked without conversations", async () => {
    const { world, ann } = people;
    await ann.messenger.setNotes([about(eve, { isContact: true, name: "Eve" })]);
    const fresh = await world.join({ phrase: ann.phrase });
    await fresh.messenger.importBackup(await ann.messenger.exportBackup(TEST_PASSWORD, { withFiles: false, app: null }), TEST_PASSWORD);
    expect(notedOn(fresh, eve)).toEqual(notedOn(ann, eve));
    const linked = await world.join({ phrase: ann.phrase });
    const session = new Uint8Array(32).fill(5);
    const { devicePub } = linked.account;
    await ann.messenger.sendDeviceTransfer({ session, keepsakes: "", sinceMs: null, deviceName: "Laptop", devicePub });
    await takeOver(linked, session);
    await passTime([ann, linked], 500, () => linked.messenger.getSnapshot().deviceTransfer?.phase === "done");
    expect(notedOn(linked, eve)).toEqual(notedOn(ann, eve));
  });
});

describe("a contact that was added privately", () => {
  it("is no stranger on any own device, gets the receipts that were withheld and one's name, and nothing of it before", async () => {
    const { relay, ann, annOther } = people;
    await ann.messenger.setProfileName("Ann B.");
    await eve.messenger.sendText(keyOf(ann), "do you know me?");
    await untilTexts(annOther, keyOf(eve), ["do you know me?"]);
    await untilEmpty(relay, ann, annOther);
    for (const device of [ann, annOther]) expect(summaryOf(device, keyOf(eve))?.isRequest).toBe(true);
    // Strangers get no receipts: it stays so.
    await untilState(eve, keyOf(ann), "relayed");
    await ann.messenger.setNotes([about(eve, { isContact: true })]);
    await pollUntil(() => [ann, annOther].every((device) => summaryOf(device, keyOf(eve))?.isRequest === false));
    await pollUntil(async () => (await statesOf(eve, keyOf(ann))).join() === "delivered");
    expect(eve.messenger.getSnapshot().profileNames).toEqual({});
    await ann.messenger.sendText(keyOf(eve), "now I do");
    await untilTexts(eve, keyOf(ann), ["do you know me?", "now I do"]);
    await pollUntil(async () => (await statesOf(ann, keyOf(eve))).at(-1) === "delivered");
    await pollUntil(() => eve.messenger.getSnapshot().profileNames[keyOf(ann)] === "Ann B.");
  });

  it("who is blocked is none while the block lasts, and who is removed is a stranger again", async () => {
    const { relay, ann } = people;
    await ann.messenger.setNotes([about(eve, { isContact: true })]);
    await eve.messenger.sendText(keyOf(ann), "hello");
    await untilTexts(ann, keyOf(eve), ["hello"]);
    expect(summaryOf(ann, keyOf(eve))).toMatchObject({ isRequest: false, isBlocked: false });
    expect((await ann.messenger.acceptedContacts()).map(({ publicKey }) => publicKey)).toContain(keyOf(eve));
    relay.setContact(keyOf(eve), keyOf(ann), "blocked");
    await ann.messenger.refreshContacts();
    expect(summaryOf(ann, keyOf(eve))?.isBlocked).toBe(true);
    expect((await ann.messenger.acceptedContacts()).map(({ publicKey }) => publicKey)).not.toContain(keyOf(eve));
    relay.contacts = relay.contacts.filter(({ requester }) => requester !== keyOf(eve));
    await ann.messenger.refreshContacts();
    await ann.messenger.setNotes([about(eve)]);
    expect(summaryOf(ann, keyOf(eve))).toMatchObject({ isRequest: true, isBlocked: false });
  });
});

describe("a message that another own device sent", () => {
  it("says which one, also in a group and after the start; what this device sent says none", async () => {
    const { relay, ann, annOther, bob } = people;
    const group = await ann.messenger.createGroup("Trip", [keyOf(bob)]);
    await ann.messenger.sendText(keyOf(bob), "from the first");
    await ann.messenger.sendText(group, "to all");
    await untilTexts(annOther, keyOf(bob), ["from the first"]);
    await pollUntil(async () => (await textsOf(annOther, group)).includes("to all"));
    await restart(annOther, relay);
    const first = ann.account.devicePub;
    expect((await messageWith(annOther, keyOf(bob), "from the first")).sentBy).toBe(first);
    expect((await messageWith(annOther, group, "to all")).sentBy).toBe(first);
    expect((await messageWith(ann, keyOf(bob), "from the first")).sentBy).toBeNull();
  });
});
