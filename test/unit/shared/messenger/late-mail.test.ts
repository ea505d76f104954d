// What claims to be old and comes late: an author's clock can say anything, the time of arrival cannot be written by anyone else.
import { afterEach, beforeEach, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { MAILBOX_TIME_KEY } from "#shared/messenger/state/clocks/mailbox-time.ts";
import { openLocalStore } from "#shared/messenger/store/local-store.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  chatOf,
  createPair,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import type { TestRelay } from "#test/support/worlds/messenger-world.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
  await bob.messenger.sendText(keyOf(ann), "hello");
  await untilTexts(ann, keyOf(bob), ["hello"]);
});

afterEach(() => world.stop());

/** Time passes, for the chain too, and Ann's device sees its mailbox empty. */
async function pass(ms: number): Promise<void> {
  for (const device of world.devices) device.time.advance(ms);
  relay.blockS = Math.floor(ann.time.nowMs() / 1000);
  const fromMs = ann.time.nowMs();
  await passTime(world.devices, 61_000, async () => {
    relay.blockS = Math.floor(ann.time.nowMs() / 1000);
    return (await mailboxReadMs()) >= fromMs;
  });
}

async function mailboxReadMs(): Promise<number> {
  const store = await openLocalStore({ keys: await ann.client.storeKeys(), openDatabase: openMessageDatabase, onLost: () => undefined });
  const readMs = await store.readMeta<number>(MAILBOX_TIME_KEY);
  store.close();
  return readMs ?? 0;
}

async function fromBob(body: Parameters<typeof contentOf>[2], at: number): Promise<void> {
  await deliver(relay, { from: bob, to: ann, plaintext: contentOf(bob, ann, body, { at }) });
  await untilEmpty(relay, ann);
}

it("a question is not put above an old answer", async () => {
  await pass(10 * DAY_MS);
  const askedAt = bob.time.nowMs();
  await ann.messenger.sendText(keyOf(bob), "Yes, I agree");
  await pass(10 * DAY_MS);
  await fromBob({ kind: "text", text: "You sell me the house for 1 T?" }, askedAt - HOUR_MS);
  expect(await textsOf(ann, keyOf(bob))).toEqual(["hello", "Yes, I agree", "You sell me the house for 1 T?"]);
});

it("a question put above an answer of the same day says when it came", async () => {
  await pass(HOUR_MS);
  const askedAt = bob.time.nowMs();
  await ann.messenger.sendText(keyOf(bob), "Yes, I agree");
  await pass(5 * HOUR_MS);
  await fromBob({ kind: "text", text: "For 1 T?" }, askedAt - HOUR_MS);
  expect(await textsOf(ann, keyOf(bob))).toEqual(["hello", "For 1 T?", "Yes, I agree"]);
  expect((await messageWith(ann, keyOf(bob), "For 1 T?")).cameLateAt).toBeGreaterThan(askedAt + 5 * HOUR_MS);
  expect((await messageWith(ann, keyOf(bob), "hello")).cameLateAt).toBeNull();
});

it.each(["edit", "delete"] as const)("an %s that claims to be old and comes after a day changes nothing", async (kind) => {
  await pass(0);
  await bob.messenger.sendText(keyOf(ann), "I owe you 1000");
  await untilTexts(ann, keyOf(bob), ["hello", "I owe you 1000"]);
  const { id, at } = await messageWith(ann, keyOf(bob), "I owe you 1000");
  await pass(DAY_MS + HOUR_MS);
  await fromBob(kind === "edit" ? { kind, id, text: "I owe you 1", revision: 1 } : { kind, id }, Math.floor(at) + 1);
  expect(await textsOf(ann, keyOf(bob))).toEqual(["hello", "I owe you 1000"]);
});

it("an edit of the same day is taken, and what it said before can be seen", async () => {
  await pass(0);
  await bob.messenger.sendText(keyOf(ann), "at noon");
  await untilTexts(ann, keyOf(bob), ["hello", "at noon"]);
  const { key } = await messageWith(bob, keyOf(ann), "at noon");
  await pass(HOUR_MS);
  await bob.messenger.editMessage(key, "at one");
  await untilTexts(ann, keyOf(bob), ["hello", "at one"]);
  for (const [device, peer] of [
    [ann, keyOf(bob)],
    [bob, keyOf(ann)],
  ] as const)
    expect((await messageWith(device, peer, "at one")).wordings?.map(({ text }) => text)).toEqual(["at noon", "at one"]);
  await bob.messenger.deleteForEveryone(key);
  await untilTexts(ann, keyOf(bob), ["hello", "deleted"]);
  expect((await chatOf(ann, keyOf(bob))).map(({ wordings }) => wordings)).toEqual([null, null]);
  expect((await chatOf(bob, keyOf(ann))).map(({ wordings }) => wordings)).toEqual([null, null]);
});

it("what waited while this device was off counts by its author's clock", async () => {
  await pass(0);
  await bob.messenger.sendText(keyOf(ann), "I owe you 1000");
  await untilTexts(ann, keyOf(bob), ["hello", "I owe you 1000"]);
  const { key } = await messageWith(bob, keyOf(ann), "I owe you 1000");
  await ann.messenger.stop();
  bob.time.advance(HOUR_MS);
  const from = relay.history.length;
  await bob.messenger.editMessage(key, "I owe you 1001");
  await bob.messenger.sendText(keyOf(ann), "one more");
  await pollUntil(() => relay.history.length >= from + 2);
  ann.time.sleep(3 * DAY_MS);
  await ann.keyring.unlock({ password: "correct horse battery" });
  await restart(ann, relay);
  await untilTexts(ann, keyOf(bob), ["hello", "I owe you 1001", "one more"]);
  expect((await messageWith(ann, keyOf(bob), "one more")).cameLateAt).toBeNull();
});

it("a mailbox of which the node says that some may be missing was not read to its end, and is listed again soon", async () => {
  await pass(0);
  const before = await mailboxReadMs();
  ann.node.incomplete.add("listInbox");
  for (const device of world.devices) device.time.advance(HOUR_MS);
  relay.blockS = Math.floor(ann.time.nowMs() / 1000);
  const lists = (): number => ann.node.calls.filter((call) => call === "listInbox").length;
  const listed = lists();
  await passTime(world.devices, 5_000, () => lists() >= listed + 4);
  expect(await mailboxReadMs()).toBe(before);
  ann.node.incomplete.clear();
  await pass(0);
  expect(await mailboxReadMs()).toBeGreaterThan(before);
});
