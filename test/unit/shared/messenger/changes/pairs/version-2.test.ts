// Two people's programs write to each other in version 2, once each has seen a card of the other: keyring, store and engine are real.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COVER_WAITS } from "#shared/messenger/state/outbox/cover-waits.ts";
import { cardId } from "#shared/protocol/pairs/card-id.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  befriend,
  chatOf,
  createPair,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  statesOf,
  summaryOf,
  textsOf,
  untilState,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, TEST_CHAIN, type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";
import {
  acquaintPair,
  imageOf,
  isPairSize,
  kindsFor,
  mailFor,
  pairsOf,
  putImageBack,
  settlePairs,
} from "#test/support/worlds/pair-mail.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
});
afterEach(() => world.stop());

const acquaint = (devices?: readonly Device[]): Promise<void> => acquaintPair({ relay, ann, bob }, devices);
const settle = (devices: readonly Device[] = [ann, bob]): Promise<void> => settlePairs(relay, devices);

/** Versions in which something with words came into a device's mailbox: cards are shown in version 1 without any. */
async function wordsFor(device: Device, from: number): Promise<ReadonlySet<string>> {
  return new Set((await kindsFor(device, relay, from)).filter((kind) => kind !== "mark"));
}

const write = (from: Device, to: Device, text: string): Promise<unknown> => from.messenger.sendText(keyOf(to), text);

describe("version 2", () => {
  it("begins when each has shown a card, and is the only one from then on", async () => {
    await acquaint();
    const words = async (device: Device): Promise<readonly (readonly [string, boolean])[]> =>
      (await mailFor(device, relay)).map(({ kind, introduces }) => [kind, introduces] as const);
    // What each of them writes first shows a card; then a mark that is sealed to it says that it is known.
    expect((await words(bob))[0]).toEqual(["text", true]);
    expect((await words(ann))[0]).toEqual(["receipt", true]);
    for (const device of [ann, bob]) expect(await words(device)).toContainEqual(["pair", false]);
    const from = relay.history.length;
    await write(ann, bob, "one");
    await untilTexts(bob, keyOf(ann), ["hello", "one"]);
    await write(bob, ann, "two");
    await untilTexts(ann, keyOf(bob), ["hello", "one", "two"]);
    await untilState(ann, keyOf(bob), "delivered");
    await bob.messenger.markRead(keyOf(ann));
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).join() === "read,read,");
    await settle();
    for (const device of [ann, bob]) expect(await wordsFor(device, from)).toEqual(new Set(["pair"]));
  });

  it("shows a relay no sender, one size, the hour, and nothing of the card", async () => {
    await acquaint();
    const from = relay.history.length;
    for (const text of ["short", "x".repeat(400), "three"]) await write(ann, bob, text);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).length === 4);
    await settle();
    const mail = await mailFor(bob, relay, from);
    expect(mail.length).toBeGreaterThan(2);
    const known = [ann.account.devicePub, bob.account.devicePub, keyOf(ann), keyOf(bob)];
    for (const { envelope, size, cardId } of mail) {
      expect(known).not.toContain(envelope.sender_pub);
      expect([envelope.sender_ed25519_pub, envelope.sent_at % 3_600, isPairSize(size)]).toEqual(["", 0, true]);
      expect(cardId).toMatch(/^[0-9a-f]{16}$/);
    }
    expect(new Set(mail.map(({ size }) => size))).toEqual(new Set([3_072]));
    // Nonces and keys that are used once: nothing repeats, though several are sealed to one card.
    const heads = mail.flatMap(({ envelope }) => [envelope.sender_pub, Buffer.from(envelope.nonce, "base64").toString("hex").slice(0, 8)]);
    expect(new Set(heads).size).toBe(heads.length);
    expect(new Set(mail.map(({ cardId }) => cardId)).size).toBeLessThan(mail.length);
  });

  it("brings edits, deletions, reactions and files, and own devices get all of it", async () => {
    const other = await world.join({ phrase: ann.phrase });
    await acquaint([ann, bob, other]);
    await untilTexts(other, keyOf(bob), ["hello"]);
    await settle([ann, bob, other]);
    const from = relay.history.length;
    const key = await ann.messenger.sendText(keyOf(bob), "draft");
    await untilTexts(bob, keyOf(ann), ["hello", "draft"]);
    await ann.messenger.editMessage(key, "final");
    for (const [device, peer] of [[bob, ann] as const, [other, bob] as const]) await untilTexts(device, keyOf(peer), ["hello", "final"]);
    await ann.messenger.deleteForEveryone(key);
    for (const [device, peer] of [[bob, ann] as const, [other, bob] as const]) await untilTexts(device, keyOf(peer), ["hello", "deleted"]);
    expect(await wordsFor(bob, from)).toEqual(new Set(["pair"]));
    expect(await wordsFor(other, from)).toEqual(new Set(["pair"]));
  });

  it("says that a message is delivered by the acknowledgement alone", async () => {
    await acquaint();
    await write(ann, bob, "one");
    await untilTexts(bob, keyOf(ann), ["hello", "one"]);
    await settle();
    bob.cover = COVER_WAITS;
    await restart(bob, relay);
    await write(ann, bob, "two");
    await untilTexts(bob, keyOf(ann), ["hello", "one", "two"]);
    const handedIn = (): number => bob.node.calls.filter((call) => call === "broadcast").length;
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).join() === "delivered,delivered,relayed");
    expect(handedIn()).toBe(0);
    // The receipt waits some seconds and is lost, but what is written next acknowledges everything.
    relay.loses = (): boolean => true;
    await passTime([ann, bob], 1_000, () => handedIn() > 0);
    relay.loses = (): boolean => false;
    expect((await statesOf(ann, keyOf(bob))).join()).toBe("delivered,delivered,relayed");
    await write(bob, ann, "three");
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).join() === "delivered,delivered,delivered,");
  });
});

describe("what the network does", () => {
  it("loses: an acknowledgement lacks it, and it comes again under its position, without a line in the chat", async () => {
    await acquaint();
    relay.loses = ({ recipient_pub }): boolean => recipient_pub === bob.account.devicePub;
    await write(ann, bob, "lost");
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).at(-1) === "relayed");
    relay.loses = (): boolean => false;
    for (const device of [ann, bob]) device.time.advance(11 * MINUTE);
    await write(bob, ann, "anything?");
    await passTime([ann, bob], 1_000, async () => (await textsOf(bob, keyOf(ann))).includes("lost"));
    await settle();
    expect(await textsOf(bob, keyOf(ann))).toEqual(["hello", "lost", "anything?"]);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["hello", "lost", "anything?"]);
  });

  it("loses everything for a day: it is sealed again unasked", async () => {
    await acquaint();
    relay.loses = (): boolean => true;
    await write(ann, bob, "lost");
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).at(-1) === "relayed");
    let hours = 0;
    await passTime([ann, bob], HOUR, () => ++hours >= 23);
    relay.loses = (): boolean => false;
    await passTime([ann, bob], HOUR, async () => (await textsOf(bob, keyOf(ann))).includes("lost"));
    await untilState(ann, keyOf(bob), "delivered");
  });

  it("doubles and reorders: each message is there once, and the chains agree", async () => {
    await acquaint();
    const from = relay.history.length;
    bob.node.setOnline(false);
    for (let index = 0; index < 12; index += 1) await write(ann, bob, `message ${index}`);
    await pollUntil(() => relay.count(bob.account.devicePub) >= 12);
    bob.node.setOnline(true);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).length === 13);
    await settle();
    for (const envelope of relay.history.slice(from).toReversed()) relay.store(envelope);
    await settle();
    const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["hello", ...texts]);
    await untilState(ann, keyOf(bob), "delivered");
    const count = relay.history.length;
    for (const device of [ann, bob]) device.time.advance(2 * HOUR);
    await settle();
    // Nothing waits for an acknowledgement: no text is sealed again.
    expect((await kindsFor(bob, relay, count)).length).toBeLessThan(4);
  });
});

describe("a program that ends", () => {
  it.each([
    ["before the envelope was handed in", "before"],
    ["after the mailbox took it, before that was noted", "after"],
  ] as const)("%s sends it once more, under the same position", async (_, when) => {
    await acquaint();
    ann.node.hang.set("broadcast", when);
    const calls = ann.node.calls.length;
    await write(ann, bob, "exactly once");
    await pollUntil(() => ann.node.calls.slice(calls).includes("broadcast"));
    await restartAfterCrash(ann, relay);
    await untilState(ann, keyOf(bob), "delivered");
    await settle();
    expect(await textsOf(bob, keyOf(ann))).toEqual(["hello", "exactly once"]);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["hello", "exactly once"]);
    await write(bob, ann, "back");
    await untilTexts(ann, keyOf(bob), ["hello", "exactly once", "back"]);
  });

  it("continues all chains after a restart", async () => {
    await acquaint();
    await write(ann, bob, "one");
    await untilTexts(bob, keyOf(ann), ["hello", "one"]);
    await settle();
    for (const device of [ann, bob]) await restart(device, relay);
    const from = relay.history.length;
    await write(bob, ann, "two");
    await untilTexts(ann, keyOf(bob), ["hello", "one", "two"]);
    await write(ann, bob, "three");
    await untilTexts(bob, keyOf(ann), ["hello", "one", "two", "three"]);
    for (const device of [ann, bob]) expect(await wordsFor(device, from)).toEqual(new Set(["pair"]));
  });
});

describe("who knows version 1 alone", () => {
  it("is written to in it, and what they write is read", async () => {
    const old = await world.join();
    withoutCards(old);
    await befriend(relay, ann, old, world.devices);
    for (let round = 0; round < 3; round += 1) {
      await write(ann, old, `to you ${round}`);
      await pollUntil(async () => (await textsOf(old, keyOf(ann))).includes(`to you ${round}`));
      await write(old, ann, `to me ${round}`);
      await pollUntil(async () => (await textsOf(ann, keyOf(old))).includes(`to me ${round}`));
      await settle([ann, old]);
      for (const device of [ann, old]) device.time.advance(7 * HOUR);
    }
    const kinds = [...(await kindsFor(old, relay)), ...(await kindsFor(ann, relay))];
    expect(kinds).not.toContain("pair");
    expect(kinds).not.toContain("mark");
    expect((await chatOf(old, keyOf(ann))).map(({ body }) => body.kind)).toEqual(Array.from({ length: 6 }, () => "text"));
    expect((await statesOf(ann, keyOf(old))).filter((state) => state !== null)).toEqual(["delivered", "delivered", "delivered"]);
  });

  it("may come to know version 2: the other one changes to it, and never back", async () => {
    const old = await world.join();
    const learn = withoutCards(old);
    await befriend(relay, ann, old, world.devices);
    await write(ann, old, "one");
    await untilTexts(old, keyOf(ann), ["one"]);
    await settle([ann, old]);
    learn();
    await restart(old, relay);
    await write(old, ann, "two");
    await untilTexts(ann, keyOf(old), ["one", "two"]);
    await settle([ann, old]);
    const from = relay.history.length;
    await write(ann, old, "three");
    await untilTexts(old, keyOf(ann), ["one", "two", "three"]);
    expect(await wordsFor(old, from)).toEqual(new Set(["pair"]));
  });
});

/** Days pass, and mailboxes are read. */
async function passDays(days: number, devices: readonly Device[] = [ann, bob]): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    relay.blockS = (relay.blockS ?? Math.floor(ann.time.nowMs() / 1_000)) + 86_400;
    for (const device of devices) device.time.advance(24 * HOUR);
    await settle(devices);
  }
}

describe("secrets of cards", () => {
  const livingIds = async (device: Device): Promise<readonly string[]> =>
    (await pairsOf(device)).flatMap(({ state: { instance, cards } }) => cards.map(({ number }) => cardId(instance, number)));

  it("go with a text that is deleted, once the mailbox is read, and all else goes on", async () => {
    await acquaint();
    const from = relay.history.length;
    await write(ann, bob, "secret");
    await untilTexts(bob, keyOf(ann), ["hello", "secret"]);
    // Nothing comes under a later card.
    ann.node.setOnline(false);
    const [mail] = await mailFor(bob, relay, from);
    expect(await livingIds(bob)).toContain(mail?.cardId);
    await bob.messenger.deleteMessage((await messageWith(bob, keyOf(ann), "secret")).key);
    await passTime([bob], 61_000, async () => !(await livingIds(bob)).includes(mail?.cardId ?? ""));
    ann.node.setOnline(true);
    await write(ann, bob, "next");
    await passTime([ann, bob], MINUTE, async () => (await textsOf(bob, keyOf(ann))).includes("next"));
  });

  it("go by age where nothing came under a later card, and lie under another key each day", async () => {
    await acquaint();
    const before = await pairsOf(bob);
    const first = await livingIds(bob);
    expect(first.length).toBeGreaterThan(0);
    for (let day = 0; day < 5; day += 1) {
      await passDays(1);
      await write(bob, ann, `day ${day}`);
      await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes(`day ${day}`));
      await settle();
    }
    const later = await livingIds(bob);
    expect(first.filter((one) => later.includes(one))).toEqual([]);
    // What an image of the disk of then holds opens nothing, with today's vault.
    const old = before.flatMap(({ state }) => state.cards.map(({ secret }) => fromBase64(secret)));
    expect(await bob.keyring.resealCards({ secrets: old })).toEqual(old.map(() => null));
    await write(ann, bob, "and on");
    await untilTexts(bob, keyOf(ann), ["hello", "day 0", "day 1", "day 2", "day 3", "day 4", "and on"]);
  });
});

it("a contact who seals to a card that was never drawn has everything sent again to them alone", async () => {
  const eve = await world.join();
  await befriend(relay, ann, eve, world.devices);
  await acquaint();
  await write(ann, eve, "hello Eve");
  await untilTexts(eve, keyOf(ann), ["hello Eve"]);
  const all = [ann, bob, eve];
  await settle(all);
  for (const friend of [bob, eve]) await write(ann, friend, "for you alone");
  for (const friend of [bob, eve]) await pollUntil(async () => (await textsOf(friend, keyOf(ann))).includes("for you alone"));
  await passDays(3, all);
  const instanceFor = async (friend: Device): Promise<string> =>
    (await pairsOf(ann)).find(({ peer }) => peer === keyOf(friend))?.state.instance ?? "";
  const [forBob, forEve] = [await instanceFor(bob), await instanceFor(eve)];
  const sealToMadeUp = async (friend: Device, instance: string): Promise<void> => {
    const id = cardId(instance, 4_000);
    const drawn = await friend.client.drawCards({ chainId: TEST_CHAIN, cards: [{ instance: id.slice(0, 8).repeat(2), id }] });
    const { signature: _, ...card } = drawn?.[0]?.card ?? expect.unreachable("no card");
    const [envelope] = await friend.client.seal({
      requests: [
        {
          ...{ plaintext: new Uint8Array(40), recipients: [ann.account.devicePub], sentAt: 1_800_000_000 },
          pair: { chainId: TEST_CHAIN, recipientMasterPub: keyOf(ann), card },
        },
      ],
    });
    relay.store(envelope);
    await settle(all);
  };
  const from = relay.history.length;
  await sealToMadeUp(eve, forEve);
  expect(await instanceFor(eve)).not.toBe(forEve);
  expect(await instanceFor(bob)).toBe(forBob);
  await passTime(all, 1_000, async () => (await kindsFor(eve, relay, from)).length > 1);
  expect((await kindsFor(bob, relay, from)).length).toBeLessThan(2);
  // Beside these there is the line that Ann's device was set back: Eve has it of herself.
  expect((await textsOf(eve, keyOf(ann))).filter((text) => text.includes("Eve") || text.includes("alone"))).toEqual([
    "hello Eve",
    "for you alone",
  ]);
  // One person may lie. Two who say the same are believed, until the person has seen to it.
  expect(ann.messenger.getSnapshot().storeFindings).toEqual([]);
  await restart(ann, relay);
  await befriend(relay, bob, eve, world.devices);
  const group = await bob.messenger.createGroup("Trip", [keyOf(ann), keyOf(eve)]);
  await pollUntil(() => summaryOf(ann, group) !== undefined && summaryOf(eve, group) !== undefined);
  await settle(all);
  relay.loses = ({ recipient_pub }): boolean => recipient_pub === bob.account.devicePub;
  await sealToMadeUp(bob, forBob);
  await pollUntil(() => ann.messenger.getSnapshot().storeFindings.includes("device"));
  await restart(ann, relay);
  expect(ann.messenger.getSnapshot().storeFindings).toEqual(["device"]);
  // Nor do they keep her from writing to a group of which one of them is the owner, and does not answer.
  await ann.messenger.sendText(group, "not held back");
  await pollUntil(async () => (await textsOf(eve, group)).includes("not held back"));
  relay.loses = (): boolean => false;
  await ann.messenger.acknowledgeStore();
  await restart(ann, relay);
  expect(ann.messenger.getSnapshot().storeFindings).toEqual([]);
  // Who is blocked says nothing to her any more.
  for (const friend of [bob, eve]) await write(friend, ann, "after all");
  for (const friend of [bob, eve]) await passTime(all, HOUR, async () => (await textsOf(ann, keyOf(friend))).includes("after all"));
  await passDays(3, all);
  const instances = await Promise.all([bob, eve].map(instanceFor));
  for (const friend of [bob, eve]) relay.setContact(keyOf(friend), keyOf(ann), "blocked");
  await ann.messenger.refreshContacts();
  for (const [at, friend] of [bob, eve].entries()) await sealToMadeUp(friend, instances[at] ?? "");
  expect(ann.messenger.getSnapshot().storeFindings).toEqual([]);
});

describe("a disk that is put back", () => {
  it("learns it and continues: what it forgot comes again, and what it writes arrives", async () => {
    relay.blockS = 1_800_000_000;
    await acquaint();
    await bob.messenger.stop();
    const image = await imageOf(bob);
    await bob.messenger.start();
    await write(ann, bob, "after the image");
    await untilTexts(bob, keyOf(ann), ["hello", "after the image"]);
    await write(bob, ann, "answer");
    await untilTexts(ann, keyOf(bob), ["hello", "after the image", "answer"]);
    await settle();
    await bob.messenger.stop();
    await putImageBack(bob, image);
    await restart(bob, relay);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["hello"]);
    // A counted day has to pass before a pair is renewed.
    await passDays(3);
    await write(bob, ann, "after that");
    await passTime([ann, bob], HOUR, async () => (await textsOf(ann, keyOf(bob))).includes("after that"));
    await write(ann, bob, "and back");
    await passTime([ann, bob], HOUR, async () => {
      const texts = await textsOf(bob, keyOf(ann));
      return texts.includes("and back") && texts.includes("after the image");
    });
    await pollUntil(async () => (await chatOf(ann, keyOf(bob))).some(({ body }) => body.kind === "device.note" && body.event === "copied"));
  });
});
