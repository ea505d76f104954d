import { describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type GroupNote, NO_RECIPIENT } from "#shared/messenger/model/message.ts";
import { MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { entriesFor } from "#test/support/worlds/group-mail.ts";
import { createQuartet, makeGroup, tick as passSecond, untilWords, wordsOf } from "#test/support/worlds/group-world.ts";
import {
  befriend,
  chatOf,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  summaryOf,
  textsOf,
  untilEmpty,
  untilTexts,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { withoutCards } from "#test/support/worlds/messenger-world.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const people = peopleForEach(createQuartet);

const made = (): Promise<string> => makeGroup(people);
const tick = (): void => passSecond(people);

/** People on the chain who run no messenger, with one or two devices each. */
function crowd(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const person = toHex(sha256(new TextEncoder().encode(`person ${index}`)));
    for (let device = 0; device <= index % 2; device += 1)
      people.relay.link(person, toHex(boxKeyPair(sha256(new TextEncoder().encode(`${person} ${device}`))).publicKey));
    return person;
  });
}

describe("a group of a hundred", () => {
  it("is made at once, reads the same everywhere, and its messages reach all devices", async () => {
    const { relay, ann, annOther, bob } = people;
    const others = crowd(MAX_GROUP_MEMBERS - 2);
    const id = await ann.messenger.createGroup("Village", [...others, keyOf(bob)]);
    await untilWords([ann, annOther, bob], id, ["made"]);
    const everyone = [keyOf(ann), keyOf(bob), ...others].sort();
    for (const device of [ann, annOther, bob]) expect(summaryOf(device, id)?.group?.members.toSorted()).toEqual(everyone);
    const entries = (await entriesFor(bob, relay)).map(({ entry: { change } }) => [
      change.op,
      "people" in change ? change.people.length : 0,
    ]);
    expect(entries).toEqual([
      ["create", 31],
      ["add", 31],
      ["add", 31],
      ["add", 6],
    ]);
    const before = relay.history.length;
    await ann.messenger.sendText(id, "to all");
    await pollUntil(async () => (await messageWith(ann, id, "to all")).deliveries?.every(({ state }) => state !== "queued") === true);
    const reached = new Set(relay.history.slice(before).map(({ recipient_pub }) => recipient_pub));
    const devices = others.flatMap((person) => relay.published.get(person)?.devices ?? []);
    expect(devices).toHaveLength(147);
    expect(devices.every((device) => reached.has(device))).toBe(true);
    await untilWords([annOther, bob], id, ["made", "to all"]);
  });

  it("is grown by its admins with as many entries as that needs, each in a line, and no further", async () => {
    const { ann, bob } = people;
    const others = crowd(MAX_GROUP_MEMBERS - 3);
    const id = await made();
    await ann.messenger.addToGroup(id, others.slice(0, 33));
    await pollUntil(() => summaryOf(bob, id)?.group?.members.length === 36);
    expect((await wordsOf(bob, id)).filter((word) => word === "added")).toHaveLength(33);
    await expect(ann.messenger.addToGroup(id, crowd(MAX_GROUP_MEMBERS))).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("a group", () => {
  it("gets a message in one go: own keys are asked for once, and who cannot be looked up delays no other", async () => {
    const { ann, annOther, bob, carol } = people;
    const id = await made();
    let ownLookups = 0;
    ann.node.refuse = (call, master): CodedError | undefined => {
      if (call !== "publishedKeys") return undefined;
      if (master === keyOf(ann)) ownLookups += 1;
      return master === keyOf(bob) ? new CodedError("UNAVAILABLE", "down") : undefined;
    };
    await ann.messenger.sendText(id, "Off we go");
    await untilWords([annOther, carol], id, ["made", "Off we go"]);
    await pollUntil(() => ann.messenger.getSnapshot().queued === 1);
    expect(ownLookups).toBe(1);
    expect(await wordsOf(bob, id)).toEqual(["made"]);
    ann.node.refuse = (): undefined => undefined;
    await passTime([ann], 1_000, async () => (await wordsOf(bob, id)).length === 2);
  });

  it("has its messages, answers, reactions, changes and deletions on all devices of all members", async () => {
    const { world, ann, annOther, bob, carol } = people;
    const id = await made();
    await ann.messenger.sendText(id, "Sunday?");
    await untilWords(world.devices, id, ["made", "Sunday?"]);
    tick();
    await bob.messenger.sendReply((await messageWith(bob, id, "Sunday?")).key, "Yes");
    await untilWords(world.devices, id, ["made", "Sunday?", "Yes"]);
    tick();
    await carol.messenger.react((await messageWith(carol, id, "Yes")).key, "👍");
    await ann.messenger.editMessage((await messageWith(ann, id, "Sunday?")).key, "Saturday?");
    await untilWords(world.devices, id, ["made", "Saturday?", "Yes"]);
    for (const device of world.devices)
      await pollUntil(async () => (await messageWith(device, id, "Yes")).reactions.some(({ emoji }) => emoji === "👍"));
    expect(await messageWith(carol, id, "Yes")).toMatchObject({ author: keyOf(bob), body: { kind: "reply", to: { author: keyOf(ann) } } });
    expect(await messageWith(annOther, id, "Saturday?")).toMatchObject({ author: null, direction: "out", isEdited: true });
    await bob.messenger.deleteForEveryone((await messageWith(bob, id, "Yes")).key);
    await untilWords(world.devices, id, ["made", "Saturday?", "deleted"]);
  });

  it("counts a message as delivered and read when it is so with everybody", async () => {
    const { ann, annOther, bob, carol } = people;
    const id = await made();
    carol.node.setOnline(false);
    await ann.messenger.sendText(id, "news");
    await untilWords([bob], id, ["made", "news"]);
    const stateOf = async (device: Device): Promise<string | null> => (await messageWith(device, id, "news")).state;
    await bob.messenger.markRead(id);
    await pollUntil(async () => (await messageWith(ann, id, "news")).deliveries?.some(({ state }) => state === "read") === true);
    expect(await stateOf(ann)).toBe("relayed");
    carol.node.setOnline(true);
    await pollUntil(async () => (await stateOf(ann)) === "delivered");
    await carol.messenger.markRead(id);
    for (const device of [ann, annOther]) await pollUntil(async () => (await stateOf(device)) === "read");
    expect(summaryOf(carol, id)?.unread).toBe(0);
  });

  it("marks what was read on one device as read on the others", async () => {
    const { ann, annOther, bob } = people;
    const id = await made();
    await bob.messenger.sendText(id, "for Ann");
    await untilWords([ann, annOther], id, ["made", "for Ann"]);
    expect(summaryOf(annOther, id)?.unread).toBe(1);
    await ann.messenger.markRead(id);
    await pollUntil(() => summaryOf(annOther, id)?.unread === 0);
  });

  it("carries files to everybody", async () => {
    const { ann, annOther, bob, carol } = people;
    const id = await made();
    const bytes = new Uint8Array(400_000).map((_, index) => index % 251);
    await bob.messenger.sendFile(id, { name: "route.gpx", mediaType: "application/gpx+xml", bytes, caption: "The way", image: null });
    for (const device of [ann, annOther, carol]) {
      await pollUntil(async () => (await wordsOf(device, id)).includes("attachment"));
      const message = (await chatOf(device, id)).find(({ body }) => body.kind === "attachment");
      await pollUntil(async () => (await device.messenger.readFile(message?.key ?? "")) !== undefined);
      expect(Buffer.compare((await device.messenger.readFile(message?.key ?? "")) ?? Buffer.alloc(0), bytes)).toBe(0);
    }
    await pollUntil(async () => {
      const sent = (await chatOf(bob, id)).find(({ body }) => body.kind === "attachment")?.transfer;
      return sent !== undefined && sent?.done === sent?.total;
    });
  });

  it("survives restarts, is found by search, and is in a backup", async () => {
    const { relay, world, ann, bob } = people;
    const id = await made();
    await ann.messenger.sendText(id, "Bring the blue rope");
    await bob.messenger.sendText(id, "Which rope?");
    await pollUntil(async () => (await wordsOf(ann, id)).length === 3 && (await wordsOf(bob, id)).length === 3);
    await restart(bob, relay);
    expect(summaryOf(bob, id)).toMatchObject({ kind: "group", group: { name: "Hikes", admin: keyOf(ann), isMember: true } });
    expect(await ann.messenger.search("rope", { conversation: id })).toHaveLength(2);
    const file = await ann.messenger.exportBackup("seven purple kettles sing", { withFiles: false, app: null });
    const fresh = await world.join({ phrase: ann.phrase });
    await fresh.messenger.importBackup(file, "seven purple kettles sing");
    expect(await wordsOf(fresh, id)).toEqual(await wordsOf(ann, id));
    await bob.messenger.sendText(id, "hello new device");
    await pollUntil(async () => (await wordsOf(fresh, id)).includes("hello new device"));
  });

  it("sends again what was lost, also between people who only know each other from there", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    let losses = 1;
    relay.loses = (envelope): boolean => envelope.recipient_pub === carol.account.devicePub && losses-- > 0;
    await bob.messenger.sendText(id, "lost at first");
    await pollUntil(async () => (await wordsOf(ann, id)).includes("lost at first"));
    tick();
    await bob.messenger.sendText(id, "second");
    await passTime([carol, bob], 3_000, async () => (await wordsOf(carol, id)).includes("lost at first"));
    expect(await wordsOf(carol, id)).toEqual(["made", "lost at first", "second"]);
  });
});

describe("a newcomer", () => {
  it("sees nothing earlier, not even by an edit, and everything later", async () => {
    const { relay, world, ann, bob, carol } = people;
    const id = await made();
    await ann.messenger.sendText(id, "before");
    await untilWords(world.devices, id, ["made", "before"]);
    tick();
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    withoutCards(...world.devices);
    await ann.messenger.addToGroup(id, [keyOf(dave)]);
    await untilWords([dave], id, ["added"]);
    const sentSoFar = relay.history.filter(({ recipient_pub }) => recipient_pub === dave.account.devicePub).length;
    await ann.messenger.editMessage((await messageWith(ann, id, "before")).key, "before, edited");
    await pollUntil(async () => (await wordsOf(carol, id)).includes("before, edited"));
    expect(relay.history.filter(({ recipient_pub }) => recipient_pub === dave.account.devicePub)).toHaveLength(sentSoFar);
    tick();
    await bob.messenger.sendText(id, "welcome");
    await untilWords([dave], id, ["added", "welcome"]);
    expect(summaryOf(dave, id)?.group?.members).toHaveLength(4);
  });

  it("that writes before its invitation has reached a member is shown there afterwards", async () => {
    const { relay, world, ann, bob, carol } = people;
    withoutCards(...world.devices);
    const id = await made();
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    relay.loses = (envelope): boolean => envelope.recipient_pub === carol.account.devicePub && relay.isFrom(ann, envelope);
    await ann.messenger.addToGroup(id, [keyOf(dave)]);
    await untilWords([dave], id, ["added"]);
    await dave.messenger.sendText(id, "hello all");
    await untilWords([bob], id, ["made", "added", "hello all"]);
    await pollUntil(() => relay.count(carol.account.devicePub) === 0);
    expect(await wordsOf(carol, id)).toEqual(["made"]);
    relay.loses = (): boolean => false;
    tick();
    await ann.messenger.renameGroup(id, "Walks");
    await untilWords([carol], id, ["made", "added", "hello all", "named Walks"]);
  });

  it("device of a member learns of the group from its admin", async () => {
    const { world, ann, bob } = people;
    const id = await made();
    const bobOther = await world.join({ phrase: bob.phrase });
    await bobOther.messenger.refreshContacts();
    await ann.messenger.sendText(id, "to the new device, too");
    await pollUntil(async () => (await wordsOf(bobOther, id)).includes("to the new device, too"));
    expect(summaryOf(bobOther, id)?.group?.members).toEqual(summaryOf(bob, id)?.group?.members);
  });
});

describe("a removed member", () => {
  it("is notified, gets nothing more, and is ignored from then on", async () => {
    const { ann, bob, carol } = people;
    const id = await made();
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    await untilWords([ann, bob, carol], id, ["made", "removed"]);
    tick();
    await bob.messenger.sendText(id, "without Carol");
    await untilWords([ann], id, ["made", "removed", "without Carol"]);
    expect(summaryOf(carol, id)?.group?.isMember).toBe(false);
    await expect(carol.messenger.sendText(id, "still here")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await wordsOf(carol, id)).toEqual(["made", "removed"]);
  });

  it("does not get what was still waiting to be sent; it counts for the others alone", async () => {
    const { ann, bob, carol } = people;
    const id = await made();
    ann.node.setOnline(false);
    await ann.messenger.sendText(id, "too late for Carol");
    tick();
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    ann.node.setOnline(true);
    await untilWords([bob], id, ["made", "too late for Carol", "removed"]);
    await passTime([ann], 1_000, async () => (await messageWith(ann, id, "too late for Carol")).state === "delivered");
    expect((await messageWith(ann, id, "too late for Carol")).deliveries).toEqual([{ person: keyOf(bob), state: "delivered" }]);
    await untilWords([carol], id, ["made", "removed"]);
  });

  it("does not get what failed to reach them either, though their device asks for its position", async () => {
    const { relay, ann, carol } = people;
    const id = await made();
    ann.node.refuse = (call, argument): CodedError | undefined =>
      call === "broadcast" && argument === carol.account.devicePub ? new CodedError("UNAVAILABLE", "not now") : undefined;
    await ann.messenger.sendText(id, "not for Carol");
    await pollUntil(
      async () => (await messageWith(ann, id, "not for Carol")).deliveries?.some(({ state }) => state === "delivered") === true,
    );
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    ann.node.refuse = (): undefined => undefined;
    await passTime([ann], 1_000, async () => (await messageWith(ann, id, "not for Carol")).deliveries?.length === 1);
    await untilWords([carol], id, ["made", "removed"]);
    const before = carol.node.calls.filter((call) => call === "broadcast").length;
    await passTime([carol], 1_000, () => carol.node.calls.filter((call) => call === "broadcast").length > before);
    await untilEmpty(relay, ann, carol);
    await carol.messenger.sendText(keyOf(ann), "what did I miss?");
    await untilTexts(ann, keyOf(carol), ["what did I miss?"]);
    await untilEmpty(relay, ann, carol);
    expect(await wordsOf(carol, id)).toEqual(["made", "removed"]);
    expect(await textsOf(carol, keyOf(ann))).toEqual(["what did I miss?"]);
  });

  it("has no recipient left, and that is shown", async () => {
    const { ann, carol } = people;
    const id = await ann.messenger.createGroup("Two", [keyOf(carol)]);
    await untilWords([ann, carol], id, ["made"]);
    tick();
    ann.node.setOnline(false);
    await ann.messenger.sendText(id, "only for Carol");
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    ann.node.setOnline(true);
    await passTime([ann], 1_000, async () => (await messageWith(ann, id, "only for Carol")).state === NO_RECIPIENT);
    await untilWords([carol], id, ["made", "removed"]);
    expect(ann.messenger.getSnapshot().queued).toBe(0);
  });

  it("is not shown what a member still sends who does not know it yet", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    await untilWords([ann, bob, carol], id, ["made", "removed"]);
    const group = { id: id.slice(id.indexOf(":") + 1), keeper: keyOf(ann) };
    const at = carol.time.nowMs() + 1_000;
    await deliver(relay, { from: bob, to: carol, plaintext: contentOf(bob, carol, { kind: "text", text: "secret" }, { group, at }) });
    await untilEmpty(relay, carol);
    expect(await wordsOf(carol, id)).toEqual(["made", "removed"]);
  });

  it("is refused by everybody who knows, though their own program does not", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    carol.node.setOnline(false);
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    await untilWords([ann, bob], id, ["made", "removed"]);
    tick();
    await carol.messenger.sendText(id, "I do not know yet");
    relay.loses = (envelope): boolean => envelope.recipient_pub === carol.account.devicePub;
    relay.mailboxes.get(carol.account.devicePub)?.clear();
    carol.node.setOnline(true);
    await passTime([carol], 1_000, async () => (await messageWith(carol, id, "I do not know yet")).state === "relayed");
    await pollUntil(() => relay.count(bob.account.devicePub) === 0 && relay.count(ann.account.devicePub) === 0);
    for (const device of [ann, bob]) expect(await wordsOf(device, id)).toEqual(["made", "removed"]);
  });

  it("can be added again", async () => {
    const { ann, bob, carol } = people;
    const id = await made();
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    await untilWords([carol], id, ["made", "removed"]);
    tick();
    await ann.messenger.addToGroup(id, [keyOf(carol)]);
    await untilWords([carol, bob], id, ["made", "removed", "added"]);
    tick();
    await carol.messenger.sendText(id, "back");
    await untilWords([ann, bob], id, ["made", "removed", "added", "back"]);
  });
});

describe("rights", () => {
  it("to change a group have its owner and its admins only", async () => {
    const { ann, bob, carol } = people;
    const id = await made();
    for (const attempt of [
      bob.messenger.renameGroup(id, "Mine"),
      bob.messenger.addToGroup(id, [keyOf(ann)]),
      bob.messenger.removeFromGroup(id, keyOf(carol)),
      bob.messenger.setGroupAdmin(id, keyOf(bob), true),
      ann.messenger.setGroupAdmin(id, keyOf(ann), true),
      ann.messenger.setGroupAdmin(id, "ab".repeat(32), true),
      ann.messenger.removeFromGroup(id, keyOf(ann)),
      ann.messenger.removeFromGroup(id, "ab".repeat(32)),
    ])
      await expect(attempt).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("are given to admins by the owner, and taken again", async () => {
    const { world, ann, annOther, bob, carol } = people;
    const id = await made();
    await ann.messenger.setGroupAdmin(id, keyOf(bob), true);
    await untilWords(world.devices, id, ["made", "adminNamed"]);
    for (const device of world.devices)
      expect(summaryOf(device, id)?.group).toMatchObject({ owner: keyOf(ann), admin: keyOf(ann), admins: [keyOf(bob)] });
    tick();
    const dave = await world.join();
    await bob.messenger.addToGroup(id, [keyOf(dave)]);
    await untilWords([ann, annOther, bob, carol], id, ["made", "adminNamed", "added"]);
    await untilWords([dave], id, ["added"]);
    tick();
    await bob.messenger.removeFromGroup(id, keyOf(carol));
    await pollUntil(() => world.devices.every((device) => summaryOf(device, id)?.group?.members.includes(keyOf(carol)) !== true));
    await expect(bob.messenger.removeFromGroup(id, keyOf(ann))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(bob.messenger.setGroupAdmin(id, keyOf(dave), true)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    tick();
    await ann.messenger.setGroupAdmin(id, keyOf(bob), false);
    await pollUntil(() => summaryOf(bob, id)?.group?.admins.length === 0);
    await expect(bob.messenger.renameGroup(id, "Mine")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(summaryOf(bob, id)?.group?.isMember).toBe(true);
  });

  it("go to another member when the owner leaves", async () => {
    const { ann, annOther, bob, carol } = people;
    const id = await made();
    await ann.messenger.leaveGroup(id);
    await pollUntil(() => summaryOf(bob, id)?.group?.admin !== keyOf(ann) && summaryOf(carol, id)?.group?.admin !== keyOf(ann));
    const admin = summaryOf(bob, id)?.group?.admin === keyOf(bob) ? bob : carol;
    expect(summaryOf(carol, id)?.group?.admin).toBe(keyOf(admin));
    tick();
    await admin.messenger.renameGroup(id, "Without Ann");
    await pollUntil(() => [bob, carol].every((device) => summaryOf(device, id)?.group?.name === "Without Ann"));
    await pollUntil(() => summaryOf(annOther, id)?.group?.isMember === false);
    expect(summaryOf(ann, id)?.group?.name).toBe("Hikes");
  });

  it("are appointed by two devices of the admin at once", async () => {
    const { world, ann, annOther, bob, carol } = people;
    const id = await made();
    const dave = await world.join();
    annOther.node.setOnline(false);
    ann.node.setOnline(false);
    await ann.messenger.addToGroup(id, [keyOf(dave)]);
    await annOther.messenger.removeFromGroup(id, keyOf(carol));
    annOther.node.setOnline(true);
    ann.node.setOnline(true);
    const expected = [keyOf(ann), keyOf(bob), keyOf(dave)].sort().join();
    for (const device of [ann, annOther, bob])
      await passTime(world.devices, 1_000, () => [...(summaryOf(device, id)?.group?.members ?? [])].sort().join() === expected);
  });

  it("to leave has everybody", async () => {
    const { ann, bob, carol } = people;
    const id = await made();
    await bob.messenger.leaveGroup(id);
    await untilWords([ann, carol, bob], id, ["made", "left"]);
    expect(summaryOf(ann, id)?.group?.members).toEqual([keyOf(ann), keyOf(carol)].sort());
    await expect(bob.messenger.leaveGroup(id)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it.each([
    ["no name", "  ", 1],
    ["a long name", "x".repeat(129), 1],
    ["no other member", "Alone", 0],
    ["too many people", "Crowd", MAX_GROUP_MEMBERS],
  ])("to make a group end at %s", async (_, name, count) => {
    const { ann } = people;
    const others = Array.from({ length: count }, (__, index) => (index + 16).toString(16).repeat(32).slice(0, 64));
    await expect(ann.messenger.createGroup(name, others)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("strangers and blocked people", () => {
  it("a group of a stranger is a request that sends no receipts until it is answered", async () => {
    const { relay, world, ann, bob } = people;
    const eve = await world.join();
    const id = await eve.messenger.createGroup("Win a prize", [keyOf(ann), keyOf(bob)]);
    await eve.messenger.sendText(id, "Hello");
    await pollUntil(async () => (await wordsOf(ann, id)).length === 2);
    expect(summaryOf(ann, id)?.isRequest).toBe(true);
    await ann.messenger.markRead(id);
    await pollUntil(() => relay.count(eve.account.devicePub) === 0);
    expect((await messageWith(eve, id, "Hello")).state).toBe("relayed");
    await ann.messenger.sendText(id, "Who is this?");
    await pollUntil(async () => (await wordsOf(eve, id)).includes("Who is this?"));
    expect(summaryOf(ann, id)?.isRequest).toBe(false);
    expect(summaryOf(ann, keyOf(eve))).toBeUndefined();
  });

  it("what a blocked member writes is not shown to the one who blocked, and to the others it is", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    relay.setContact(keyOf(carol), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await carol.messenger.sendText(id, "can you see this, Bob?");
    await untilWords([ann], id, ["made", "can you see this, Bob?"]);
    await pollUntil(() => relay.count(bob.account.devicePub) === 0);
    expect(await wordsOf(bob, id)).toEqual(["made"]);
    tick();
    await bob.messenger.sendText(id, "to all");
    await untilWords([carol], id, ["made", "can you see this, Bob?", "to all"]);
  });

  it("changes of an admin whom one has blocked still count, invitations do not", async () => {
    const { relay, ann, bob, carol } = people;
    const id = await made();
    relay.setContact(keyOf(ann), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await ann.messenger.removeFromGroup(id, keyOf(carol));
    await pollUntil(() => summaryOf(bob, id)?.group?.members.length === 2);
    const other = await ann.messenger.createGroup("Again", [keyOf(bob)]);
    await pollUntil(() => relay.count(bob.account.devicePub) === 0);
    expect(summaryOf(bob, other)).toBeUndefined();
  });

  it("a person who is not in the group is ignored in it", async () => {
    const { relay, world, ann } = people;
    const id = await made();
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    const other = await ann.messenger.createGroup("Other", [keyOf(dave)]);
    await pollUntil(() => summaryOf(dave, other) !== undefined);
    const note = (await chatOf(dave, other))[0]?.body as GroupNote;
    expect(note.event).toBe("made");
    await expect(dave.messenger.sendText(id, "let me in")).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("the state of a group", () => {
  it("is not sent to a person who asks for it and is not in it, though a contact", async () => {
    const { relay, world, ann, bob } = people;
    const id = await made();
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    const group = { id: id.slice(id.indexOf(":") + 1), keeper: keyOf(ann) };
    const askFrom = (from: Device): Promise<void> =>
      deliver(relay, { from, to: ann, plaintext: contentOf(from, ann, { kind: "group.ask" }, { group }) });
    const sentTo = (to: Device): number => relay.history.filter(({ recipient_pub }) => recipient_pub === to.account.devicePub).length;
    await untilEmpty(relay, ann, bob, dave);
    const before = sentTo(dave);
    await askFrom(dave);
    await askFrom(bob);
    // A member gets the response to a request that came later.
    const beforeBob = sentTo(bob);
    await passTime([ann], 1_000, () => sentTo(bob) > beforeBob);
    await untilEmpty(relay, ann, bob, dave);
    expect(sentTo(dave)).toBe(before);
  });

  it("is asked for again within the hour only by a device whose clock was set back", async () => {
    const { relay, world, ann } = people;
    const dave = await world.join();
    await befriend(relay, ann, dave, world.devices);
    const group = { id: "5a".repeat(16), keeper: keyOf(ann) };
    const asked = (): number => relay.history.filter(({ recipient_pub }) => recipient_pub === ann.account.devicePub).length;
    const write = async (text: string): Promise<void> => {
      await deliver(relay, { from: ann, to: dave, plaintext: contentOf(ann, dave, { kind: "text", text }, { group }) });
      await untilEmpty(relay, ann, dave);
    };
    await untilEmpty(relay, ann, dave);
    const before = asked();
    await write("one");
    await pollUntil(() => asked() === before + 1);
    await write("two");
    expect(asked()).toBe(before + 1);
    dave.time.setAhead(-3 * 3_600_000);
    await write("three");
    await pollUntil(() => asked() === before + 2);
  });
});

describe("a chat with a group", () => {
  it("is pinned, muted and deleted like any other, and stays a group", async () => {
    const { ann, annOther, bob } = people;
    const id = await made();
    await ann.messenger.setChat(id, { isPinned: true });
    await pollUntil(() => summaryOf(annOther, id)?.isPinned === true);
    await ann.messenger.deleteConversation(id);
    expect(summaryOf(ann, id)).toBeUndefined();
    await bob.messenger.sendText(id, "still there?");
    await untilTexts(ann, id, ["still there?"]);
    expect(summaryOf(ann, id)?.group?.members).toHaveLength(3);
  });

  it("has its own time until messages disappear", async () => {
    const { world, ann, bob, carol } = people;
    const id = await made();
    await bob.messenger.setTimer(id, 60);
    await pollUntil(() => world.devices.every((device) => summaryOf(device, id)?.expiresInS === 60));
    tick();
    await ann.messenger.sendText(id, "soon gone");
    await pollUntil(async () => (await textsOf(bob, id)).includes("soon gone"));
    await bob.messenger.markRead(id);
    await passTime([bob], 10_000, async () => !(await textsOf(bob, id)).includes("soon gone"));
    expect(await textsOf(carol, id)).toContain("soon gone");
  });
});
