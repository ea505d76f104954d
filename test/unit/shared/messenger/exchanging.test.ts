import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAX_EXPIRY_S, MAX_TEXT_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  chatOf,
  createTrio,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  summaryOf,
  type Trio,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { restartAfterCrash, type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let annOther: Device;
let bob: Device;
let everywhere: Trio["everywhere"];

beforeEach(async () => {
  ({ relay, world, ann, annOther, bob, everywhere } = await createTrio());
});

afterEach(() => world.stop());

async function untilEverywhere(expected: readonly string[]): Promise<void> {
  await everywhere((device, peer) => untilTexts(device, peer, expected));
}

describe("replies", () => {
  it("carry author, id and the beginning of what they answer to all devices", async () => {
    await ann.messenger.sendText(keyOf(bob), "Shall we?");
    await untilTexts(bob, keyOf(ann), ["Shall we?"]);
    await bob.messenger.sendReply((await messageWith(bob, keyOf(ann), "Shall we?")).key, "Yes");
    await untilEverywhere(["Shall we?", "Yes"]);
    for (const { body } of await everywhere((device, peer) => messageWith(device, peer, "Yes")))
      expect(body).toMatchObject({ kind: "reply", quote: "Shall we?", to: { author: keyOf(ann) } });
  });

  it("cut a long quotation between characters", async () => {
    await ann.messenger.sendText(keyOf(bob), "é".repeat(1_000));
    const { key } = await messageWith(ann, keyOf(bob), "é".repeat(1_000));
    await ann.messenger.sendReply(key, "to myself");
    expect((await messageWith(ann, keyOf(bob), "to myself")).body).toMatchObject({ quote: "é".repeat(256) });
  });

  it("need the message", async () => {
    await expect(ann.messenger.sendReply("nothing", "x")).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("reactions", () => {
  it("reach all devices, are counted, replaced and taken back", async () => {
    await ann.messenger.sendText(keyOf(bob), "news");
    await untilEverywhere(["news"]);
    await bob.messenger.react((await messageWith(bob, keyOf(ann), "news")).key, "👍");
    await annOther.messenger.react((await messageWith(annOther, keyOf(bob), "news")).key, "👍");
    const reactions = (): Promise<readonly unknown[]> =>
      everywhere(async (device, peer) => (await messageWith(device, peer, "news")).reactions);
    const both = [{ emoji: "👍", count: 2, isMine: true }];
    await pollUntil(async () => JSON.stringify(await reactions()) === JSON.stringify([both, both, both]));
    bob.time.advance(1);
    await bob.messenger.react((await messageWith(bob, keyOf(ann), "news")).key, "");
    const [anns, bobs] = [[{ emoji: "👍", count: 1, isMine: true }], [{ emoji: "👍", count: 1, isMine: false }]];
    await pollUntil(async () => JSON.stringify(await reactions()) === JSON.stringify([anns, anns, bobs]));
    expect(summaryOf(ann, keyOf(bob))?.unread).toBe(0);
  });

  it("that come before their message wait for it", async () => {
    annOther.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "early");
    await untilTexts(bob, keyOf(ann), ["early"]);
    await bob.messenger.react((await messageWith(bob, keyOf(ann), "early")).key, "🎉");
    await pollUntil(() => relay.count(annOther.account.devicePub) >= 2);
    const mailbox = relay.mailboxes.get(annOther.account.devicePub);
    if (mailbox === undefined) throw new Error("no mail");
    relay.mailboxes.set(annOther.account.devicePub, new Map([...mailbox].reverse()));
    annOther.node.setOnline(true);
    await untilTexts(annOther, keyOf(bob), ["early"]);
    await pollUntil(async () => (await messageWith(annOther, keyOf(bob), "early")).reactions[0]?.emoji === "🎉");
  });

  it("are one emoji", async () => {
    await ann.messenger.sendText(keyOf(bob), "x");
    const { key } = await messageWith(ann, keyOf(bob), "x");
    await expect(ann.messenger.react(key, "😀".repeat(17))).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("editing and deleting for everybody", () => {
  it("changes the text on all devices and says so", async () => {
    await ann.messenger.sendText(keyOf(bob), "teh");
    await untilEverywhere(["teh"]);
    await annOther.messenger.editMessage((await messageWith(annOther, keyOf(bob), "teh")).key, "the");
    await untilEverywhere(["the"]);
    expect(await everywhere(async (device, peer) => (await messageWith(device, peer, "the")).isEdited)).toEqual([true, true, true]);
    expect(summaryOf(bob, keyOf(ann))?.lastMessage?.body).toMatchObject({ text: "the" });
  });

  it("takes the text from all devices and leaves a mark", async () => {
    await ann.messenger.sendText(keyOf(bob), "secret");
    await untilEverywhere(["secret"]);
    await ann.messenger.deleteForEveryone((await messageWith(ann, keyOf(bob), "secret")).key);
    await untilEverywhere(["deleted"]);
  });

  it("is the author's alone, for 24 hours", async () => {
    await ann.messenger.sendText(keyOf(bob), "mine");
    await untilEverywhere(["mine"]);
    const theirs = (await messageWith(bob, keyOf(ann), "mine")).key;
    await expect(bob.messenger.editMessage(theirs, "yours")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(bob.messenger.deleteForEveryone(theirs)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    ann.time.advance(86_400_001);
    const own = (await messageWith(ann, keyOf(bob), "mine")).key;
    await expect(ann.messenger.editMessage(own, "late")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(ann.messenger.editMessage(own, "x".repeat(MAX_TEXT_BYTES + 1))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await textsOf(ann, keyOf(bob))).toEqual(["mine"]);
  });

  it("of a message that is still waiting sends neither", async () => {
    ann.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "never mind");
    await ann.messenger.deleteForEveryone((await messageWith(ann, keyOf(bob), "never mind")).key);
    ann.node.setOnline(true);
    await ann.messenger.sendText(keyOf(bob), "hello");
    await untilTexts(bob, keyOf(ann), ["hello"]);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["deleted", "hello"]);
  });
});

/** Pays out of a chat: the payment is stored, a node takes it, and its receipt goes out. */
async function payFrom(
  device: Device,
  peer: Device,
  { amountUt, request }: { readonly amountUt: number; readonly request: string },
): Promise<void> {
  const rest = { type: "TRANSFER", fee: 1, payload: "", timestamp: "2026-11-28T08:00:00Z", signature: "" } as const;
  const transaction = { id: "tx1ab", from: keyOf(device), to: keyOf(peer), amount: amountUt, ...rest };
  await device.messenger.releasePayment(await device.messenger.holdPayment(keyOf(peer), { transaction, note: "", request, after: null }));
}

describe("payments in a chat", () => {
  it("asks, and names the payment that answers", async () => {
    await bob.messenger.sendPayRequest(keyOf(ann), { amountUt: 5_000_000, note: "Lunch" });
    await untilEverywhere(["pay.request"]);
    const [request] = await chatOf(ann, keyOf(bob));
    await payFrom(ann, bob, { amountUt: 5_000_000, request: request?.key ?? "" });
    await untilEverywhere(["pay.request", "pay.receipt"]);
    for (const [asking, answer] of await everywhere(chatOf)) {
      expect(asking?.body).toEqual({ kind: "pay.request", amountUt: 5_000_000, note: "Lunch" });
      expect(answer?.body).toMatchObject({ kind: "pay.receipt", txId: "tx1ab", amountUt: 5_000_000 });
    }
  });

  it.each([
    ["less than was asked for", 4_999_999, false],
    ["as much", 5_000_000, true],
    ["more", 5_000_001, true],
  ])("a payment of %s answers: %j µT, %s", async (_, amountUt, isAnswer) => {
    await bob.messenger.sendPayRequest(keyOf(ann), { amountUt: 5_000_000, note: "" });
    await untilEverywhere(["pay.request"]);
    const [request] = await chatOf(ann, keyOf(bob));
    await payFrom(ann, bob, { amountUt, request: request?.key ?? "" });
    await untilEverywhere(["pay.request", "pay.receipt"]);
    const [, receipt] = await chatOf(bob, keyOf(ann));
    expect(receipt?.body).toMatchObject({ amountUt, request: isAnswer ? request?.id : null });
  });

  it("what was paid to one person answers no request of another, and none that is gone", async () => {
    const eve = await world.join();
    await bob.messenger.sendPayRequest(keyOf(ann), { amountUt: 5_000_000, note: "" });
    await untilTexts(ann, keyOf(bob), ["pay.request"]);
    const [request] = await chatOf(ann, keyOf(bob));
    const order = { amountUt: 5_000_000, request: request?.key ?? "" };
    await expect(payFrom(ann, eve, order)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(payFrom(ann, eve, { ...order, request: "gone" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await textsOf(ann, keyOf(eve))).toEqual([]);
  });

  it.each([0, 0.5, -1])("does not ask for %s µT", async (amountUt) => {
    await expect(ann.messenger.sendPayRequest(keyOf(bob), { amountUt, note: "" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("an acceptance", () => {
  it("is notified once, whichever device sees it first", async () => {
    const eve = await world.join();
    relay.setContact(keyOf(eve), keyOf(ann), "pending");
    await ann.messenger.refreshContacts();
    await annOther.messenger.refreshContacts();
    relay.setContact(keyOf(eve), keyOf(ann), "accepted");
    await ann.messenger.refreshContacts();
    await annOther.messenger.refreshContacts();
    await untilTexts(eve, keyOf(ann), ["contact.accept"]);
    await pollUntil(() => summaryOf(eve, keyOf(ann))?.isRequest === false);
    for (const device of [ann, annOther]) await untilTexts(device, keyOf(eve), ["contact.accept"]);
  });
});

describe("disappearing messages", () => {
  it("go everywhere, so long after they were sent or read, and do not come back", async () => {
    await ann.messenger.setTimer(keyOf(bob), 60);
    await untilEverywhere(["timer"]);
    expect(await everywhere(async (device, peer) => summaryOf(device, peer)?.expiresInS)).toEqual([60, 60, 60]);
    await bob.messenger.markRead(keyOf(ann));
    await ann.messenger.sendText(keyOf(bob), "gone soon");
    await untilEverywhere(["timer", "gone soon"]);
    for (const device of [ann, annOther]) device.time.advance(60_001);
    for (const device of [ann, annOther]) await untilTexts(device, keyOf(bob), ["timer"]);
    bob.time.advance(3_600_000);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["timer", "gone soon"]);
    await bob.messenger.markRead(keyOf(ann));
    expect((await messageWith(bob, keyOf(ann), "gone soon")).expiresAt).toBe(bob.time.nowMs() + 60_000);
    await passTime([bob], 30_000, async () => (await textsOf(bob, keyOf(ann))).join() === "timer");
    const again = relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub);
    for (const envelope of again) relay.store({ ...envelope, id: `again-${envelope.id}` });
    await pollUntil(() => relay.count(bob.account.devicePub) === 0);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["timer"]);
  });

  it("go at the next start when their time came meanwhile", async () => {
    await ann.messenger.setTimer(keyOf(bob), 10);
    await ann.messenger.sendText(keyOf(bob), "short");
    await untilTexts(ann, keyOf(bob), ["timer", "short"]);
    await pollUntil(async () => (await messageWith(ann, keyOf(bob), "short")).expiresAt !== null);
    await ann.messenger.stop();
    ann.time.advance(20_000);
    await restartAfterCrash(ann, relay);
    await untilTexts(ann, keyOf(bob), ["timer"]);
  });

  it("stay for months where that was chosen, longer than a timer can run", async () => {
    const days = 86_400_000;
    await ann.messenger.setTimer(keyOf(bob), 60 * 86_400);
    await ann.messenger.sendText(keyOf(bob), "long");
    await untilTexts(ann, keyOf(bob), ["timer", "long"]);
    ann.time.advance(59 * days);
    await ann.messenger.sendText(keyOf(bob), "later");
    await untilTexts(ann, keyOf(bob), ["timer", "long", "later"]);
    await passTime([ann], days, async () => (await textsOf(ann, keyOf(bob))).join() === "timer,later");
    expect(ann.messenger.getSnapshot().problem).toBeNull();
  });

  it("wait offline for as long as it takes: their time begins when a mailbox has them, on all own devices", async () => {
    await ann.messenger.setTimer(keyOf(bob), 300);
    await untilEverywhere(["timer"]);
    for (const device of [ann, annOther, bob]) await untilEmpty(relay, device);
    ann.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "from the tunnel");
    ann.time.advance(301_000);
    await ann.messenger.markRead(keyOf(bob));
    await ann.messenger.stop();
    ann.time.advance(301_000);
    await restartAfterCrash(ann, relay);
    for (const device of [annOther, bob]) device.time.advance(602_000);
    await untilEverywhere(["timer", "from the tunnel"]);
    await pollUntil(async () => (await messageWith(ann, keyOf(bob), "from the tunnel")).expiresAt !== null);
    expect((await messageWith(ann, keyOf(bob), "from the tunnel")).expiresAt).toBe(ann.time.nowMs() + 300_000);
    expect((await messageWith(annOther, keyOf(bob), "from the tunnel")).expiresAt).toBe(annOther.time.nowMs() + 300_000);
    await bob.messenger.markRead(keyOf(ann));
    await passTime([ann, annOther, bob], 300_001, async () =>
      (await everywhere((device, peer) => textsOf(device, peer))).every((texts) => texts.join() === "timer"),
    );
  });

  it("keep their words while they have failed, and what waits of their file", async () => {
    await ann.messenger.setTimer(keyOf(bob), 60);
    await untilEverywhere(["timer"]);
    let most = 0;
    const broadcast = ann.node.broadcast.bind(ann.node);
    ann.node.broadcast = async (envelope): Promise<void> => {
      if (envelope.ciphertext.length > most) throw new CodedError("RATE_LIMITED", "slow down", { details: { retryAfterS: 5 } });
      return broadcast(envelope);
    };
    const last = async (device: Device, peer: Device): Promise<ChatMessage | undefined> => (await chatOf(device, keyOf(peer))).at(-1);
    const file = { name: "map.pdf", mediaType: "application/pdf", bytes: new Uint8Array(40_000), caption: "", image: null };
    await ann.messenger.sendFile(keyOf(bob), file);
    await passTime([ann], 3_600_000, async () => (await last(ann, bob))?.state === "failed");
    expect(await last(ann, bob)).toMatchObject({ body: { kind: "attachment" }, expiresAt: null });
    // The message leaves, and nothing of its file.
    most = 20_000;
    await ann.messenger.retry((await last(ann, bob))?.key ?? "");
    await passTime([ann], 1_000, async () => (await last(bob, ann))?.body.kind === "attachment");
    await passTime([ann], 60_000, async () => (await last(ann, bob))?.state === "delivered");
    expect(await last(ann, bob)).toMatchObject({ expiresAt: null });
    most = Number.POSITIVE_INFINITY;
    await passTime([ann], 10_000, async () => (await last(bob, ann))?.transfer?.done === 1);
    await passTime([ann], 10_000, async () => (await textsOf(ann, keyOf(bob))).join() === "timer");
  });

  it("stay once the timer is off, and the latest choice holds", async () => {
    await ann.messenger.setTimer(keyOf(bob), 10);
    await untilEverywhere(["timer"]);
    bob.time.advance(5);
    await bob.messenger.setTimer(keyOf(ann), 0);
    await untilEverywhere(["timer", "timer"]);
    await ann.messenger.sendText(keyOf(bob), "stays");
    expect((await messageWith(ann, keyOf(bob), "stays")).expiresAt).toBeNull();
    await expect(ann.messenger.setTimer(keyOf(bob), MAX_EXPIRY_S + 1)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("keeping a conversation", () => {
  it("has flags that no time that no clock shows holds for ever", async () => {
    const body = { kind: "sync.chat", peer: keyOf(bob), isPinned: true, isArchived: false, mutedUntil: 0 } as const;
    // Each follows what may be the latest so far.
    for (const at of [Number.MAX_SAFE_INTEGER, 8_640_000_000_000_000, Number.MAX_SAFE_INTEGER])
      await deliver(relay, { from: annOther, to: ann, plaintext: contentOf(annOther, ann, body, { at }) });
    await deliver(relay, { from: ann, to: annOther, plaintext: contentOf(ann, annOther, body, { at: 8_640_000_000_000_000 }) });
    await untilEmpty(relay, ann, annOther);
    for (const [device, mutedUntil] of [
      [ann, 7],
      [annOther, 8],
      [ann, 9],
    ] as const) {
      await device.messenger.setChat(keyOf(bob), { mutedUntil });
      for (const other of [ann, annOther]) await pollUntil(() => summaryOf(other, keyOf(bob))?.mutedUntil === mutedUntil);
    }
  });

  it("pins, archives and mutes it on all own devices; the latest holds", async () => {
    withoutCards(ann, annOther, bob);
    await ann.messenger.sendText(keyOf(bob), "x");
    await ann.messenger.setChat(keyOf(bob), { isPinned: true });
    await ann.messenger.setChat(keyOf(bob), { mutedUntil: 99 });
    await pollUntil(() => summaryOf(annOther, keyOf(bob))?.mutedUntil === 99);
    expect(summaryOf(annOther, keyOf(bob))).toMatchObject({ isPinned: true, isArchived: false, mutedUntil: 99 });
    annOther.time.advance(10);
    await annOther.messenger.setChat(keyOf(bob), { isPinned: false, isArchived: true });
    await pollUntil(() => summaryOf(ann, keyOf(bob))?.isArchived === true);
    expect(summaryOf(ann, keyOf(bob))).toMatchObject({ isPinned: false, isArchived: true, mutedUntil: 99 });
    expect(relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub)).toHaveLength(1);
  });
});

describe("a hidden sender", () => {
  it("writes, is answered and gets receipts, and no relay sees who it is", async () => {
    for (const device of world.devices) device.messenger.setSettings({ sendReadReceipts: true, typing: false });
    await ann.messenger.sendText(keyOf(bob), "psst");
    await untilEverywhere(["psst"]);
    await bob.messenger.markRead(keyOf(ann));
    await pollUntil(async () => (await messageWith(ann, keyOf(bob), "psst")).state === "read");
    expect(summaryOf(bob, keyOf(ann))).toMatchObject({ kind: "person", isRequest: false });
    const seen = JSON.stringify(relay.history.map(({ recipient_pub: _, ...rest }) => rest));
    for (const device of world.devices) {
      expect(seen).not.toContain(device.account.devicePub);
      expect(seen).not.toContain(keyOf(device));
    }
  });

  it("that is blocked is thrown away all the same", async () => {
    relay.setContact(keyOf(ann), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    ann.messenger.setSettings({ sendReadReceipts: true, typing: false });
    await ann.messenger.sendText(keyOf(bob), "unseen");
    await pollUntil(() => relay.history.length > 0 && relay.count(bob.account.devicePub) === 0);
    expect(await textsOf(bob, keyOf(ann))).toEqual([]);
  });
});

describe("short-lived keys", () => {
  /** Whether what Ann's device has sealed for Bob's, from now on, is for such a key. */
  const watchAnn = (): readonly boolean[] => {
    const seen: boolean[] = [];
    const { seal } = ann.client;
    const watched: typeof seal = (input) => {
      for (const { recipients, epochPub } of input.requests) if (recipients[0] === bob.account.devicePub) seen.push(epochPub !== undefined);
      return seal(input);
    };
    Object.assign(ann.client, { seal: watched });
    return seen;
  };

  it("are used once the other side has shown one, also after a restart, and long after their time", async () => {
    withoutCards(ann, annOther, bob);
    const isShortLived = watchAnn();
    await ann.messenger.sendText(keyOf(bob), "first");
    await untilEverywhere(["first"]);
    expect(isShortLived).toContain(false);
    await bob.messenger.sendText(keyOf(ann), "my key is inside");
    await untilEverywhere(["first", "my key is inside"]);
    const before = isShortLived.length;
    await restart(ann, relay);
    await ann.messenger.sendText(keyOf(bob), "sealed to it");
    await untilEverywhere(["first", "my key is inside", "sealed to it"]);
    expect(isShortLived.length).toBeGreaterThan(before);
    expect(isShortLived.slice(before)).not.toContain(false);
    ann.time.advance(8 * 86_400_000);
    await ann.messenger.sendText(keyOf(bob), "it has expired");
    await untilTexts(bob, keyOf(ann), ["first", "my key is inside", "sealed to it", "it has expired"]);
    expect(isShortLived.slice(before)).not.toContain(false);
  });
});

describe("what gets lost", () => {
  it("is noticed, asked for and sent again: to the other side and to one's own devices", async () => {
    await ann.messenger.sendText(keyOf(bob), "one");
    await untilEverywhere(["one"]);
    relay.loses = (): boolean => true;
    await ann.messenger.sendText(keyOf(bob), "two");
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
    relay.loses = (): boolean => false;
    await ann.messenger.sendText(keyOf(bob), "three");
    await untilTexts(bob, keyOf(ann), ["one", "three"]);
    await passTime([ann, annOther, bob], 5_000, async () => (await textsOf(bob, keyOf(ann))).length === 3);
    await passTime([ann, annOther, bob], 5_000, async () => (await textsOf(annOther, keyOf(bob))).length === 3);
    await untilEverywhere(["one", "two", "three"]);
  });

  it("is asked for again after a restart of the one who misses it", async () => {
    await ann.messenger.sendText(keyOf(bob), "one");
    await untilTexts(bob, keyOf(ann), ["one"]);
    relay.loses = ({ recipient_pub }): boolean => recipient_pub === bob.account.devicePub;
    await ann.messenger.sendText(keyOf(bob), "two");
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
    relay.loses = (): boolean => false;
    await ann.messenger.sendText(keyOf(bob), "three");
    await untilTexts(bob, keyOf(ann), ["one", "three"]);
    await restartAfterCrash(bob, relay);
    await passTime([bob, ann], 5_000, async () => (await textsOf(bob, keyOf(ann))).length === 3);
  });

  it("is said when the sender no longer has it", async () => {
    relay.loses = ({ recipient_pub }): boolean => recipient_pub === bob.account.devicePub;
    await ann.messenger.sendText(keyOf(bob), "lost");
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
    await ann.messenger.stop();
    ann.time.advance(31 * 86_400_000);
    relay.blockS = Math.floor(ann.time.nowMs() / 1000);
    await restartAfterCrash(ann, relay);
    relay.loses = (): boolean => false;
    await ann.messenger.sendText(keyOf(bob), "here");
    await passTime([bob, ann], 5_000, async () => (await textsOf(bob, keyOf(ann))).includes("missing"));
    expect((await chatOf(bob, keyOf(ann))).find(({ body }) => body.kind === "missing")?.body).toEqual({ kind: "missing", count: 1 });
  });

  it("is given up after a while when no device responds", async () => {
    withoutCards(ann, bob);
    await ann.messenger.sendText(keyOf(bob), "one");
    await untilTexts(bob, keyOf(ann), ["one"]);
    relay.loses = ({ recipient_pub }): boolean => recipient_pub === bob.account.devicePub;
    await ann.messenger.sendText(keyOf(bob), "two");
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
    relay.loses = (): boolean => false;
    await ann.messenger.sendText(keyOf(bob), "three");
    await untilTexts(bob, keyOf(ann), ["one", "three"]);
    await ann.messenger.stop();
    await passTime([bob], 4_000_000, async () => (await textsOf(bob, keyOf(ann))).includes("missing"));
  });

  it("is not asked for when it was thrown away for a block", async () => {
    relay.setContact(keyOf(ann), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await ann.messenger.sendText(keyOf(bob), "unseen");
    await pollUntil(() => relay.history.length > 0 && relay.count(bob.account.devicePub) === 0);
    relay.setContact(keyOf(ann), keyOf(bob), "accepted");
    await bob.messenger.refreshContacts();
    await ann.messenger.sendText(keyOf(bob), "seen");
    await untilTexts(bob, keyOf(ann), ["seen"]);
    const sentByBob = (): number => relay.history.filter((envelope) => relay.isFrom(bob, envelope)).length;
    await pollUntil(() => sentByBob() > 0);
    const before = sentByBob();
    bob.time.advance(100_000);
    await bob.messenger.refreshContacts();
    expect(sentByBob()).toBe(before);
  });
});
