// First contents to people whose devices have shown nothing yet, under the public cards of these devices: keyring, store and engine are real.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { PUBLIC_CARD_DAYS, PUBLIC_CARDS_KEY, type PublicRecord } from "#shared/messenger/changes/pairs/public-record.ts";
import { COUNTED_DAYS_KEY } from "#shared/messenger/pairs/pair-clock.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { readPair } from "#shared/protocol/pairs/pair-wire.ts";
import { decodePublicCard, encodePublicCard, type PublicCard } from "#shared/protocol/pairs/public-card.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  befriend,
  createWorld,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  summaryOf,
  textsOf,
  untilEmpty,
  untilState,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { TEST_CHAIN, TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";
import { isPairSize, kindsFor, mailFor, settlePairs } from "#test/support/worlds/pair-mail.ts";

const HOUR = 3_600_000;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

/** Two strangers; Bob's device has published a card. */
beforeEach(async () => {
  relay = new TestRelay();
  world = createWorld(relay);
  ann = await world.join();
  relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
  bob = await world.join();
  await pollUntil(() => relay.cards.has(bob.account.devicePub), { what: "a card" });
});
afterEach(() => world.stop());

const shown = (): PublicCard => decodePublicCard(relay.cards.get(bob.account.devicePub) ?? new Uint8Array()) as PublicCard;
const write = (text: string): Promise<unknown> => ann.messenger.sendText(keyOf(bob), text);

/** What lies in Bob's mailbox, or lay there: sealed to a public card, or in another way. */
async function formsFor(device: Device): Promise<readonly string[]> {
  const items = relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub);
  const opened = await device.keyring.open({ items });
  return opened.map(({ pair }) => {
    const parts = pair && readPair(pair);
    return typeof parts !== "object" ? "version 1" : parts.from === undefined ? "pair" : "public";
  });
}

/** A day passes on both clocks of Bob's device, and counts once its mailboxes are read. */
async function passDay(): Promise<void> {
  const { days = 0 } = ((await metaOf(bob, COUNTED_DAYS_KEY)) ?? {}) as { readonly days?: number };
  relay.blockS = (relay.blockS ?? 0) + 86_400;
  bob.time.advance(24 * HOUR);
  await passTime([bob], 61_000, async () => ((await metaOf(bob, COUNTED_DAYS_KEY)) as { readonly days: number }).days > days);
}

/** Lets hours pass on both clocks, and mailboxes be read. */
async function passHours(hours: number, devices: readonly Device[] = [ann, bob]): Promise<void> {
  relay.blockS = (relay.blockS ?? 0) + hours * 3_600;
  for (const device of devices) device.time.advance(hours * HOUR);
  await settlePairs(relay, devices);
}

async function metaOf(device: Device, key: string): Promise<unknown> {
  const keys = await device.client.storeKeys();
  const database = await openMessageDatabase(keys.name, () => undefined);
  const row = (await database.list("meta")).find((one) => one.key === key);
  database.close();
  return row && createRecordCipher(keys).open(`meta ${key}`, row.sealed);
}

/** The secret of a public card goes, as with a disk that is put back. */
async function forgetCard(device: Device, number: number): Promise<void> {
  const keys = await device.client.storeKeys();
  const record = await recordOf(device);
  const cards = record.cards.filter((card) => card.number !== number);
  const sealed = await createRecordCipher(keys).seal(`meta ${PUBLIC_CARDS_KEY}`, { ...record, cards });
  const database = await openMessageDatabase(keys.name, () => undefined);
  const row = (await database.list("meta")).find(({ key }) => key === PUBLIC_CARDS_KEY);
  if (row !== undefined) await database.write([{ table: "meta", put: { ...row, sealed } }]);
  database.close();
}

async function recordOf(device: Device): Promise<PublicRecord> {
  const record = await metaOf(device, PUBLIC_CARDS_KEY);
  if (record === undefined) throw new Error("no public cards");
  return record as PublicRecord;
}

/** Whether a thief of the running device opens a recorded envelope with what is on it now. */
async function opensFor(device: Device, envelope: Envelope): Promise<boolean> {
  const [item] = await device.keyring.open({ items: [envelope] });
  if (item?.pair === undefined) return item?.plaintext !== null;
  const { pair } = item;
  const items = (await recordOf(device)).cards.map(({ secret }) => ({ pair, secret: fromBase64(secret) }));
  return (await device.keyring.openPublic({ chainId: TEST_CHAIN, items })).some((opened) => opened !== null);
}

describe("a first message to a stranger", () => {
  it("is sealed to the public card, and what follows an answer is not", async () => {
    await write("hello");
    await untilTexts(bob, keyOf(ann), ["hello"]);
    expect(await formsFor(bob)).toEqual(["public"]);
    const [envelope] = relay.history as unknown as readonly [Envelope];
    expect(envelope).toMatchObject({ sender_ed25519_pub: "" });
    expect(JSON.stringify(envelope)).not.toContain(ann.account.devicePub);
    expect(fromBase64(envelope.ciphertext)).toHaveLength(3_072 + 16);
    expect(summaryOf(bob, keyOf(ann))).toMatchObject({ isRequest: true });
    expect(ann.messenger.getSnapshot().openToTheft).toEqual([]);
    expect(await messageWith(ann, keyOf(bob), "hello")).toMatchObject({ isOpenToTheft: false });
    await bob.messenger.sendText(keyOf(ann), "hi");
    await untilTexts(ann, keyOf(bob), ["hello", "hi"]);
    await settlePairs(relay, [ann, bob]);
    await write("again");
    await untilTexts(bob, keyOf(ann), ["hello", "hi", "again"]);
    expect((await kindsFor(bob, relay)).at(-1)).toBe("pair");
  });

  it("waits for a recipient who is away for eight days, although the card is not valid any more", async () => {
    await bob.messenger.stop();
    await passHours(6 * 24, [ann]);
    await write("hello");
    await pollUntil(() => relay.count(bob.account.devicePub) === 1);
    await passHours(2 * 24, [ann]);
    bob.time.advance(8 * 24 * HOUR);
    await restart(bob, relay);
    await untilTexts(bob, keyOf(ann), ["hello"]);
    expect(await formsFor(bob)).toEqual(["public"]);
  });

  it("opens no more, with all that is on the device, ten counted days after the card was drawn, also where it restarts meanwhile", async () => {
    await write("hello");
    await untilTexts(bob, keyOf(ann), ["hello"]);
    const [envelope] = relay.history as unknown as readonly [Envelope];
    expect(await opensFor(bob, envelope)).toBe(true);
    const { number } = shown();
    for (let day = 0; day < PUBLIC_CARD_DAYS - 1; day += 1) {
      if (day === PUBLIC_CARD_DAYS / 2) await restart(bob, relay);
      await passDay();
    }
    expect((await recordOf(bob)).cards.map((card) => card.number)).toContain(number);
    await passDay();
    expect((await recordOf(bob)).cards.map((card) => card.number)).not.toContain(number);
    expect(await opensFor(bob, envelope)).toBe(false);
    expect((await recordOf(bob)).cards.length).toBeLessThanOrEqual(PUBLIC_CARD_DAYS + 1);
  });

  it("is sealed to the newest card, a new one each day of the chain and not of the own clock", async () => {
    const first = shown().number;
    bob.time.advance(30 * 24 * HOUR);
    await settlePairs(relay, [bob]);
    expect(shown().number).toBe(first);
    await passHours(25);
    await pollUntil(() => shown().number === first + 25);
    await write("hello");
    await untilTexts(bob, keyOf(ann), ["hello"]);
  });

  it("is read after a restart, and after the key of the secrets was renewed", async () => {
    await bob.messenger.stop();
    await write("hello");
    await pollUntil(() => relay.count(bob.account.devicePub) === 1);
    relay.blockS = (relay.blockS ?? 0) + 25 * 3_600;
    bob.time.advance(25 * HOUR);
    await restart(bob, relay);
    await untilTexts(bob, keyOf(ann), ["hello"]);
  });
});

describe("two people whose devices have shown nothing yet", () => {
  /** Kinds of what Bob's and Ann's devices got under anything else than a card, from a position on. */
  const openToLater = async (from: number, devices: readonly Device[]): Promise<readonly string[]> =>
    (await Promise.all(devices.map((device) => mailFor(device, relay, from))))
      .flat()
      .flatMap((mail) => (mail.isUnderCard ? [] : [mail.kind]));

  it("name nobody to a relay in all of their first exchange, with receipts and copies, and nothing of it stays open to a quantum computer", async () => {
    const annOther = await world.join({ phrase: ann.phrase });
    const bobOther = await world.join({ phrase: bob.phrase });
    const devices = [ann, annOther, bob, bobOther];
    await pollUntil(() => devices.every(({ account }) => relay.cards.has(account.devicePub)), { what: "cards" });
    await write("hello");
    for (const device of [bob, bobOther]) await untilTexts(device, keyOf(ann), ["hello"]);
    for (const text of ["hi", "who is it?"]) await bob.messenger.sendText(keyOf(ann), text);
    for (const device of [ann, annOther]) await untilTexts(device, keyOf(bob), ["hello", "hi", "who is it?"]);
    for (const [device, peer] of [
      [bob, ann],
      [ann, bob],
    ] as const)
      await device.messenger.markRead(keyOf(peer));
    await untilState(ann, keyOf(bob), "read");
    await bobOther.messenger.sendText(keyOf(ann), "me too");
    await untilTexts(annOther, keyOf(bob), ["hello", "hi", "who is it?", "me too"]);
    await settlePairs(relay, devices);
    const outside = JSON.stringify(relay.history.map(({ recipient_pub: _, ...rest }) => rest));
    for (const device of devices) {
      expect(outside).not.toContain(device.account.devicePub);
      expect(outside).not.toContain(keyOf(device));
    }
    expect(new Set(relay.history.map(({ sender_pub }) => sender_pub)).size).toBe(relay.history.length);
    expect(relay.history.filter(({ sent_at, sender_ed25519_pub }) => sent_at % 3_600 !== 0 || sender_ed25519_pub !== "")).toEqual([]);
    expect(await openToLater(0, devices)).toEqual([]);
    expect(relay.history.filter(({ ciphertext }) => !isPairSize(fromBase64(ciphertext).length - 16))).toEqual([]);
  });

  it("who missed something gets it again under a public card, and under a newer one where the secret of that is gone", async () => {
    withoutCards(ann, bob);
    await befriend(relay, ann, bob, world.devices);
    await write("hello");
    await untilState(ann, keyOf(bob), "delivered");
    const first = shown().number;
    relay.loses = ({ recipient_pub }): boolean => recipient_pub === bob.account.devicePub;
    await write("lost");
    await pollUntil(async () => (await messageWith(ann, keyOf(bob), "lost")).state === "relayed");
    relay.loses = (): boolean => false;
    await write("seen");
    await untilTexts(bob, keyOf(ann), ["hello", "seen"]);
    await bob.messenger.stop();
    await forgetCard(bob, first);
    relay.blockS = (relay.blockS ?? 0) + 25 * 3_600;
    bob.time.advance(25 * HOUR);
    await restart(bob, relay);
    await pollUntil(() => shown().number > first);
    const before = relay.history.length;
    await passTime([ann, bob], 30_000, async () => (await textsOf(bob, keyOf(ann))).includes("lost"));
    expect(new Set(await textsOf(bob, keyOf(ann)))).toEqual(new Set(["hello", "lost", "seen"]));
    expect(await openToLater(before, [bob])).toEqual([]);
  });
});

describe("without a card that counts", () => {
  const untilPlain = async (): Promise<void> => {
    await write("hello");
    await untilTexts(bob, keyOf(ann), ["hello"]);
    expect(await formsFor(bob)).toEqual(["version 1"]);
    expect(ann.messenger.getSnapshot().openToTheft).toEqual([keyOf(bob)]);
    await restart(ann, relay);
    expect(ann.messenger.getSnapshot().openToTheft).toEqual([keyOf(bob)]);
    expect(await messageWith(ann, keyOf(bob), "hello")).toMatchObject({ isOpenToTheft: true });
    expect(relay.history[0]).toMatchObject({ sender_ed25519_pub: "", sent_at: expect.toSatisfy((sentAt: number) => sentAt % 3_600 === 0) });
    expect(JSON.stringify(relay.history[0])).not.toContain(ann.account.devicePub);
  };

  it("a first message is sealed as before, and the chat says so until one under a card, over restarts", async () => {
    relay.cards.clear();
    await untilPlain();
    await bob.messenger.sendText(keyOf(ann), "hi");
    await untilTexts(ann, keyOf(bob), ["hello", "hi"]);
    await settlePairs(relay, [ann, bob]);
    await write("again");
    await untilTexts(bob, keyOf(ann), ["hello", "hi", "again"]);
    await settlePairs(relay, [ann, bob]);
    expect(ann.messenger.getSnapshot().openToTheft).toEqual([]);
    await restart(ann, relay);
    expect(ann.messenger.getSnapshot().openToTheft).toEqual([]);
  });

  it("the chat no longer says so of a device that is unlinked", async () => {
    const laptop = await world.join({ phrase: bob.phrase });
    await pollUntil(() => relay.cards.has(laptop.account.devicePub), { what: "a card" });
    relay.cards.delete(bob.account.devicePub);
    await write("hello");
    await untilTexts(laptop, keyOf(ann), ["hello"]);
    await pollUntil(() => ann.messenger.getSnapshot().openToTheft.length > 0);
    relay.unlink(keyOf(bob), bob.account.devicePub);
    await restart(ann, relay);
    await write("again");
    await untilTexts(laptop, keyOf(ann), ["hello", "again"]);
    expect(ann.messenger.getSnapshot().openToTheft).toEqual([]);
  });

  it("it is too while the node does not know cards, or is too busy for them", async () => {
    ann.node.refuse = (call): CodedError | undefined => (call === "publicCard" ? new CodedError("UNAVAILABLE", "busy") : undefined);
    await untilPlain();
  });

  it.each([
    ["of another device", (): Uint8Array => relay.cards.get(ann.account.devicePub) ?? new Uint8Array()],
    ["of another person", (): Uint8Array => encodePublicCard({ ...shown(), masterPub: keyOf(ann) })],
    ["with another key than was signed", (): Uint8Array => encodePublicCard({ ...shown(), x: new Uint8Array(32).fill(9) })],
    ["that is none", (): Uint8Array => new Uint8Array(1_478)],
  ])("it is too where a relay gives a card %s", async (_, lie) => {
    await pollUntil(() => relay.cards.has(bob.account.devicePub));
    relay.cards.set(bob.account.devicePub, lie());
    await untilPlain();
  });

  it("it is too where a relay gives one whose seven days are over", async () => {
    await bob.messenger.stop();
    await passHours(7 * 24 + 1, [ann]);
    await write("hello");
    await pollUntil(() => relay.count(bob.account.devicePub) === 1);
    expect(await formsFor(bob)).toEqual(["version 1"]);
  });
});

describe("a device", () => {
  it("draws another card where a copy of it was faster, and tries again where the node is busy", async () => {
    const { number } = shown();
    let answer: CodedError | undefined = new CodedError("FORBIDDEN", "A later card");
    bob.node.refuse = (call): CodedError | undefined => (call === "publishCard" ? answer : undefined);
    const publishing = (): number => bob.node.calls.filter((call) => call === "publishCard").length;
    await passHours(25);
    await passTime([bob], HOUR, () => publishing() > 1);
    answer = new CodedError("UNAVAILABLE", "busy");
    const before = publishing();
    await passHours(2);
    await pollUntil(() => publishing() > before);
    answer = undefined;
    await passTime([bob], HOUR, () => shown().number === number + 27);
    await write("hello");
    await untilTexts(bob, keyOf(ann), ["hello"]);
  });

  it("publishes none before the chain lists it", async () => {
    const carol = await world.join();
    relay.unlink(keyOf(carol), carol.account.devicePub);
    relay.cards.delete(carol.account.devicePub);
    carol.node.calls.length = 0;
    await passHours(25, [carol]);
    expect(carol.node.calls).not.toContain("publishCard");
    expect(relay.cards.has(carol.account.devicePub)).toBe(false);
    expect(await textsOf(carol, keyOf(ann))).toEqual([]);
    await untilEmpty(relay, carol);
  });
});
