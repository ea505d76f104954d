// Polls, pinned and starred messages, mentions and marks between devices: what is voted, pinned and named reaches everyone, from those who may do it.
import { beforeEach, describe, expect, it } from "vitest";
import { MAX_FOLDERS } from "#shared/content/chat/folder-content.ts";
import { MAX_PINS } from "#shared/content/chat/pin-content.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createQuartet, makeGroup, tick } from "#test/support/worlds/group-world.ts";
import { chatOf, type Device, keyOf, messageWith, summaryOf } from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const people = peopleForEach(createQuartet);
let id: string;

beforeEach(async () => {
  id = await makeGroup(people);
});

const ofKind = async (device: Device, kind: string): Promise<Awaited<ReturnType<typeof chatOf>>[number] | undefined> =>
  (await chatOf(device, id)).find(({ body }) => body.kind === kind);
const keyOfKind = async (device: Device, kind: string): Promise<string> => (await ofKind(device, kind))?.key ?? "";

describe("a poll in a group", () => {
  it("is voted in by all, on all devices, and closed by its author alone", async () => {
    const { ann, annOther, bob, carol } = people;
    await ann.messenger.sendPoll(id, { question: " When? ", answers: ["Sat", "Sun"], isMultiple: false });
    await pollUntil(async () => (await ofKind(bob, "poll")) !== undefined && (await ofKind(carol, "poll")) !== undefined);
    await bob.messenger.votePoll(await keyOfKind(bob, "poll"), [1]);
    await bob.messenger.votePoll(await keyOfKind(bob, "poll"), [0]);
    await carol.messenger.votePoll(await keyOfKind(carol, "poll"), [1]);
    const expected = { choices: { [keyOf(bob)]: [0], [keyOf(carol)]: [1] }, isClosed: false };
    for (const device of [ann, annOther, bob, carol])
      await pollUntil(async () => JSON.stringify((await ofKind(device, "poll"))?.poll?.choices[keyOf(carol)]) === "[1]");
    for (const device of [ann, annOther, bob, carol]) expect((await ofKind(device, "poll"))?.poll).toEqual(expected);
    expect((await ofKind(bob, "poll"))?.body).toEqual({ kind: "poll", question: "When?", answers: ["Sat", "Sun"], isMultiple: false });
    await expect(bob.messenger.closePoll(await keyOfKind(bob, "poll"))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(bob.messenger.votePoll(await keyOfKind(bob, "poll"), [0, 1])).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await annOther.messenger.closePoll(await keyOfKind(annOther, "poll"));
    for (const device of [ann, bob, carol]) await pollUntil(async () => (await ofKind(device, "poll"))?.poll?.isClosed === true);
    await expect(carol.messenger.votePoll(await keyOfKind(carol, "poll"), [0])).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("counts at its end what was cast on clocks that are fast, and is over for those who left", async () => {
    const { ann, bob, carol } = people;
    bob.time.sleep(300_000);
    await ann.messenger.sendPoll(id, { question: "When?", answers: ["Sat", "Sun"], isMultiple: false });
    for (const device of [bob, carol]) await pollUntil(async () => (await ofKind(device, "poll")) !== undefined);
    await carol.messenger.leaveGroup(id);
    await expect(carol.messenger.votePoll(await keyOfKind(carol, "poll"), [1])).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await bob.messenger.votePoll(await keyOfKind(bob, "poll"), [1]);
    await pollUntil(async () => (await ofKind(ann, "poll"))?.poll?.choices[keyOf(bob)] !== undefined);
    await ann.messenger.closePoll(await keyOfKind(ann, "poll"));
    await pollUntil(async () => (await ofKind(bob, "poll"))?.poll?.isClosed === true);
    for (const device of [ann, bob])
      expect((await ofKind(device, "poll"))?.poll).toEqual({ choices: { [keyOf(bob)]: [1] }, isClosed: true });
  });

  it.each([
    ["one answer", { question: "?", answers: ["a"], isMultiple: false }],
    ["no question", { question: " ", answers: ["a", "b"], isMultiple: false }],
    ["equal answers", { question: "?", answers: ["a", "a "], isMultiple: false }],
    ["an empty answer", { question: "?", answers: ["a", ""], isMultiple: false }],
  ])("is refused with %s", async (_, poll) => {
    await expect(Promise.resolve().then(() => people.ann.messenger.sendPoll(id, poll))).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("a pinned message", () => {
  const pinsOf = (device: Device, conversation: string): number => summaryOf(device, conversation)?.pins.length ?? 0;

  it("of a group is up to its owner and admins, and goes with the message", async () => {
    const { ann, annOther, bob, carol } = people;
    await bob.messenger.sendText(id, "The hut has the key");
    for (const device of [ann, annOther, carol]) await pollUntil(async () => (await chatOf(device, id)).some(({ body }) => "text" in body));
    const { key } = await messageWith(ann, id, "The hut has the key");
    await ann.messenger.pinMessage(key, true);
    for (const device of [ann, annOther, bob, carol]) await pollUntil(() => pinsOf(device, id) === 1);
    const own = await messageWith(bob, id, "The hut has the key");
    expect(own.isPinned).toBe(true);
    expect(await bob.messenger.pinnedMessages(summaryOf(bob, id)?.pins ?? [])).toMatchObject([{ key: own.key }]);
    await expect(bob.messenger.pinMessage(own.key, false)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await bob.messenger.deleteForEveryone(own.key);
    for (const device of [ann, annOther, bob, carol]) await pollUntil(() => pinsOf(device, id) === 0);
  });

  it("of a chat of two is up to both, within the bound", async () => {
    const { ann, bob } = people;
    for (let index = 0; index <= MAX_PINS; index += 1) await ann.messenger.sendText(keyOf(bob), `${index}`);
    await pollUntil(async () => (await chatOf(bob, keyOf(ann))).length === MAX_PINS + 1);
    const messages = await chatOf(bob, keyOf(ann));
    for (const { key } of messages.slice(0, MAX_PINS)) await bob.messenger.pinMessage(key, true);
    await expect(bob.messenger.pinMessage(messages.at(-1)?.key ?? "", true)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await pollUntil(() => pinsOf(ann, keyOf(bob)) === MAX_PINS);
    await ann.messenger.pinMessage((await messageWith(ann, keyOf(bob), "0")).key, false);
    await pollUntil(() => pinsOf(bob, keyOf(ann)) === MAX_PINS - 1);
    await bob.messenger.deleteMessage((await messageWith(bob, keyOf(ann), "1")).key);
    expect(pinsOf(bob, keyOf(ann))).toBe(MAX_PINS - 2);
    expect(pinsOf(ann, keyOf(bob))).toBe(MAX_PINS - 1);
  });
});

describe("a mention in a group", () => {
  const naming = (
    device: Device,
    text: string,
    name: string,
  ): { readonly start: number; readonly length: number; readonly person: string } => ({
    start: text.indexOf(`@${name}`),
    length: name.length + 1,
    person: keyOf(device),
  });
  const mentionsOf = (device: Device): number => summaryOf(device, id)?.mentions ?? 0;
  const untilText = async (device: Device, text: string): Promise<void> => {
    await pollUntil(async () => (await chatOf(device, id)).some(({ body }) => "text" in body && body.text === text));
  };

  it("marks the chat of whom it names until it is read, and counts although the chat is muted", async () => {
    const { ann, bob, carol } = people;
    await bob.messenger.setChat(id, { mutedUntil: Number.MAX_SAFE_INTEGER });
    await ann.messenger.sendText(id, "Quiet");
    const text = "🌍 @Bob, shall we?";
    await ann.messenger.sendText(id, text, [naming(bob, text, "Bob")]);
    for (const device of [bob, carol]) await untilText(device, text);
    expect([mentionsOf(bob), mentionsOf(carol), mentionsOf(ann)]).toEqual([1, 0, 0]);
    expect(bob.messenger.getSnapshot().totalUnread).toBe(1);
    expect((await messageWith(carol, id, text)).body).toMatchObject({ mentions: [{ start: 3, length: 4, person: keyOf(bob) }] });
    await bob.messenger.setChat(id, { mutesMentions: true });
    expect(bob.messenger.getSnapshot().totalUnread).toBe(0);
    await bob.messenger.markRead(id);
    expect(mentionsOf(bob)).toBe(0);
  });

  it("goes with the message, with a wording that names no one, and brings a muted chat back from the archive", async () => {
    const { ann, bob } = people;
    await bob.messenger.setChat(id, { isArchived: true, mutedUntil: Number.MAX_SAFE_INTEGER });
    await ann.messenger.sendText(id, "Not for Bob");
    await untilText(bob, "Not for Bob");
    expect(summaryOf(bob, id)?.isArchived).toBe(true);
    for (const text of ["@Bob one", "@Bob two"]) {
      await ann.messenger.sendText(id, text, [naming(bob, text, "Bob")]);
      await untilText(bob, text);
    }
    expect([mentionsOf(bob), summaryOf(bob, id)?.isArchived]).toEqual([2, false]);
    await ann.messenger.editMessage((await messageWith(ann, id, "@Bob one")).key, "No one");
    await untilText(bob, "No one");
    expect(mentionsOf(bob)).toBe(1);
    await ann.messenger.deleteForEveryone((await messageWith(ann, id, "@Bob two")).key);
    await pollUntil(() => mentionsOf(bob) === 0);
  });

  it("is refused where it lies on no name, and its setting follows to the own other device", async () => {
    const { ann, annOther, bob } = people;
    await expect(ann.messenger.sendText(id, "Bob", [{ start: 0, length: 3, person: keyOf(bob) }])).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await ann.messenger.setChat(id, { mutesMentions: true });
    await pollUntil(() => summaryOf(annOther, id)?.mutesMentions === true);
    await annOther.messenger.setChat(id, { isPinned: true });
    await pollUntil(() => summaryOf(ann, id)?.isPinned === true);
    expect(summaryOf(ann, id)?.mutesMentions).toBe(true);
  });
});

describe("a starred message", () => {
  const starsOf = async (device: Device, conversation?: string): Promise<readonly string[]> =>
    (await device.messenger.starredMessages(conversation)).map(({ message: { body } }) => ("text" in body ? body.text : body.kind));

  it("is found in its chat and among all, on all own devices and on no other one, until it goes", async () => {
    const { ann, annOther, bob } = people;
    await bob.messenger.sendText(id, "The hut has the key");
    // Of one moment either may be the newer one.
    for (const device of [ann, annOther]) await pollUntil(async () => (await chatOf(device, id)).some(({ body }) => "text" in body));
    tick(people);
    await bob.messenger.sendText(keyOf(ann), "Between us");
    for (const device of [ann, annOther]) await pollUntil(async () => (await chatOf(device, keyOf(bob))).length === 1);
    await ann.messenger.starMessage((await messageWith(ann, id, "The hut has the key")).key, true);
    await ann.messenger.starMessage((await messageWith(ann, keyOf(bob), "Between us")).key, true);
    for (const device of [ann, annOther]) {
      await pollUntil(async () => (await starsOf(device)).length === 2);
      expect(await starsOf(device)).toEqual(["Between us", "The hut has the key"]);
      expect(await starsOf(device, id)).toEqual(["The hut has the key"]);
    }
    expect(await starsOf(bob)).toEqual([]);
    expect((await messageWith(bob, id, "The hut has the key")).isStarred).toBe(false);
    await annOther.messenger.starMessage((await messageWith(annOther, keyOf(bob), "Between us")).key, false);
    await pollUntil(async () => (await starsOf(ann)).length === 1);
    await bob.messenger.deleteForEveryone((await messageWith(bob, id, "The hut has the key")).key);
    for (const device of [ann, annOther]) await pollUntil(async () => (await starsOf(device)).length === 0);
  });

  it("is one also where the star comes before the message, and never by the star of another person", async () => {
    const { ann, annOther, bob, world } = people;
    annOther.node.setOnline(false);
    await bob.messenger.sendText(keyOf(ann), "Early");
    await pollUntil(async () => (await chatOf(ann, keyOf(bob))).length === 1);
    const { key, id: early } = await messageWith(ann, keyOf(bob), "Early");
    const star = contentOf(ann, ann, { kind: "sync.star", peer: keyOf(bob), to: { author: keyOf(bob), id: early }, isStarred: true });
    const held = world.relay.mailboxes.get(annOther.account.devicePub);
    world.relay.mailboxes.delete(annOther.account.devicePub);
    await deliver(world.relay, { from: ann, to: annOther, plaintext: star });
    annOther.node.setOnline(true);
    await pollUntil(() => world.relay.count(annOther.account.devicePub) === 0);
    world.relay.mailboxes.set(annOther.account.devicePub, held ?? new Map());
    annOther.node.setOnline(false);
    annOther.node.setOnline(true);
    await pollUntil(async () => (await starsOf(annOther)).length === 1);
    await deliver(world.relay, {
      from: bob,
      to: ann,
      plaintext: contentOf(bob, ann, { kind: "sync.star", peer: keyOf(bob), to: { author: keyOf(bob), id: early }, isStarred: true }),
    });
    await pollUntil(() => world.relay.count(ann.account.devicePub) === 0);
    expect(await starsOf(ann)).toEqual([]);
    await ann.messenger.starMessage(key, true);
    expect(await starsOf(ann)).toEqual(["Early"]);
  });
});

describe("a chat that is marked as unread", () => {
  it("is so on all own devices until it is read on one", async () => {
    const { ann, annOther } = people;
    const isMarked = (device: Device): boolean => summaryOf(device, id)?.isMarkedUnread === true;
    await ann.messenger.setChat(id, { isMarkedUnread: true });
    await pollUntil(() => isMarked(annOther));
    expect([ann, annOther].map(({ messenger }) => messenger.getSnapshot().totalUnread)).toEqual([1, 1]);
    await annOther.messenger.markRead(id);
    await pollUntil(() => !isMarked(ann));
    expect(ann.messenger.getSnapshot().totalUnread).toBe(0);
  });
});

describe("a chat that is open on another own device", () => {
  it("stays marked as unread there until it is opened again or something comes", async () => {
    const { ann, annOther, bob } = people;
    const isMarked = (device: Device): boolean => summaryOf(device, id)?.isMarkedUnread === true;
    const view = annOther.messenger.openConversation(id);
    view.setVisible(true);
    await ann.messenger.setChat(id, { isMarkedUnread: true });
    await pollUntil(() => isMarked(annOther));
    await ann.messenger.setChat(id, { isPinned: true });
    await pollUntil(() => summaryOf(annOther, id)?.isPinned === true);
    expect([ann, annOther].map(isMarked)).toEqual([true, true]);
    view.setVisible(false);
    view.setVisible(true);
    await pollUntil(() => !isMarked(ann) && !isMarked(annOther));
    await ann.messenger.setChat(id, { isMarkedUnread: true });
    await pollUntil(() => isMarked(annOther));
    await bob.messenger.sendText(id, "News");
    await pollUntil(() => !isMarked(ann) && !isMarked(annOther));
    view.close();
  });
});

describe("folders of chats", () => {
  const work = { id: "05".repeat(8), name: " Work " };
  const home = { id: "06".repeat(8), name: "Home" };

  it("are on all own devices, in their order, with their chats", async () => {
    const { ann, annOther } = people;
    await ann.messenger.setFolders([work, home]);
    await ann.messenger.setChat(id, { folders: [home.id] });
    await pollUntil(() => annOther.messenger.getSnapshot().folders.length === 2 && summaryOf(annOther, id)?.folders.length === 1);
    expect(annOther.messenger.getSnapshot().folders).toEqual([{ ...work, name: "Work" }, home]);
    await annOther.messenger.setFolders([home, { ...work, name: "Office" }]);
    await pollUntil(() => ann.messenger.getSnapshot().folders[1]?.name === "Office");
    await annOther.messenger.setChat(id, { isPinned: true });
    await pollUntil(() => summaryOf(ann, id)?.isPinned === true);
    expect(summaryOf(ann, id)?.folders).toEqual([home.id]);
    expect(people.bob.messenger.getSnapshot().folders).toEqual([]);
  });

  it("are refused beyond their bounds", async () => {
    const { messenger } = people.ann;
    for (const name of ["", " ", "x".repeat(65)])
      await expect(messenger.setFolders([{ ...work, name }])).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const many = Array.from({ length: MAX_FOLDERS + 1 }, (_, index) => ({ id: index.toString(16).padStart(16, "0"), name: "x" }));
    await expect(messenger.setFolders(many)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("a preview of a link", () => {
  const picture = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";
  const preview = { link: "https://parley.example/", title: "Parley", description: "A messenger", picture };
  const text = "See https://parley.example/ now";
  const previewIn = async (device: Device, conversation: string, shown: string): Promise<unknown> => {
    const found = (await chatOf(device, conversation)).find(({ body }) => "text" in body && body.text === shown);
    return found === undefined ? "not here" : "preview" in found.body ? found.body.preview : undefined;
  };

  it("reaches a group and the own other device with the message, is replaced by an edit, and goes with one that has none", async () => {
    const { ann, annOther, bob, carol } = people;
    await ann.messenger.sendText(id, text, [], preview);
    for (const device of [ann, annOther, bob, carol]) await pollUntil(async () => (await previewIn(device, id, text)) !== "not here");
    for (const device of [ann, annOther, bob, carol]) expect(await previewIn(device, id, text)).toEqual(preview);
    const { key } = await messageWith(ann, id, text);
    const [next, shown] = [{ ...preview, link: "https://b.example/", picture: "" }, "Or https://b.example/"];
    await ann.messenger.editMessage(key, shown, [], next);
    for (const device of [annOther, bob, carol]) await pollUntil(async () => (await previewIn(device, id, shown)) !== "not here");
    for (const device of [ann, annOther, bob, carol]) expect(await previewIn(device, id, shown)).toEqual(next);
    await ann.messenger.editMessage(key, "Or https://b.example/ not");
    for (const device of [ann, annOther, bob])
      await pollUntil(async () => (await previewIn(device, id, "Or https://b.example/ not")) === undefined);
    await ann.messenger.deleteForEveryone(key);
    await pollUntil(async () => !JSON.stringify((await chatOf(carol, id)).map(({ body }) => body)).includes("b.example"));
  });

  it("goes with an answer and with what is sent later between two", async () => {
    const { ann, annOther, bob } = people;
    await bob.messenger.sendText(keyOf(ann), "Where?");
    await pollUntil(async () => (await chatOf(ann, keyOf(bob))).length === 1);
    await ann.messenger.sendReply((await messageWith(ann, keyOf(bob), "Where?")).key, text, [], preview);
    await pollUntil(async () => (await previewIn(bob, keyOf(ann), text)) !== "not here");
    expect(await previewIn(bob, keyOf(ann), text)).toEqual(preview);
    await pollUntil(async () => (await previewIn(annOther, keyOf(bob), text)) !== "not here");
    const later = await ann.messenger.scheduleMessage(keyOf(bob), { text: `${text}!`, preview, dueAt: ann.time.nowMs() + 60_000 });
    await ann.messenger.changeScheduled(later, { text: `${text}!!` });
    await ann.messenger.sendScheduled(later);
    await pollUntil(async () => (await previewIn(bob, keyOf(ann), `${text}!!`)) !== "not here");
    expect(await previewIn(bob, keyOf(ann), `${text}!!`)).toEqual(preview);
  });

  it("of another link is refused", async () => {
    const wrong = { ...preview, link: "https://other.example/" };
    const { ann, bob } = people;
    for (const send of [
      (): Promise<unknown> => ann.messenger.sendText(id, text, [], wrong),
      (): Promise<unknown> => ann.messenger.sendText(keyOf(bob), "No link", [], preview),
      (): Promise<unknown> => ann.messenger.scheduleMessage(id, { text, preview: wrong, dueAt: ann.time.nowMs() + 60_000 }),
    ])
      await expect(send()).rejects.toMatchObject({ code: "BAD_REQUEST", details: { field: "preview" } });
  });
});
