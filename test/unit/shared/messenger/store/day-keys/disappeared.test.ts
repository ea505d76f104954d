// A thief of the disk who reads everything that was ever written to a store, with the vault as it is when the message is gone.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { createRecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  createPair,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  summaryOf,
  textsOf,
  untilEmpty,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { createTestMessenger, restartAfterCrash, TEST_PASSWORD, TestNode, type TestRelay } from "#test/support/worlds/messenger-world.ts";
import { StoreRemains } from "#test/support/worlds/store-remains.ts";

const WORDS = "the harbour at nine";
const HOUR_MS = 3_600_000;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;
let remains: Map<Device, StoreRemains>;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
  remains = new Map();
  for (const device of [ann, bob]) {
    await device.messenger.stop();
    const kept = new StoreRemains();
    remains.set(device, kept);
    await startOver(device, kept);
  }
  await ann.messenger.setTimer(keyOf(bob), 60);
  await pollUntil(() => summaryOf(bob, keyOf(ann))?.expiresInS === 60);
  await untilEmpty(relay, ann, bob);
});

afterEach(() => world.stop());

async function startOver(device: Device, kept: StoreRemains): Promise<void> {
  device.node = new TestNode(relay);
  Object.assign(device.node, { openDatabase: kept.under(device.node.openDatabase) });
  device.messenger = createTestMessenger(device, device.node);
  await device.messenger.start();
}

/** Tables in whose remains the words are read with the keys as they are now. */
async function readable(device: Device, text = WORDS): Promise<readonly string[]> {
  return (await remains.get(device)?.tablesWith(await device.client.storeKeys(), text)) ?? [];
}

const peerOf = (device: Device): string => keyOf(device === ann ? bob : ann);

async function write(text: string): Promise<void> {
  await ann.messenger.sendText(keyOf(bob), text);
  await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(text));
  await untilEmpty(relay, ann, bob);
}

/** The words go from both screens, and then nothing that is left of them opens. */
async function untilUnreadable(...devices: readonly Device[]): Promise<void> {
  await pollUntil(async () => (await Promise.all(devices.map((device) => readable(device)))).flat().length === 0, {
    what: "no words in what is left",
  });
}

it("reads it while the message is there, in what each table repeats of it, and not without the day key", async () => {
  await write(WORDS);
  // The key of what is to leave may be gone with the last of it.
  expect((await readable(ann)).filter((table) => table !== "outbox").toSorted()).toEqual(["conversations", "messages"]);
  expect((await readable(bob)).toSorted()).toEqual(["conversations", "messages"]);
  for (const device of [ann, bob]) {
    const keys = await device.client.storeKeys();
    expect(await remains.get(device)?.tablesWith({ ...keys, dayKeys: [] }, WORDS)).toEqual([]);
  }
});

it("reads nothing of it once it has disappeared, on both sides, and no day key is left", async () => {
  await write(WORDS);
  await bob.messenger.search("harbour");
  await bob.messenger.markRead(keyOf(ann));
  await passTime([ann, bob], 61_000, async () => !(await textsOf(bob, keyOf(ann))).includes(WORDS));
  await untilUnreadable(ann, bob);
  for (const device of [ann, bob])
    await pollUntil(async () => (await device.client.storeKeys()).dayKeys.length === 0, { what: "no day key" });
});

it("reads nothing of it once the vault can be written again, where it could not when the message disappeared", async () => {
  await write(WORDS);
  await bob.messenger.markRead(keyOf(ann));
  await untilEmpty(relay, ann, bob);
  const replace = vi.spyOn(bob.storage, "replace").mockRejectedValue(new Error("disk full"));
  await passTime([ann, bob], 61_000, () => replace.mock.calls.length > 0);
  await pollUntil(() => bob.messenger.getSnapshot().problem !== null, { what: "the problem" });
  replace.mockRestore();
  await passTime([ann, bob], 60_000, async () => (await readable(bob)).length === 0);
});

it("reads nothing of one that disappeared beside one that was not read yet, an hour later", async () => {
  await write(WORDS);
  await bob.messenger.markRead(keyOf(ann));
  await write("not read yet");
  await passTime([ann, bob], 61_000, async () => !(await textsOf(bob, keyOf(ann))).includes(WORDS));
  await passTime([ann, bob], HOUR_MS / 4, async () => (await readable(bob)).length === 0);
  expect(await textsOf(bob, keyOf(ann))).toContain("not read yet");
  await restart(bob, relay);
  expect(await textsOf(bob, keyOf(ann))).toContain("not read yet");
  expect(bob.messenger.getSnapshot().damagedRecords).toBe(0);
});

it("reads nothing of one that was deleted for everyone, or here, before its time", async () => {
  await write(WORDS);
  const { key } = await messageWith(bob, keyOf(ann), WORDS);
  await bob.messenger.deleteMessages([key]);
  await untilUnreadable(bob);
  await ann.messenger.deleteForEveryone((await messageWith(ann, keyOf(bob), WORDS)).key);
  await untilEmpty(relay, ann, bob);
  await passTime([ann, bob], HOUR_MS / 4, async () => (await readable(ann)).length === 0);
});

it("reads nothing of what it was called before it was edited, nor of a draft of it, nor of one that was quoted", async () => {
  await bob.messenger.setDraft(keyOf(ann), `${WORDS}, a draft`);
  expect(await readable(bob)).toEqual(["conversations"]);
  await bob.messenger.setDraft(keyOf(ann), "");
  await write(WORDS);
  await ann.messenger.editMessage((await messageWith(ann, keyOf(bob), WORDS)).key, `${WORDS}, or ten`);
  await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(`${WORDS}, or ten`));
  await bob.messenger.sendReply((await messageWith(bob, keyOf(ann), `${WORDS}, or ten`)).key, "fine");
  await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("fine"));
  for (const device of [ann, bob]) await device.messenger.markRead(peerOf(device));
  await untilEmpty(relay, ann, bob);
  await passTime([ann, bob], 61_000, async () => !(await textsOf(bob, keyOf(ann))).includes(`${WORDS}, or ten`));
  await passTime(
    [ann, bob],
    HOUR_MS / 4,
    async () => (await Promise.all([ann, bob].map((device) => readable(device)))).flat().length === 0,
  );
});

it("reads nothing of what waits for its time in such a chat, once it was taken back", async () => {
  const dueAt = ann.time.nowMs() + 2 * HOUR_MS;
  await ann.messenger.scheduleMessage(keyOf(bob), { text: WORDS, dueAt });
  expect(await readable(ann)).toContain("meta");
  await restartAfterCrash(ann, relay);
  const [waiting] = ann.messenger.getSnapshot().scheduled;
  expect(waiting?.text).toBe(WORDS);
  await ann.messenger.deleteScheduled(waiting?.id ?? "");
  await passTime([ann], HOUR_MS / 4, async () => (await readable(ann)).length === 0);
});

it("reads nothing of one that an earlier version stored in the clear of the records' key, from what was written since", async () => {
  await write(WORDS);
  await bob.messenger.stop();
  const keys = await bob.client.storeKeys();
  const cipher = createRecordCipher(keys);
  const database = await openMessageDatabase(keys.name, () => undefined);
  for (const row of await database.list("messages")) {
    const { expiresAt: _, ...others } = row;
    const location = `message ${row.key}`;
    const sealed = await cipher.seal(location, await cipher.open(location, row.sealed));
    await database.write([{ table: "messages", put: { ...others, sealed } }]);
  }
  for (const row of await database.list("conversations")) {
    const location = `conversation ${row.key}`;
    await database.write([
      { table: "conversations", put: { ...row, sealed: await cipher.seal(location, await cipher.open(location, row.sealed)) } },
    ]);
  }
  await database.write([{ table: "meta", delete: "messages hidden" }]);
  database.close();
  await bob.client.dropDayKeys({ ids: keys.dayKeys.map(({ id }) => id) });
  const kept = new StoreRemains();
  remains.set(bob, kept);
  await startOver(bob, kept);
  await pollUntil(() => kept.rows.some(({ table }) => table === "messages"), { what: "the message under a day key" });
  expect(await textsOf(bob, keyOf(ann))).toContain(WORDS);
  expect(await kept.tablesWith({ ...(await bob.client.storeKeys()), dayKeys: [] }, WORDS)).toEqual([]);
  expect(await readable(bob)).toContain("messages");
  await bob.messenger.markRead(keyOf(ann));
  await passTime([ann, bob], 61_000, async () => !(await textsOf(bob, keyOf(ann))).includes(WORDS));
  await untilUnreadable(bob);
});

it("is found by its words while it is there, also by a search that was opened before its key was made", async () => {
  await write("of before");
  expect(await bob.messenger.search("before")).toHaveLength(1);
  await bob.messenger.markRead(keyOf(ann));
  await write(WORDS);
  expect(await bob.messenger.search("harbour")).toHaveLength(1);
  await bob.messenger.markRead(keyOf(ann));
  await passTime([ann, bob], 61_000, async () => !(await textsOf(bob, keyOf(ann))).includes(WORDS));
  await untilUnreadable(bob);
  expect(await bob.messenger.search("harbour")).toEqual([]);
});

describe("a message that stays", () => {
  it("lies under no day key, and is read as long as it is there", async () => {
    await ann.messenger.setTimer(keyOf(bob), 0);
    await pollUntil(() => summaryOf(bob, keyOf(ann))?.expiresInS === 0);
    await write(WORDS);
    const keys = await bob.client.storeKeys();
    expect(await remains.get(bob)?.tablesWith({ ...keys, dayKeys: [] }, WORDS)).toContain("messages");
  });
});

it("reads nothing either where the password was changed meanwhile, and the message is there until its time", async () => {
  await write(WORDS);
  await bob.client.changePassword({ current: TEST_PASSWORD, next: "another horse battery" });
  expect(await textsOf(bob, keyOf(ann))).toContain(WORDS);
  await restart(bob, relay);
  expect(await textsOf(bob, keyOf(ann))).toContain(WORDS);
  await bob.messenger.markRead(keyOf(ann));
  await passTime([ann, bob], 61_000, async () => !(await textsOf(bob, keyOf(ann))).includes(WORDS));
  await untilUnreadable(bob);
});
