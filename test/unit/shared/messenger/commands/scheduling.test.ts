// Messages that leave at a time: kept, changed, taken back and sent once, whether this program runs then or the node sends copies.
import { beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { movedMentions } from "#shared/messenger/commands/scheduling/scheduled-list.ts";
import { MAX_SCHEDULED, type ScheduledMessage } from "#shared/messenger/model/message.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createQuartet, makeGroup } from "#test/support/worlds/group-world.ts";
import {
  chatOf,
  createTrio,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  summaryOf,
  textsOf,
  untilTexts,
} from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair, kindsFor } from "#test/support/worlds/pair-mail.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const people = peopleForEach(createTrio);

const HOUR = 3_600_000;

beforeEach(async () => {
  people.relay.blockS = Math.floor(people.ann.time.nowMs() / 1_000);
});

const waiting = (device: Device = people.ann): readonly ScheduledMessage[] => device.messenger.getSnapshot().scheduled;
const inAnHour = (text: string): Promise<string> =>
  people.ann.messenger.scheduleMessage(keyOf(people.bob), { text, dueAt: people.ann.time.nowMs() + HOUR });
/** Waits until the node has copies of all that waits. */
const untilHeld = (): Promise<boolean> => pollUntil(() => waiting().every(({ held }) => (held?.relayPub ?? "") !== ""), { what: "copies" });
const untilSent = async (expected: readonly string[]): Promise<void> => {
  await people.everywhere((device, peer) => untilTexts(device, peer, expected));
};
/** Lets time pass on all devices at once, in one step. */
const pass = (ms: number): void => {
  for (const device of people.world.devices) device.time.advance(ms);
};

describe("a message for later", () => {
  it("waits on its device alone, and reaches everyone once at its time", async () => {
    const { relay, ann, annOther, bob } = people;
    await ann.messenger.setDraft(keyOf(bob), "Good morning");
    await inAnHour("Good morning");
    expect(waiting().map(({ text }) => text)).toEqual(["Good morning"]);
    expect([waiting(annOther), await textsOf(bob, keyOf(ann))]).toEqual([[], []]);
    // A chat of which there is nothing else is listed.
    expect(summaryOf(ann, keyOf(bob))).toMatchObject({ draft: "", lastMessage: null });
    await untilHeld();
    pass(HOUR - 1_000);
    expect(await textsOf(ann, keyOf(bob))).toEqual([]);
    pass(1_000);
    await untilSent(["Good morning"]);
    expect(waiting()).toEqual([]);
    expect((await messageWith(bob, keyOf(ann), "Good morning")).at).toBeGreaterThanOrEqual(ann.time.nowMs() - 1_000);
    // The node was faster with nothing: its copies were taken back.
    expect(relay.held.size + relay.left.size).toBe(0);
  });

  it("leaves as soon as the program runs again, also after the machine slept or the clock was set", async () => {
    const { relay, ann } = people;
    ann.node.refuse = (call): CodedError | undefined => (call === "hold" ? new CodedError("NOT_FOUND", "No such operation") : undefined);
    await inAnHour("slept over");
    await pollUntil(() => ann.node.calls.includes("hold"));
    ann.time.sleep(3 * HOUR);
    await pollUntil(() => {
      pass(1_000);
      return waiting().length === 0;
    });
    await untilSent(["slept over"]);
    await inAnHour("not running");
    await ann.messenger.stop();
    ann.time.sleep(2 * HOUR);
    await restart(ann, relay);
    await untilSent(["slept over", "not running"]);
  });

  it("is sent once by a program that is killed before, while and after it sends", async () => {
    const { relay, ann } = people;
    await inAnHour("once");
    await untilHeld();
    ann.node.hang.set("withdraw", "after");
    pass(HOUR);
    await pollUntil(() => ann.node.calls.includes("withdraw"));
    await restartAfterCrash(ann, relay);
    ann.node.hang.set("broadcast", "after");
    await pollUntil(() => ann.node.calls.includes("broadcast"), { what: "an envelope" });
    await restartAfterCrash(ann, relay);
    await untilSent(["once"]);
    expect(waiting()).toEqual([]);
  });

  it("may be changed, sent at once and deleted", async () => {
    const { relay, ann } = people;
    const id = await inAnHour("Helo @Bob");
    await untilHeld();
    expect(await ann.messenger.changeScheduled(id, { text: "Hello", dueAt: ann.time.nowMs() + 2 * HOUR })).toBe("changed");
    await untilHeld();
    pass(HOUR);
    expect(waiting()).toMatchObject([{ id, text: "Hello", problem: null }]);
    const other = await inAnHour("never");
    await untilHeld();
    expect(await ann.messenger.deleteScheduled(other)).toBe("gone");
    expect([...relay.held.keys()]).toEqual(waiting().map(({ held }) => held?.name));
    await ann.messenger.sendScheduled(id);
    await untilSent(["Hello"]);
    await expect(ann.messenger.deleteScheduled(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await relay.release(ann.time.nowMs() + 30 * HOUR);
    pass(3 * HOUR);
    await untilSent(["Hello"]);
    expect([relay.left.size, relay.held.size]).toEqual([0, 0]);
  });

  it("answers what is there at its time, and no more than that", async () => {
    const { ann, bob } = people;
    await bob.messenger.sendText(keyOf(ann), "secret");
    await untilSent(["secret"]);
    const { key } = await messageWith(ann, keyOf(bob), "secret");
    const dueAt = ann.time.nowMs() + HOUR;
    await ann.messenger.scheduleMessage(keyOf(bob), { text: "to that", replyTo: key, dueAt });
    await ann.messenger.scheduleMessage(keyOf(bob), { text: "to nothing", replyTo: key, dueAt: dueAt + HOUR });
    await untilHeld();
    pass(HOUR);
    await untilSent(["secret", "to that"]);
    expect((await messageWith(bob, keyOf(ann), "to that")).body).toMatchObject({ kind: "reply", quote: "secret" });
    await bob.messenger.deleteForEveryone((await messageWith(bob, keyOf(ann), "secret")).key);
    await pollUntil(async () => (await chatOf(ann, keyOf(bob)))[0]?.body.kind === "deleted");
    pass(HOUR);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("to nothing"));
    expect((await messageWith(bob, keyOf(ann), "to nothing")).body).toEqual({ kind: "text", text: "to nothing" });
  });

  it("stays with the reason where it may not be sent, and goes with its chat", async () => {
    const { relay, ann, bob } = people;
    await inAnHour("blocked meanwhile");
    await untilHeld();
    relay.setContact(keyOf(bob), keyOf(ann), "blocked");
    await ann.messenger.refreshContacts();
    pass(30_000);
    // Before its time: the node must not send it either.
    await pollUntil(() => relay.held.size === 0);
    pass(HOUR);
    const hasReason = (): boolean => {
      // What was withdrawn may only now look at its time.
      pass(1_000);
      return waiting()[0]?.problem !== null;
    };
    await pollUntil(hasReason, { what: "the reason" });
    expect(waiting()).toMatchObject([{ problem: { code: "BAD_REQUEST" } }]);
    await ann.messenger.deleteConversation(keyOf(bob));
    expect([waiting(), await textsOf(bob, keyOf(ann)), relay.left.size]).toEqual([[], [], 0]);
  });

  it("is not put back by a change that was under way when its chat was deleted", async () => {
    const { relay, ann, bob } = people;
    const id = await inAnHour("never");
    await untilHeld();
    const asked = Promise.withResolvers<void>();
    const withdraw = ann.node.withdraw.bind(ann.node);
    ann.node.withdraw = async (name): ReturnType<typeof withdraw> => {
      await asked.promise;
      return withdraw(name);
    };
    const changed = ann.messenger.changeScheduled(id, { text: "changed" });
    await ann.messenger.deleteConversation(keyOf(bob));
    asked.resolve();
    await expect(changed).rejects.toMatchObject({ code: "NOT_FOUND" });
    await pollUntil(() => waiting().length === 0, { what: "the deletion" });
    expect(relay.held.size).toBe(0);
  });

  it("is bounded in number, size and time", async () => {
    const { relay, ann } = people;
    const at = (dueAt: number, text = "x"): Promise<string> => ann.messenger.scheduleMessage(keyOf(ann), { text, dueAt });
    const now = ann.time.nowMs();
    for (const dueAt of [now, now - 1, now + 400 * 24 * HOUR, Number.NaN])
      await expect(at(dueAt)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(at(now + HOUR, " ")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    for (let count = 0; count < 16; count += 1) await at(now + 40 * 24 * HOUR, "y".repeat(16_384));
    await expect(at(now + HOUR)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    for (const { id } of waiting()) await ann.messenger.deleteScheduled(id);
    for (let count = 0; count < MAX_SCHEDULED; count += 1) await at(now + 40 * 24 * HOUR + count);
    await expect(at(now + HOUR)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    // Nothing is held for longer than mailboxes store mail.
    expect(relay.held.size).toBe(0);
  });
});

describe("copies at the node", () => {
  it("reach everyone at the time while the program is closed, and the message follows without being doubled", async () => {
    const { relay, ann, annOther, bob, everywhere } = people;
    await inAnHour("by the node");
    await untilHeld();
    const dueAt = waiting()[0]?.dueAt ?? 0;
    await ann.messenger.stop();
    pass(HOUR);
    await relay.release(dueAt);
    expect(await textsOf(bob, keyOf(ann))).toEqual([]);
    await relay.release(dueAt + 10_000);
    await untilTexts(bob, keyOf(ann), ["by the node"]);
    await untilTexts(annOther, keyOf(bob), ["by the node"]);
    await restart(ann, relay);
    await untilSent(["by the node"]);
    for (const at of await everywhere(async (device, peer) => (await messageWith(device, peer, "by the node")).at))
      expect(Math.floor(at)).toBe(dueAt);
    // Nothing was reported missing, and what comes after is in order.
    await ann.messenger.sendText(keyOf(bob), "and more");
    await untilSent(["by the node", "and more"]);
  });

  it("stand in the order in which they were written where they have one time, also after a change of words", async () => {
    const { relay, ann, bob } = people;
    const dueAt = ann.time.nowMs() + HOUR;
    const expected = ["first", "second", "third", "fourth", "fifth"];
    for (const text of expected) await ann.messenger.scheduleMessage(keyOf(bob), { text, dueAt });
    await ann.messenger.changeScheduled(waiting().find(({ text }) => text === "second")?.id ?? "", { text: "2nd" });
    expected[1] = "2nd";
    expect(waiting().map(({ text }) => text)).toEqual(expected);
    // No minute later than was asked for.
    expect(Math.max(...waiting().map((message) => message.dueAt))).toBe(dueAt + expected.length - 1);
    await untilHeld();
    await ann.messenger.stop();
    pass(HOUR);
    await relay.release(dueAt + 11_000);
    await untilTexts(bob, keyOf(ann), expected);
    await restart(ann, relay);
    await untilSent(expected);
  });

  it("are sealed to the newest cards of version 2, and disturb no chain", async () => {
    const { relay, ann, annOther, bob } = people;
    await acquaintPair({ relay, ann, bob }, [ann, annOther, bob]);
    const said = await textsOf(bob, keyOf(ann));
    const id = await inAnHour("sealed early");
    await untilHeld();
    const first = [...relay.held.values()][0];
    // What is written meanwhile goes on, and brings new cards: the copies follow them.
    for (const text of ["one", "two"]) {
      await ann.messenger.sendText(keyOf(bob), text);
      await bob.messenger.sendText(keyOf(ann), `${text}!`);
      await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes(`${text}!`));
      await passTime([ann, annOther, bob], 61_000, async () => (await textsOf(bob, keyOf(ann))).includes(text));
    }
    await pollUntil(() => {
      pass(30_000);
      return [...relay.held.values()][0]?.envelopes[0]?.id !== first?.envelopes[0]?.id;
    });
    await ann.messenger.stop();
    const from = relay.history.length;
    await relay.release(ann.time.nowMs() + 2 * HOUR);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("sealed early"), { what: "the copy" });
    expect((await kindsFor(bob, relay, from)).slice(0, 1)).toEqual(["pair"]);
    pass(2 * HOUR);
    await restart(ann, relay);
    await pollUntil(() => waiting().length === 0, { what: "the message" });
    const arrived = async (): Promise<boolean> => (await messageWith(ann, keyOf(bob), "sealed early")).state === "delivered";
    await passTime([ann, bob], 1_000, arrived);
    const after = (await textsOf(bob, keyOf(ann))).filter((text) => !said.includes(text));
    expect(after.filter((text) => text === "sealed early")).toEqual(["sealed early"]);
    expect(after).not.toContain("missing");
    expect(id).toBe((await chatOf(ann, keyOf(bob))).find(({ body }) => "text" in body && body.text === "sealed early")?.id);
  });

  it("are taken back before a deletion is done, or the person learns that they left", async () => {
    const { relay, ann } = people;
    const left = await inAnHour("left");
    await untilHeld();
    await relay.release(ann.time.nowMs() + 2 * HOUR);
    expect(await ann.messenger.deleteScheduled(left)).toBe("left");
    await untilSent(["left"]);
    pass(1_000);
    const changed = await inAnHour("words of before");
    await untilHeld();
    await relay.release(ann.time.nowMs() + 2 * HOUR);
    expect(await ann.messenger.changeScheduled(changed, { text: "too late" })).toBe("left");
    await untilSent(["left", "words of before"]);
  });

  it("stay marked while the node cannot be asked, are not sent by this device, and are taken back once it can", async () => {
    const { relay, ann, bob } = people;
    const id = await inAnHour("unsure");
    await untilHeld();
    ann.node.setOnline(false);
    await expect(ann.messenger.changeScheduled(id, { text: "other" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await ann.messenger.deleteScheduled(id)).toBe("unsure");
    expect(waiting()).toMatchObject([{ id, isTakenBack: true }]);
    await restart(ann, relay);
    await pollUntil(() => waiting().length === 0);
    pass(2 * HOUR);
    await relay.release(ann.time.nowMs());
    expect([await textsOf(bob, keyOf(ann)), await textsOf(ann, keyOf(bob)), relay.left.size]).toEqual([[], [], 0]);
  });

  it("that a node took just before the program was killed are known to it afterwards", async () => {
    const { relay, ann } = people;
    ann.node.hang.set("hold", "after");
    const id = await inAnHour("once");
    await pollUntil(() => relay.held.size === 1, { what: "the copies" });
    const [name] = relay.held.keys();
    await restartAfterCrash(ann, relay);
    await untilHeld();
    expect([...relay.held.keys()]).toEqual([name]);
    expect(await ann.messenger.deleteScheduled(id)).toBe("gone");
    expect(relay.held.size).toBe(0);
  });

  it("at a node that this program does not use any more are not forgotten", async () => {
    const { relay, ann } = people;
    const id = await inAnHour("elsewhere");
    await untilHeld();
    relay.publicKey = "0b".repeat(32);
    relay.held.clear();
    expect(await ann.messenger.deleteScheduled(id)).toBe("unsure");
    expect(waiting()).toMatchObject([{ id, isTakenBack: true }]);
    pass(2 * HOUR);
    expect(await ann.messenger.deleteScheduled(id)).toBe("unsure");
    expect(waiting()).toEqual([]);
  });
});

it("reaches a group once, by copies and by the message, and not who was removed before", async () => {
  const people = await createQuartet();
  const id = await makeGroup(people);
  const { ann: author, annOther: own, bob: member, carol: removed } = people;
  await author.messenger.scheduleMessage(id, { text: "all of you", dueAt: author.time.nowMs() + HOUR });
  await pollUntil(() => (author.messenger.getSnapshot().scheduled[0]?.held?.relayPub ?? "") !== "");
  await author.messenger.removeFromGroup(id, keyOf(removed));
  const copies = (): number => [...people.relay.held.values()][0]?.envelopes.length ?? 0;
  const before = copies();
  await pollUntil(() => {
    author.time.advance(60_000);
    return copies() === before - 1;
  });
  await author.messenger.stop();
  await people.relay.release(author.time.nowMs() + 2 * HOUR);
  for (const device of [own, member]) await pollUntil(async () => (await textsOf(device, id)).includes("all of you"));
  author.time.advance(2 * HOUR);
  await restart(author, people.relay);
  await pollUntil(() => author.messenger.getSnapshot().scheduled.length === 0);
  await author.messenger.sendText(id, "and more");
  for (const device of [author, own, member]) await pollUntil(async () => (await textsOf(device, id)).includes("and more"));
  for (const device of [author, own, member])
    expect((await textsOf(device, id)).filter((text) => text === "all of you")).toEqual(["all of you"]);
  expect(await textsOf(removed, id)).not.toContain("all of you");
  await people.world.stop();
});

it("keeps the names of people in words that are changed", () => {
  const mentions = [
    { start: 3, length: 4, person: "aa" },
    { start: 8, length: 4, person: "bb" },
  ];
  const text = "Hi @Bob @Ann";
  expect(movedMentions({ text, mentions }, "Oh, @Bob and @Ann!")).toEqual([
    { start: 4, length: 4, person: "aa" },
    { start: 13, length: 4, person: "bb" },
  ]);
  expect(movedMentions({ text, mentions }, "@Ann")).toEqual([{ start: 0, length: 4, person: "bb" }]);
});
