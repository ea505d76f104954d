// A messenger on a disk to which someone put older records: the person is told, and groups are not written to before their state is known.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { databaseName } from "#renderer/storage/store-schema.ts";
import { groupConversation, groupOf } from "#shared/messenger/model/conversation-id.ts";
import type { StoreChange } from "#shared/messenger/store/store-database.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  befriend,
  createWorld,
  type Device,
  keyOf,
  passTime,
  restart,
  summaryOf,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, TestRelay } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;
let eve: Device;
let group = "";

beforeEach(async () => {
  relay = new TestRelay();
  world = createWorld(relay);
  [ann, bob, eve] = [await world.join(), await world.join(), await world.join()];
  await befriend(relay, ann, bob, world.devices);
  await befriend(relay, ann, eve, world.devices);
  await befriend(relay, bob, eve, world.devices);
  group = await ann.messenger.createGroup("Trip", [keyOf(bob), keyOf(eve)]);
  await pollUntil(() => summaryOf(bob, group) !== undefined && summaryOf(eve, group) !== undefined);
  await untilEmpty(relay, ann, bob, eve);
});
afterEach(() => world.stop());

/** Rows that are loaded at each start, but for the record that watches over them. */
async function rowsOf(device: Device): Promise<readonly StoreChange[]> {
  const database = await openMessageDatabase((await device.client.storeKeys()).name, () => undefined);
  const conversations = (await database.list("conversations")).map((put): StoreChange => ({ table: "conversations", put }));
  const meta = (await database.list("meta")).filter(({ key }) => key !== "head").map((put): StoreChange => ({ table: "meta", put }));
  database.close();
  return [...conversations, ...meta];
}

async function putBack(device: Device, rows: readonly StoreChange[]): Promise<void> {
  const database = await openMessageDatabase((await device.client.storeKeys()).name, () => undefined);
  const conversations = (await database.list("conversations")).map(({ key }): StoreChange => ({ table: "conversations", delete: key }));
  await database.write([...conversations, ...rows]);
  database.close();
}

const findingsOf = (device: Device): readonly string[] => device.messenger.getSnapshot().storeFindings;

describe("a messenger whose disk someone put back", () => {
  it("writes to nobody who was removed from a group meanwhile, and says what it found until that is seen to", async () => {
    const before = await rowsOf(bob);
    await ann.messenger.removeFromGroup(group, keyOf(eve));
    await pollUntil(() => summaryOf(bob, group)?.group?.members.length === 2);
    await untilEmpty(relay, ann, bob, eve);
    await bob.messenger.stop();
    await putBack(bob, before);
    const sent = relay.history.length;
    bob.messenger = (await startedAgain(bob)).messenger;
    expect(findingsOf(bob)).toEqual(["records"]);
    expect(groupOf(group)).toBeDefined();
    await bob.messenger.sendText(group, "without Eve");
    await passTime([bob, ann], 1_000, async () => (await textsOf(ann, group)).includes("without Eve"));
    expect(summaryOf(bob, group)?.group?.members).not.toContain(keyOf(eve));
    const toEve = relay.history.slice(sent).filter(({ recipient_pub: to }) => to === eve.account.devicePub);
    expect(toEve).toEqual([]);
    await restart(bob, relay);
    expect(findingsOf(bob)).toEqual(["records"]);
    await bob.messenger.acknowledgeStore();
    expect(findingsOf(bob)).toEqual([]);
    await restart(bob, relay);
    expect(findingsOf(bob)).toEqual([]);
  });

  it("finds the same again where it was killed before it could say so", async () => {
    const before = await rowsOf(bob);
    await bob.messenger.setTimer(keyOf(ann), 3_600);
    await untilEmpty(relay, ann, bob);
    await bob.messenger.stop();
    await putBack(bob, before);
    const write = IDBObjectStore.prototype.put;
    const { name } = await bob.client.storeKeys();
    IDBObjectStore.prototype.put = function refuse(this: IDBObjectStore, ...args: Parameters<typeof write>): ReturnType<typeof write> {
      if (this.transaction.db.name === databaseName(name)) throw new DOMException("full", "QuotaExceededError");
      return write.apply(this, args);
    };
    try {
      await expect(startedAgain(bob)).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
      expect(bob.messenger.getSnapshot().phase).not.toBe("running");
    } finally {
      IDBObjectStore.prototype.put = write;
    }
    await startedAgain(bob);
    expect(findingsOf(bob)).toEqual(["records"]);
  });

  it("tells the vault soon after what weighs, so that a whole older store is noticed", async () => {
    const database = await openMessageDatabase((await bob.client.storeKeys()).name, () => undefined);
    const tables = ["messages", "conversations", "outbox", "streams", "meta"] as const;
    const before = await Promise.all(tables.map(async (table) => [table, await database.list(table)] as const));
    const { counter } = await bob.client.storeCheckpoint({ counter: 0 });
    await bob.messenger.setTimer(keyOf(ann), 3_600);
    await passTime([bob], 1_000, async () => (await bob.client.storeCheckpoint({ counter: 0 })).counter > counter);
    await untilEmpty(relay, ann, bob);
    bob.node.kill();
    for (const [table, rows] of before) {
      const gone = (await database.list(table)).map(
        (row): StoreChange => ({ table, delete: "seq" in row ? row.seq : row.key }) as StoreChange,
      );
      await database.write([...gone, ...rows.map((put) => ({ table, put }) as StoreChange)]);
    }
    database.close();
    await restartAfterCrash(bob, relay);
    expect(findingsOf(bob)).toEqual(["store"]);
  });

  it("says so when only messages are older, once they were gone through", async () => {
    await bob.messenger.sendText(keyOf(ann), "first");
    await untilTexts(ann, keyOf(bob), ["first"]);
    await untilEmpty(relay, ann, bob);
    const database = await openMessageDatabase((await bob.client.storeKeys()).name, () => undefined);
    const rows = (await database.list("messages")).map((put): StoreChange => ({ table: "messages", put }));
    const [message] = (await bob.messenger.search("first")).map(({ key }) => key);
    await bob.messenger.deleteForEveryone(message ?? "");
    await untilEmpty(relay, ann, bob);
    await bob.messenger.stop();
    await database.write(rows);
    database.close();
    await startedAgain(bob);
    await pollUntil(() => findingsOf(bob).length > 0, { what: "the finding" });
    expect(findingsOf(bob)).toEqual(["messages"]);
  });

  it("finds nothing after crashes at any time, changed passwords and two windows", async () => {
    for (const text of ["one", "two", "three"]) {
      const sending = bob.messenger.sendText(groupConversation(groupOf(group) ?? ""), text).catch(() => undefined);
      bob.time.advance(1_000);
      if (text === "two") await sending;
      await restartAfterCrash(bob, relay);
      expect(findingsOf(bob)).toEqual([]);
    }
    await restart(bob, relay);
    await restart(ann, relay);
    for (const device of [ann, bob]) expect(findingsOf(device)).toEqual([]);
  });
});

async function startedAgain(device: Device): Promise<Device> {
  await device.messenger.start();
  return device;
}
