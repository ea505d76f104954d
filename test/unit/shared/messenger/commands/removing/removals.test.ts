// What one deletes for oneself is gone at once, comes back by Undo as it would stand there now, and by nothing else.
import { openDB } from "idb";
import { beforeEach, describe, expect, it } from "vitest";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { CHUNK_BYTES } from "#shared/content/content.ts";
import { MAX_UNDOABLE, UNDO_MS } from "#shared/messenger/commands/removing/removals.ts";
import type { OutgoingFile } from "#shared/messenger/model/message.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  chatOf,
  createPair,
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
} from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash } from "#test/support/worlds/messenger-world.ts";
import { peopleForEach } from "#test/support/worlds/people-for-each.ts";

const people = peopleForEach(createPair);
const withBob = (): string => keyOf(people.bob);
const withAnn = (): string => keyOf(people.ann);

async function write(from: Device, to: Device, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await from.messenger.sendText(keyOf(to), text);
  await untilTexts(to, keyOf(from), await textsOf(from, keyOf(to)));
  await untilEmpty(people.relay, from, to);
}

async function remove(device: Device, id: string, ...texts: readonly string[]): Promise<number> {
  const keys = await Promise.all(texts.map(async (text) => (await messageWith(device, id, text)).key));
  return device.messenger.deleteMessages(keys);
}

async function chunksStored({ client }: Device): Promise<number> {
  const { name } = await client.storeKeys();
  const database = await openDB(databaseName(name));
  const count = await database.count("chunks");
  database.close();
  return count;
}

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7);
const file = (length: number): OutgoingFile => ({
  name: "a.bin",
  mediaType: "application/octet-stream",
  bytes: bytes(length),
  caption: "",
  image: null,
});

describe("messages that were deleted for oneself", () => {
  it("come back by Undo where they were, with what is said of them, and once", async () => {
    const { ann, bob } = people;
    await write(ann, bob, "one", "two", "three");
    const { key } = await messageWith(bob, withAnn(), "two");
    await bob.messenger.starMessage(key, true);
    await bob.messenger.pinMessage(key, true);
    const before = await chatOf(bob, withAnn());
    const view = bob.messenger.openConversation(withAnn());
    await view.loadOlder();
    const removal = await remove(bob, withAnn(), "two", "three");
    expect(view.getSnapshot().messages.map(({ body }) => "text" in body && body.text)).toEqual(["one"]);
    expect(summaryOf(bob, withAnn())).toMatchObject({ unread: 1, pins: [], lastMessage: { body: { text: "one" } } });
    expect(await bob.messenger.search("three")).toEqual([]);
    expect(await bob.messenger.undoRemoval(removal)).toBe(true);
    expect(await chatOf(bob, withAnn())).toEqual(before);
    expect(view.getSnapshot().messages).toEqual(before);
    expect(await bob.messenger.search("three")).toHaveLength(1);
    expect(summaryOf(bob, withAnn())).toMatchObject({ unread: 3, pins: [{ key }], lastMessage: { body: { text: "three" } } });
    expect(await bob.messenger.undoRemoval(removal)).toBe(false);
  });

  it.each([
    ["a minute", async (): Promise<void> => people.bob.time.advance(UNDO_MS)],
    ["an end in order", (): Promise<void> => restart(people.bob, people.relay)],
    ["a crash", (): Promise<void> => restartAfterCrash(people.bob, people.relay)],
  ])("come back by nothing after %s, nor does their file", async (_, pass) => {
    const { ann, bob, relay } = people;
    await write(ann, bob, "one");
    await ann.messenger.sendFile(withBob(), file(2 * CHUNK_BYTES));
    await pollUntil(async () => (await chunksStored(bob)) === 2);
    await untilEmpty(relay, bob);
    const mail = relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub);
    const removal = await bob.messenger.deleteMessages((await chatOf(bob, withAnn())).map(({ key }) => key));
    await pass();
    await pollUntil(async () => (await chunksStored(bob)) === 0, { what: "no chunk" });
    expect(await bob.messenger.undoRemoval(removal)).toBe(false);
    for (const [index, envelope] of mail.entries()) relay.store({ ...envelope, id: `again-${index}` });
    await untilEmpty(relay, bob);
    expect(await textsOf(bob, withAnn())).toEqual([]);
  });

  it("come back with what came for them meanwhile: edits, reactions, receipts, and that the author deleted them", async () => {
    const { ann, bob, relay } = people;
    await write(ann, bob, "before", "wrong");
    await write(bob, ann, "mine");
    const removal = await bob.messenger.deleteMessages((await chatOf(bob, withAnn())).map(({ key }) => key));
    await ann.messenger.editMessage((await messageWith(ann, withBob(), "before")).key, "after");
    await ann.messenger.deleteForEveryone((await messageWith(ann, withBob(), "wrong")).key);
    await ann.messenger.react((await messageWith(ann, withBob(), "mine")).key, "🎉");
    await ann.messenger.markRead(withBob());
    await passTime([ann], 5_000, () => relay.count(bob.account.devicePub) === 0 && summaryOf(ann, withBob())?.unread === 0);
    await untilEmpty(relay, ann, bob);
    expect(await textsOf(bob, withAnn())).toEqual([]);
    await bob.messenger.undoRemoval(removal);
    expect(await textsOf(bob, withAnn())).toEqual(["after", "deleted", "mine"]);
    expect((await messageWith(bob, withAnn(), "mine")).reactions).toMatchObject([{ emoji: "🎉" }]);
  });

  it("come back with their file, also where the rest of it came meanwhile", async () => {
    const { ann, bob, relay } = people;
    const late: Parameters<typeof relay.store>[0][] = [];
    relay.loses = (envelope): boolean => {
      const isLate = envelope.recipient_pub === bob.account.devicePub && envelope.ciphertext.length > CHUNK_BYTES && late.length < 2;
      if (isLate) late.push(envelope);
      return isLate;
    };
    await ann.messenger.sendFile(withBob(), file(3 * CHUNK_BYTES));
    await pollUntil(async () => (await chunksStored(bob)) === 1);
    const [message] = await chatOf(bob, withAnn());
    expect(message?.transfer).toMatchObject({ done: 1, total: 3 });
    const removal = await bob.messenger.deleteMessage(message?.key ?? "");
    for (const envelope of late) relay.store(envelope);
    await untilEmpty(relay, bob);
    expect(await textsOf(bob, withAnn())).toEqual([]);
    await bob.messenger.undoRemoval(removal);
    expect((await chatOf(bob, withAnn()))[0]?.transfer).toEqual({ done: 3, total: 3 });
    expect(await bob.messenger.readFile(message?.key ?? "")).toEqual(bytes(3 * CHUNK_BYTES));
    bob.time.advance(UNDO_MS);
    await bob.messenger.setDraft(withAnn(), "x");
    expect(await chunksStored(bob)).toBe(3);
  });

  it("leave at last where they waited to be sent", async () => {
    const { ann, bob } = people;
    ann.node.setOnline(false);
    await ann.messenger.sendText(withBob(), "late");
    const removal = await remove(ann, withBob(), "late");
    expect(ann.messenger.getSnapshot().queued).toBe(0);
    await ann.messenger.undoRemoval(removal);
    expect(ann.messenger.getSnapshot().queued).toBe(1);
    ann.node.setOnline(true);
    await untilTexts(bob, withAnn(), ["late"]);
    await untilState(ann, withBob(), "delivered");
  });

  it("stay gone where they have disappeared for everyone meanwhile, and disappear at their time where they have not", async () => {
    const { ann, bob } = people;
    await ann.messenger.setTimer(withBob(), 30);
    await write(ann, bob, "soon");
    bob.time.advance(20_000);
    await bob.messenger.markRead(withAnn());
    await ann.messenger.setTimer(withBob(), 40);
    await write(ann, bob, "later");
    await bob.messenger.markRead(withAnn());
    const removal = await bob.messenger.deleteConversation(withAnn());
    bob.time.advance(31_000);
    await bob.messenger.undoRemoval(removal);
    expect(await textsOf(bob, withAnn())).not.toContain("soon");
    expect(await textsOf(bob, withAnn())).toContain("later");
    await passTime([bob], 1_000, async () => !(await textsOf(bob, withAnn())).includes("later"));
  });
});

it("what is brought back by a clock that is years ahead is not destroyed by it", async () => {
  const { ann, bob, relay } = people;
  relay.blockS = Math.floor(bob.time.nowMs() / 1_000);
  await ann.messenger.setTimer(withBob(), 7 * 86_400);
  await write(ann, bob, "a week");
  await bob.messenger.markRead(withAnn());
  const removal = await remove(bob, withAnn(), "a week");
  bob.time.setAhead(3 * 365 * 86_400_000);
  expect(await bob.messenger.undoRemoval(removal)).toBe(true);
  expect(await textsOf(bob, withAnn())).not.toContain("a week");
  bob.time.setAhead(0);
  expect(await textsOf(bob, withAnn())).toContain("a week");
});

describe("answers to what was deleted for oneself", () => {
  const WORDS = "original";
  const quoteOf = async (text: string): Promise<unknown> => {
    const { body, isAnswerToGone } = await messageWith(people.bob, withAnn(), text);
    return [body.kind === "reply" && body.quote, isAnswerToGone];
  };
  const answer = async (text: string): Promise<void> => {
    const { ann, bob, relay } = people;
    await ann.messenger.sendReply((await messageWith(ann, withBob(), WORDS)).key, text);
    await pollUntil(async () => (await textsOf(bob, withAnn())).includes(text));
    await untilEmpty(relay, ann, bob);
  };
  beforeEach(() => write(people.ann, people.bob, WORDS));

  it("repeat its words again once it is back, also those that came meanwhile", async () => {
    const { bob } = people;
    await answer("before");
    const removal = await remove(bob, withAnn(), WORDS);
    await answer("meanwhile");
    expect(await Promise.all(["before", "meanwhile"].map(quoteOf))).toEqual([
      ["", true],
      ["", true],
    ]);
    await bob.messenger.undoRemoval(removal);
    expect(await Promise.all(["before", "meanwhile"].map(quoteOf))).toEqual([
      [WORDS, false],
      [WORDS, false],
    ]);
  });

  it("leave with its words where they waited meanwhile", async () => {
    const { ann, bob } = people;
    bob.node.setOnline(false);
    await bob.messenger.sendReply((await messageWith(bob, withAnn(), WORDS)).key, "late");
    await bob.messenger.undoRemoval(await remove(bob, withAnn(), WORDS));
    bob.node.setOnline(true);
    await pollUntil(async () => (await textsOf(ann, withBob())).includes("late"));
    expect(await messageWith(ann, withBob(), "late")).toMatchObject({ body: { quote: WORDS } });
  });

  it("repeat nothing of what its author has taken back meanwhile", async () => {
    const { ann, bob, relay } = people;
    await answer("before");
    const removal = await remove(bob, withAnn(), WORDS);
    await answer("meanwhile");
    await ann.messenger.deleteForEveryone((await messageWith(ann, withBob(), WORDS)).key);
    await untilEmpty(relay, ann, bob);
    await bob.messenger.undoRemoval(removal);
    expect(await textsOf(bob, withAnn())).toEqual(["deleted", "before", "meanwhile"]);
    expect(await Promise.all(["before", "meanwhile"].map(quoteOf))).toEqual([
      ["", true],
      ["", true],
    ]);
  });

  it.each([
    ["it first, and brought back first", [WORDS, "no"], [0, 1]],
    ["it first, and brought back last", [WORDS, "no"], [1, 0]],
    ["it last, and brought back first", ["no", WORDS], [1, 0]],
    ["it last, and brought back last", ["no", WORDS], [0, 1]],
  ])("repeat its words again where they were deleted, too: %s", async (_, texts, order) => {
    const { bob } = people;
    await answer("no");
    const removals: number[] = [];
    for (const text of texts) removals.push(await remove(bob, withAnn(), text));
    for (const index of order) expect(await bob.messenger.undoRemoval(removals[index] ?? 0)).toBe(true);
    expect(await textsOf(bob, withAnn())).toEqual([WORDS, "no"]);
    expect(await quoteOf("no")).toEqual([WORDS, false]);
  });

  it("repeat its words again where both were deleted with their chat, and one came meanwhile", async () => {
    const { bob } = people;
    await answer("no");
    const removal = await bob.messenger.deleteConversation(withAnn());
    await answer("meanwhile");
    await bob.messenger.undoRemoval(removal);
    expect(await Promise.all(["no", "meanwhile"].map(quoteOf))).toEqual([
      [WORDS, false],
      [WORDS, false],
    ]);
  });
});

describe("a removal", () => {
  it("is undone by its own note alone, not by one that an earlier run left on the screen", async () => {
    const { ann, bob, relay } = people;
    await write(ann, bob, "one", "two");
    const earlier = await remove(bob, withAnn(), "one");
    await restart(bob, relay);
    await remove(bob, withAnn(), "two");
    expect(await bob.messenger.undoRemoval(earlier)).toBe(false);
    expect(await textsOf(bob, withAnn())).toEqual([]);
  });

  it("that is too large to be undone says so, and leaves others what they hold", async () => {
    const { ann, bob } = people;
    await write(ann, bob, "one");
    const removal = await remove(bob, withAnn(), "one");
    expect(await bob.messenger.deleteMessages(new Array(MAX_UNDOABLE + 1).fill("none"))).toBe(0);
    expect(await bob.messenger.undoRemoval(removal)).toBe(true);
    expect(await textsOf(bob, withAnn())).toEqual(["one"]);
  });

  it("can be undone before or after another one of the same chat", async () => {
    const { ann, bob } = people;
    await write(ann, bob, "one", "two", "three");
    await bob.messenger.sendReply((await messageWith(bob, withAnn(), "one")).key, "answer");
    const before = await chatOf(bob, withAnn());
    for (const isFirstFirst of [true, false]) {
      const first = await remove(bob, withAnn(), "one");
      const second = await bob.messenger.deleteConversation(withAnn());
      for (const removal of isFirstFirst ? [first, second] : [second, first]) expect(await bob.messenger.undoRemoval(removal)).toBe(true);
      expect((await chatOf(bob, withAnn())).map(({ key, body }) => ({ key, body }))).toEqual(
        before.map(({ key, body }) => ({ key, body })),
      );
    }
  });
});

describe("a chat that was deleted", () => {
  it("comes back with its draft and what waits for its time, beside what came meanwhile", async () => {
    const { ann, bob } = people;
    await write(ann, bob, "one", "two");
    await bob.messenger.markRead(withAnn());
    await bob.messenger.scheduleMessage(withAnn(), { text: "tomorrow", dueAt: bob.time.nowMs() + 86_400_000 });
    await bob.messenger.setDraft(withAnn(), "not yet");
    await pollUntil(() => people.relay.held.size === 1);
    const removal = await bob.messenger.deleteConversation(withAnn());
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
    await pollUntil(() => bob.messenger.getSnapshot().scheduled.length === 0);
    await ann.messenger.sendText(withBob(), "three");
    await untilTexts(bob, withAnn(), ["three"]);
    expect(await bob.messenger.undoRemoval(removal)).toBe(true);
    expect(await textsOf(bob, withAnn())).toEqual(["one", "two", "three"]);
    expect(summaryOf(bob, withAnn())).toMatchObject({ unread: 1, draft: "not yet", lastMessage: { body: { text: "three" } } });
    expect(bob.messenger.getSnapshot().scheduled).toMatchObject([{ text: "tomorrow" }]);
    await pollUntil(() => people.relay.held.size === 1, { what: "copies at the node again" });
  });

  it("brings back no payment that no node was given: its request can be paid", async () => {
    const { ann, bob } = people;
    await bob.messenger.sendPayRequest(withAnn(), { amountUt: 5, note: "Tea" });
    await pollUntil(async () => (await textsOf(ann, withBob())).includes("pay.request"));
    const [request] = await chatOf(ann, withBob());
    const rest = { fee: 1, payload: "", timestamp: "2026-11-28T08:00:00Z", signature: "" };
    const transaction: Transaction = { id: "tx1", type: "TRANSFER", from: withAnn(), to: withBob(), amount: 5, ...rest };
    await ann.messenger.holdPayment(withBob(), { transaction, note: "", request: request?.key ?? "", after: null });
    expect((await chatOf(ann, withBob()))[0]?.payment?.ownTxId).toBe("tx1");
    await ann.messenger.undoRemoval(await ann.messenger.deleteConversation(withBob()));
    expect(await textsOf(ann, withBob())).toEqual(["pay.request"]);
    expect((await chatOf(ann, withBob()))[0]?.payment?.ownTxId ?? null).toBeNull();
    expect(await ann.messenger.heldPayments()).toEqual([]);
  });
});
