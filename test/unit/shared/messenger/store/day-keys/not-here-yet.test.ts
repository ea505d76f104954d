// A thief of the disk who reads everything that was ever written to a store: words that came before what says when they disappear.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KnownBody } from "#shared/content/content.ts";
import type { PublishedKeys } from "#shared/messenger/model/node-port.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import {
  createPair,
  type Device,
  keyOf,
  messageWith,
  passTime,
  summaryOf,
  textsOf,
  untilEmpty,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { createTestMessenger, TestNode, type TestRelay } from "#test/support/worlds/messenger-world.ts";
import { StoreRemains } from "#test/support/worlds/store-remains.ts";

const WORDS = "the harbour at nine";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;
let remains: StoreRemains;
let id: string;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
  await bob.messenger.stop();
  remains = new StoreRemains();
  bob.node = new TestNode(relay);
  Object.assign(bob.node, { openDatabase: remains.under(bob.node.openDatabase) });
  await startAgain();
  await ann.messenger.sendText(keyOf(bob), "hi");
  await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("hi"));
  await untilEmpty(relay, ann, bob);
  id = toHex(systemRandom(16));
});

afterEach(() => world.stop());

async function setTimer(seconds: number): Promise<void> {
  await ann.messenger.setTimer(keyOf(bob), seconds);
  await pollUntil(() => (summaryOf(bob, keyOf(ann))?.expiresInS ?? 0) === seconds);
  await untilEmpty(relay, ann, bob);
}

/** Bob's messenger, over the same store. */
async function startAgain(): Promise<void> {
  await bob.messenger.stop();
  bob.messenger = createTestMessenger(bob, bob.node);
  await bob.messenger.start();
}

/** Bob's device gets a content that Ann's wrote. */
async function come(body: KnownBody, fields: Parameters<typeof contentOf>[3] = {}): Promise<void> {
  await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, body, { at: ann.time.nowMs(), ...fields }) });
  await untilEmpty(relay, ann, bob);
}

const readable = async (text = WORDS): Promise<readonly string[]> => remains.tablesWith(await bob.client.storeKeys(), text);
const readableWithoutDayKeys = async (text = WORDS): Promise<readonly string[]> =>
  remains.tablesWith({ ...(await bob.client.storeKeys()), dayKeys: [] }, text);

/** Both read all, and then nothing that is left of the words opens. */
async function untilUnreadable(): Promise<void> {
  await bob.messenger.markRead(keyOf(ann));
  await untilEmpty(relay, ann, bob);
  await passTime([ann, bob], 61_000, async () => !(await textsOf(bob, keyOf(ann))).includes(WORDS));
  await passTime([ann, bob], HOUR_MS / 4, async () => (await readable()).length === 0);
}

describe("an edit that came before its message", () => {
  const edit = (): Promise<void> => come({ kind: "edit", id, revision: 1, text: WORDS });

  it("opens no more once the message has disappeared", async () => {
    await edit();
    expect(await readable()).toEqual(["amendments"]);
    expect(await readableWithoutDayKeys()).toEqual([]);
    await startAgain();
    await come({ kind: "text", text: "the harbour" }, { id, expiresInS: 60 });
    expect(await textsOf(bob, keyOf(ann))).toContain(WORDS);
    await untilUnreadable();
  });

  it("opens no more once it is forgotten as no message came", async () => {
    await edit();
    for (const device of [ann, bob]) device.time.advance(31 * DAY_MS);
    relay.blockS = Math.floor(bob.time.nowMs() / 1000);
    await startAgain();
    await pollUntil(async () => (await readable()).length === 0, { what: "nothing of the edit" });
    expect((await bob.client.storeKeys()).dayKeys).toEqual([]);
  });

  it("changes a message that stays", async () => {
    await edit();
    await come({ kind: "text", text: "the harbour" }, { id });
    expect((await textsOf(bob, keyOf(ann))).toSorted()).toEqual(["hi", WORDS].toSorted());
    expect(await readableWithoutDayKeys()).toContain("messages");
  });
});

describe("an answer that stays and came before what it answers", () => {
  const answer = (): Promise<void> => come({ kind: "reply", text: "when?", to: { author: keyOf(ann), id }, quote: WORDS });
  const quote = async (): Promise<unknown> => (await messageWith(bob, keyOf(ann), "when?")).body;

  it("repeats it until that is here, over restarts, and then nothing of it opens", async () => {
    await setTimer(60);
    await answer();
    expect(await readableWithoutDayKeys()).toEqual([]);
    await startAgain();
    expect(await quote()).toMatchObject({ quote: WORDS });
    await come({ kind: "text", text: WORDS }, { id, expiresInS: 60 });
    expect(await quote()).toMatchObject({ quote: "" });
    await untilUnreadable();
    expect(await textsOf(bob, keyOf(ann))).toContain("when?");
  });

  it("repeats it for good where that stays", async () => {
    await setTimer(60);
    await setTimer(0);
    await answer();
    expect(await readableWithoutDayKeys()).toEqual([]);
    await come({ kind: "text", text: WORDS }, { id });
    await passTime([ann, bob], HOUR_MS / 4, async () => (await bob.client.storeKeys()).dayKeys.length === 0);
    expect(await quote()).toMatchObject({ quote: WORDS });
    expect(bob.messenger.getSnapshot().damagedRecords).toBe(0);
  });

  it("needs no key where it repeats nothing", async () => {
    await setTimer(60);
    await setTimer(0);
    await come({ kind: "reply", text: "when?", to: { author: keyOf(ann), id }, quote: "" });
    expect((await bob.client.storeKeys()).dayKeys).toEqual([]);
  });

  it("lies under no day key once it was deleted", async () => {
    await setTimer(60);
    await setTimer(0);
    await answer();
    const { id: taken } = await messageWith(bob, keyOf(ann), "when?");
    await come({ kind: "delete", id: taken });
    await passTime([ann, bob], HOUR_MS / 4, async () => (await bob.client.storeKeys()).dayKeys.length === 0);
    expect(await readable()).toEqual([]);
  });

  it("is still read where the vault has lost the key, without what it repeats", async () => {
    await setTimer(60);
    await answer();
    await bob.messenger.stop();
    await bob.client.dropDayKeys({ ids: (await bob.client.storeKeys()).dayKeys.map((key) => key.id) });
    await startAgain();
    expect(await quote()).toMatchObject({ text: "when?", quote: "" });
  });
});

it("an answer that disappears after a day repeats nothing an hour after what it answers has disappeared, which came later", async () => {
  await come({ kind: "reply", text: "when?", to: { author: keyOf(ann), id }, quote: WORDS }, { expiresInS: 86_400 });
  await bob.messenger.markRead(keyOf(ann));
  await untilEmpty(relay, ann, bob);
  await come({ kind: "text", text: WORDS }, { id, expiresInS: 60 });
  await untilUnreadable();
  expect(await textsOf(bob, keyOf(ann))).toContain("when?");
});

it("mail of a device that is not listed yet opens no more once it has counted and disappeared", async () => {
  const old = structuredClone(relay.published.get(keyOf(ann)));
  let isBehind = true;
  const { publishedKeys } = bob.node;
  bob.node.publishedKeys = async (master): Promise<PublishedKeys> =>
    master === keyOf(ann) && old !== undefined && isBehind ? old : publishedKeys.call(bob.node, master);
  const fresh = await world.join({ phrase: ann.phrase });
  bob.time.advance(120_000);
  const plaintext = contentOf(fresh, bob, { kind: "text", text: WORDS }, { expiresInS: 60, at: bob.time.nowMs() });
  await deliver(relay, { from: fresh, to: bob, plaintext });
  await untilEmpty(relay, bob);
  // As it is stored.
  const aside = toBase64(plaintext);
  expect(await readable(aside)).toEqual(["meta"]);
  expect(await readableWithoutDayKeys(aside)).toEqual([]);
  await startAgain();
  isBehind = false;
  await passTime([bob], 61_000, async () => (await textsOf(bob, keyOf(ann))).includes(WORDS));
  await untilUnreadable();
  expect(await readable(aside)).toEqual([]);
});

it("a message in a group that is not known yet lies under a day key", async () => {
  const group = { id: "ab".repeat(16), keeper: keyOf(ann) };
  await come({ kind: "text", text: WORDS }, { group });
  expect(await readable()).toEqual(["amendments"]);
  expect(await readableWithoutDayKeys()).toEqual([]);
});
