// Much that waits goes out together: few look-ups, seals and commits, in the order in which it was written.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageOrder } from "#shared/apps/messages/messages-api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import {
  chatOf,
  createPair,
  type Device,
  keyOf,
  passTime,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { textIdsFor } from "#test/support/worlds/messenger-mail.ts";
import { restartAfterCrash, type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
});

afterEach(() => world.stop());

const WRITTEN = Array.from({ length: 40 }, (_, index) => `message ${index}`);

async function write(texts: readonly string[]): Promise<void> {
  for (const text of texts) await ann.messenger.sendText(keyOf(bob), text);
}

/** Ids of Ann's messages in the order in which she wrote them. */
async function writtenIds(): Promise<readonly string[]> {
  return (await chatOf(ann, keyOf(bob))).map(({ id }) => id);
}

describe("what waits", () => {
  it("goes together: one look-up of each person a round, one call of the keyring, in order", async () => {
    withoutCards(ann, bob);
    ann.node.setOnline(false);
    await write(WRITTEN);
    const seal = vi.spyOn(ann.client, "seal");
    ann.node.calls.splice(0);
    ann.node.setOnline(true);
    await untilTexts(bob, keyOf(ann), WRITTEN);
    await untilEmpty(relay, ann, bob);
    expect(new Set(await textIdsFor(bob, relay)).size).toBe(WRITTEN.length);
    expect(await textIdsFor(bob, relay)).toEqual(await writtenIds());
    // Two rounds of messages, and one of receipts.
    expect(ann.node.calls.filter((call) => call === "publishedKeys").length).toBeLessThanOrEqual(8);
    expect(seal.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it("is not overtaken at a device that could not take something: what follows waits with it", async () => {
    ann.node.setOnline(false);
    await write(WRITTEN.slice(0, 10));
    let broadcasts = 0;
    ann.node.refuse = (call): CodedError | undefined => {
      if (call !== "broadcast") return undefined;
      broadcasts += 1;
      return broadcasts === 4 ? new CodedError("RELAY_FULL", "full") : undefined;
    };
    ann.node.setOnline(true);
    await passTime([ann, bob], 3_000, async () => (await textIdsFor(bob, relay)).length === 10);
    expect(await textIdsFor(bob, relay)).toEqual(await writtenIds());
  });

  it("is there once after a crash between the mailbox and the note of it, in the middle of a round", async () => {
    ann.node.setOnline(false);
    await write(WRITTEN.slice(0, 20));
    let broadcasts = 0;
    ann.node.refuse = (call): undefined => {
      if (call !== "broadcast") return;
      broadcasts += 1;
      if (broadcasts === 11) ann.node.hang.set("broadcast", "after");
    };
    ann.node.setOnline(true);
    await untilTexts(bob, keyOf(ann), WRITTEN.slice(0, 12));
    await restartAfterCrash(ann, relay);
    await untilTexts(bob, keyOf(ann), WRITTEN.slice(0, 20));
    await untilEmpty(relay, ann, bob);
    expect(await textsOf(bob, keyOf(ann))).toEqual(WRITTEN.slice(0, 20));
  });
});

describe("orders of programs that come at once", () => {
  const order = (index: number, fields: Partial<MessageOrder> = {}): MessageOrder => ({
    ...{ connection: "till", idempotencyKey: `order-${String(index).padStart(12, "0")}`, to: keyOf(bob) },
    ...{ text: `message ${index}`, mode: "open", ...fields },
  });

  it("share few commits, and each is there once in its order", async () => {
    const commits = vi.spyOn(IDBDatabase.prototype, "transaction");
    ann.node.setOnline(false);
    const sent = await Promise.all(Array.from({ length: 40 }, (_, index) => ann.messenger.sendOrdered(order(index % 20))));
    const writes = commits.mock.calls.filter(([, mode]) => mode === "readwrite").length;
    commits.mockRestore();
    expect(writes).toBeLessThanOrEqual(8);
    expect(sent.map(({ isReplayed }) => isReplayed)).toEqual([...Array(20).fill(false), ...Array(20).fill(true)]);
    expect(await textsOf(ann, keyOf(bob))).toEqual(WRITTEN.slice(0, 20));
  });

  it("are refused alone: the others are stored", async () => {
    const settled = await Promise.allSettled([
      ann.messenger.sendOrdered(order(0)),
      ann.messenger.sendOrdered(order(1, { mode: "late" })),
      ann.messenger.sendOrdered(order(2)),
      ann.messenger.sendOrdered(order(0, { text: "another" })),
      ann.messenger.sendOrdered(order(3)),
    ]);
    expect(settled.map((one) => (one.status === "fulfilled" ? "stored" : one.reason.code))).toEqual([
      "stored",
      "APP_TOO_LATE",
      "stored",
      "APP_KEY_REUSED",
      "stored",
    ]);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["message 0", "message 2", "message 3"]);
  });

  it("are all refused once the messenger is stopped", async () => {
    const orders = [0, 1, 2].map((index) => ann.messenger.sendOrdered(order(index)));
    const settled = Promise.allSettled(orders);
    await ann.messenger.stop();
    expect((await settled).every((one) => one.status === "fulfilled" || one.reason.code === "MESSENGER_UNAVAILABLE")).toBe(true);
    await ann.messenger.start();
  });
});
