// Mailboxes for one person each, between two people's real keyrings, stores and engines: told, written to, closed, refused, and put back.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { BOX_DAYS } from "#shared/messenger/pairs/own-boxes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  befriend,
  createPair,
  type Device,
  keyOf,
  passTime,
  restart,
  statesOf,
  summaryOf,
  textsOf,
  untilState,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { TestNode, type TestRelay } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair, boxesOf, imageOf, putImageBack, settlePairs } from "#test/support/worlds/pair-mail.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
  relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
});
afterEach(() => world.stop());

const settle = (devices: readonly Device[] = [ann, bob]): Promise<void> => settlePairs(relay, devices);
const write = (from: Device, to: Device, text: string): Promise<unknown> => from.messenger.sendText(keyOf(to), text);
/** Mailboxes that envelopes came into since a position of the relay's history. */
const mailboxesSince = (from: number): ReadonlySet<string> =>
  new Set(relay.history.slice(from).map(({ recipient_pub: mailbox }) => mailbox));
const isLasting = (mailbox: string): boolean => world.devices.some(({ account }) => account.devicePub === mailbox);
const texts = async (device: Device, peer: Device): Promise<string> => (await textsOf(device, keyOf(peer))).join();

/** Both write in version 2, and each has told the other a box. */
async function acquaintInBoxes(devices: readonly Device[] = [ann, bob]): Promise<void> {
  await acquaintPair({ relay, ann, bob }, devices);
  for (let round = 0; round < 8; round += 1) {
    const from = relay.history.length;
    await write(ann, bob, `to Bob ${round}`);
    await pollUntil(async () => (await texts(bob, ann)).includes(`to Bob ${round}`));
    await write(bob, ann, `to Ann ${round}`);
    await pollUntil(async () => (await texts(ann, bob)).includes(`to Ann ${round}`));
    await settle(devices);
    if ([...mailboxesSince(from)].every((mailbox) => !isLasting(mailbox))) return;
  }
  throw new Error("Nothing goes to boxes alone");
}

/** Time passes at the node as on devices. */
async function passDays(days: number, devices: readonly Device[] = [ann, bob]): Promise<void> {
  relay.blockS = (relay.blockS ?? 0) + days * 86_400;
  relay.blocks.set(relay.blocks.size + 1, "02".repeat(32));
  for (const { time } of devices) {
    // Asleep but for the last day: what is done every hour would be done hundreds of times.
    time.sleep((days - 1) * DAY);
    time.advance(DAY);
  }
  await settle(devices);
}

/** The box into which a text from one to the other goes; it is read there. */
async function boxOf(from: Device, to: Device, text: string): Promise<string> {
  const start = relay.history.length;
  await write(from, to, text);
  await pollUntil(async () => (await texts(to, from)).includes(text));
  const own = (await boxesOf(to)).flatMap(({ boxes }) => boxes.map(({ mailbox }) => mailbox));
  // What the receiver sends back meanwhile goes to others.
  return [...mailboxesSince(start)].find((mailbox) => own.includes(mailbox) || mailbox === to.account.devicePub) ?? "";
}

describe("a box for a person", () => {
  it("takes all that is written, shows no lasting key, and is emptied", async () => {
    await acquaintInBoxes();
    const from = relay.history.length;
    const forBob = await boxOf(ann, bob, "one");
    const forAnn = await boxOf(bob, ann, "two");
    expect(forBob).not.toBe(forAnn);
    await untilState(ann, keyOf(bob), "delivered");
    await settle();
    expect([...mailboxesSince(from)].sort()).toEqual([forBob, forAnn].sort());
    await pollUntil(() => relay.count(forBob) + relay.count(forAnn) === 0, { what: "empty boxes" });
    // Only who was told may write: what the relay or a stranger lays into it is refused.
    const [recorded] = relay.history.slice(from);
    await expect(
      relay.admit({ ...(recorded ?? expect.unreachable("nothing recorded")), sender_pub: "ab".repeat(32) }),
    ).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });

  it("is one for each device and person, and for own devices", async () => {
    const other = await world.join({ phrase: ann.phrase });
    const all = [ann, bob, other];
    await acquaintInBoxes(all);
    const from = relay.history.length;
    await write(bob, ann, "to both");
    for (const device of [ann, other]) await pollUntil(async () => (await texts(device, bob)).includes("to both"));
    await write(ann, bob, "and back");
    await pollUntil(async () => (await texts(other, bob)).includes("and back"));
    await settle(all);
    const mailboxes = [...mailboxesSince(from)];
    expect(mailboxes.filter(isLasting)).toEqual([]);
    // Ann's two devices each have one for Bob and one for each other, Bob has one for Ann.
    expect(mailboxes.length).toBe(5);
  });

  it("is opened again each day, and another one is made after four weeks; the one before is read on", async () => {
    await acquaintInBoxes();
    const first = await boxOf(ann, bob, "first");
    const until = relay.openings.get(first)?.untilSec ?? 0;
    await passDays(2);
    expect(relay.openings.get(first)?.untilSec ?? 0).toBeGreaterThan(until + 86_400);
    await passDays(BOX_DAYS);
    await write(bob, ann, "a month");
    await pollUntil(async () => (await texts(ann, bob)).includes("a month"));
    const second = await boxOf(ann, bob, "second");
    expect([isLasting(second), second === first]).toEqual([false, false]);
    // Who was away writes to the box that they know.
    const late = relay.history.findLast(({ recipient_pub: mailbox }) => mailbox === first);
    relay.mailboxes.get(first)?.set("late", { ...(late ?? expect.unreachable("nothing came")), id: "late" });
    await passTime([bob], 61_000, () => relay.count(first) === 0);
  });
});

describe("a box that takes nothing", () => {
  const REFUSALS = [
    ["of which the node knows nothing", (mailbox: string): void => void relay.openings.delete(mailbox)],
    [
      "that is full",
      (mailbox: string): void => {
        ann.node.refuse = (call, argument): CodedError | undefined =>
          call === "broadcast" && argument === mailbox ? new CodedError("MAILBOX_FULL", "full") : undefined;
      },
    ],
  ] as const;

  it.each(REFUSALS)("%s is left for the lasting mailbox at once, and for an hour", async (_, refuse) => {
    await acquaintInBoxes();
    const box = await boxOf(ann, bob, "before");
    // Receipts are on their way into it until now.
    await settle();
    refuse(box);
    const from = relay.history.length;
    await write(ann, bob, "refused");
    await pollUntil(async () => (await texts(bob, ann)).includes("refused"));
    await write(ann, bob, "next");
    await pollUntil(async () => (await texts(bob, ann)).includes("next"));
    expect(relay.history.slice(from).some(({ recipient_pub: mailbox }) => mailbox === box)).toBe(false);
    await untilState(ann, keyOf(bob), "delivered");
    // Once it is opened again it is used again.
    ann.node.refuse = (): undefined => undefined;
    await passDays(1);
    // Opening it again is no mail, of which the end was waited for.
    await passTime([bob], 25_000, () => relay.openings.has(box));
    // A receipt of that day may have been refused before it.
    ann.time.advance(HOUR);
    await settle();
    expect(isLasting(await boxOf(ann, bob, "after"))).toBe(false);
    for (const text of ["before", "refused", "next", "after"])
      expect((await textsOf(bob, keyOf(ann))).filter((one) => one === text)).toEqual([text]);
  });

  it("but seems to: what is lost in it comes to the lasting mailbox the second time", async () => {
    await acquaintInBoxes();
    relay.loses = ({ recipient_pub: mailbox }): boolean => !isLasting(mailbox);
    await write(ann, bob, "lost");
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).at(-1) === "relayed");
    await passTime([ann, bob], HOUR, async () => (await texts(bob, ann)).includes("lost"));
    expect((await textsOf(bob, keyOf(ann))).filter((text) => text === "lost")).toEqual(["lost"]);
  });

  it("is never told where the node knows no boxes", async () => {
    for (const device of [ann, bob])
      device.node.refuse = (call): CodedError | undefined => (call === "openBox" ? new CodedError("NOT_FOUND", "unknown path") : undefined);
    await acquaintPair({ relay, ann, bob });
    const from = relay.history.length;
    for (const text of ["one", "two"]) expect(isLasting(await boxOf(ann, bob, text))).toBe(true);
    await settle();
    expect([...mailboxesSince(from)].every(isLasting)).toBe(true);
  });
});

describe("a person who is blocked", () => {
  it("writes to closed boxes, and gets another one when the block is lifted", async () => {
    await acquaintInBoxes();
    const box = await boxOf(ann, bob, "before");
    const writeKey = relay.openings.get(box)?.writeKey;
    relay.setContact(keyOf(ann), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await pollUntil(() => relay.openings.get(box)?.writeKey !== writeKey, { what: "a closed box" });
    const from = relay.history.length;
    await write(ann, bob, "unwanted");
    await settle();
    expect(relay.history.slice(from).some(({ recipient_pub: mailbox }) => mailbox === box)).toBe(false);
    expect(await texts(bob, ann)).not.toContain("unwanted");
    await befriend(relay, ann, bob, world.devices);
    await passDays(1);
    await write(bob, ann, "again friends");
    await pollUntil(async () => (await texts(ann, bob)).includes("again friends"));
    const next = await boxOf(ann, bob, "thanks");
    expect([isLasting(next), next === box]).toEqual([false, false]);
  });
});

describe("a box that a node does not close", () => {
  it("keeps no other one from being opened again", async () => {
    const all = [ann, bob, await world.join({ phrase: bob.phrase })];
    await acquaintInBoxes(all);
    const boxFor = async (peer: Device): Promise<string> =>
      (await boxesOf(bob)).find((record) => record.peer === keyOf(peer))?.boxes.at(-1)?.mailbox ?? expect.unreachable("no box");
    const [forAnn, forOwnDevices] = [await boxFor(ann), await boxFor(bob)];
    const opened = new Set<string>();
    bob.node.refuse = (call, mailbox): CodedError | undefined => {
      if (call === "openBox") opened.add(mailbox);
      return call === "openBox" && mailbox === forAnn ? new CodedError("FORBIDDEN", "A later opening is known") : undefined;
    };
    relay.setContact(keyOf(ann), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await pollUntil(() => opened.has(forAnn), { what: "a closing that is refused" });
    await passDays(2, all);
    await pollUntil(() => opened.has(forOwnDevices), { what: "the box for own devices, opened again" });
  });
});

describe("the mailboxes are read to the end", () => {
  it("when all boxes were, and what lies in the lasting mailbox is stored before that", async () => {
    await acquaintInBoxes();
    bob.node.refuse = (call): CodedError | undefined => (call === "listBoxes" ? new CodedError("UNAVAILABLE", "not now") : undefined);
    const marks = (): number => bob.node.calls.filter((call) => call === "newestBlock").length;
    await passTime([bob], HOUR, () => bob.time.nowMs() > 1_800_000_000_000 + 4 * HOUR);
    const before = marks();
    for (const box of [...relay.openings.keys()]) relay.openings.delete(box);
    await write(ann, bob, "in the lasting one");
    await pollUntil(async () => (await texts(bob, ann)).includes("in the lasting one"));
    bob.node.refuse = (): undefined => undefined;
    await passTime([bob], MINUTE, () => marks() > before);
  });

  it("soon again while some of what is in boxes may be missing", async () => {
    await acquaintInBoxes();
    await settle();
    const listings = (): number => bob.node.calls.filter((call) => call === "listBoxes").length;
    bob.node.incomplete.add("listBoxes");
    await passTime([bob], 61_000, () => listings() > 0);
    const [before, sinceMs] = [listings(), bob.time.nowMs()];
    await passTime([bob], 1_000, () => listings() >= before + 3);
    expect(bob.time.nowMs() - sinceMs).toBeLessThan(MINUTE);
  });

  it("also where a node lists the same again and again", async () => {
    await acquaintInBoxes();
    await settle();
    bob.node.ignoresAfter = true;
    for (const mailbox of [await boxOf(ann, bob, "in a box"), bob.account.devicePub])
      relay.mailboxes.get(mailbox)?.set("stays", { ...(relay.history.at(-1) ?? expect.unreachable("nothing came")), id: "stays" });
    const listings = (): number => bob.node.calls.filter((call) => call === "listBoxes" || call === "listInbox").length;
    bob.node.setOnline(false);
    bob.node.setOnline(true);
    const before = listings();
    await write(ann, bob, "after that");
    await pollUntil(async () => (await texts(bob, ann)).includes("after that"));
    await settle();
    expect(listings() - before).toBeLessThan(20);
  });

  it("one by one where they were named, and all of them within a minute", async () => {
    const all = [ann, bob, await world.join({ phrase: bob.phrase })];
    await acquaintInBoxes(all);
    await settle(all);
    expect(Math.max(...bob.node.listedBoxes.map((mailboxes) => mailboxes.length))).toBe(2);
    const asked = bob.node.listedBoxes.length;
    await write(ann, bob, "pushed");
    await pollUntil(async () => (await texts(bob, ann)).includes("pushed"));
    const lists = bob.node.listedBoxes.slice(asked);
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter((mailboxes) => mailboxes.length > 1)).toEqual([]);
    const box = (await boxesOf(bob)).find(({ peer }) => peer === keyOf(ann))?.boxes.at(-1)?.mailbox ?? "";
    relay.listeners.get(box)?.clear();
    await write(ann, bob, "not pushed");
    await passTime([bob], 61_000, async () => (await texts(bob, ann)).includes("not pushed"));
  });

  it("and heard of as far as the node that is connected allows", async () => {
    await acquaintInBoxes();
    await settle();
    const box = await boxOf(ann, bob, "heard");
    const heard = (): number => relay.listeners.get(box)?.size ?? 0;
    expect(heard()).toBe(1);
    bob.node.watchable = 1;
    bob.node.setOnline(false);
    await pollUntil(() => heard() === 0);
    bob.node.setOnline(true);
    await write(ann, bob, "read with all");
    await passTime([bob], 61_000, async () => (await texts(bob, ann)).includes("read with all"));
    expect(heard()).toBe(0);
  });

  it("by pushes of each box, without a look at the clock", async () => {
    await acquaintInBoxes();
    await settle();
    const nowMs = bob.time.nowMs();
    expect(isLasting(await boxOf(ann, bob, "pushed"))).toBe(false);
    expect(bob.time.nowMs()).toBe(nowMs);
  });
});

describe("a disk that is put back", () => {
  it("knows the same boxes: nothing is lost, and nothing comes twice", async () => {
    await acquaintInBoxes();
    await bob.messenger.stop();
    const image = await imageOf(bob);
    bob.node = new TestNode(relay);
    await restart(bob, relay);
    const written: string[] = [];
    for (let day = 0; day < 3; day += 1) {
      await write(ann, bob, `day ${day}`);
      written.push(`day ${day}`);
      await pollUntil(async () => (await texts(bob, ann)).includes(`day ${day}`));
      await passDays(1);
    }
    await bob.messenger.stop();
    await putImageBack(bob, image);
    await restart(bob, relay);
    await write(bob, ann, "here I am");
    await write(ann, bob, "welcome");
    written.push("welcome");
    let hours = 0;
    await passTime([ann, bob], HOUR, async () => {
      hours += 1;
      const all = await texts(bob, ann);
      return hours > 30 && written.every((text) => all.includes(text));
    });
    const all = await textsOf(bob, keyOf(ann));
    for (const text of written) expect(all.filter((one) => one === text)).toEqual([text]);
    await untilTexts(ann, keyOf(bob), await textsOf(ann, keyOf(bob)));
  });
});

describe("typing", () => {
  /** What Ann's program sends as she types. */
  async function typed(): Promise<readonly (readonly [string, string])[]> {
    const sent: (readonly [string, string])[] = [];
    const { node } = ann;
    const sendTyping = node.sendTyping.bind(node);
    node.sendTyping = (to, from): void => {
      sent.push([to, from]);
      sendTyping(to, from);
    };
    ann.messenger.notifyTyping(keyOf(bob));
    await pollUntil(() => sent.length > 0);
    node.sendTyping = sendTyping;
    return sent;
  }
  const isShown = (): boolean => summaryOf(bob, keyOf(ann))?.isTyping === true;
  const show = (isOn: boolean): void => {
    for (const device of [ann, bob]) device.messenger.setSettings({ sendReadReceipts: true, typing: isOn });
  };

  it("goes to the box of the other person under a name that only the two know, which changes", async () => {
    await acquaintInBoxes();
    show(true);
    const { mailbox } = (await boxesOf(bob)).find(({ peer }) => peer === keyOf(ann))?.boxes.at(-1) ?? { mailbox: "" };
    await pollUntil(() => (relay.typingListeners.get(mailbox)?.size ?? 0) > 0);
    const [[to, from] = ["", ""], ...others] = await typed();
    expect([to, others]).toEqual([mailbox, []]);
    expect(world.devices.map(({ account }) => account.devicePub)).not.toContain(from);
    await pollUntil(isShown);
    for (const device of [ann, bob]) device.time.advance(11 * MINUTE);
    expect(isShown()).toBe(false);
    const [[, next] = ["", ""]] = await typed();
    expect(next).not.toBe(from);
    await pollUntil(isShown);
    show(false);
    await pollUntil(() => relay.typingListeners.get(mailbox)?.size === 0);
  });
});
