// What was typed is sealed while it is being stored. Nothing leaves before that is done, and nothing at all where it fails.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { Outbox } from "#shared/messenger/sending/outbox.ts";
import { StoreGuard } from "#shared/messenger/store/store-guard.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { chatOf, createPair, type Device, keyOf, textsOf, untilTexts, type World } from "#test/support/worlds/messenger-chat.ts";
import { restartAfterCrash, type TestRelay } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair } from "#test/support/worlds/pair-mail.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;
/** What was done, in its order: `stored` is Ann's first write since the last look. */
let steps: ("sealed" | "stored" | "failed" | "left")[];

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
  await acquaintPair({ relay, ann, bob });
  await bob.messenger.stop();
  steps = [];
});

afterEach(async () => {
  vi.restoreAllMocks();
  await world.stop();
});

const BEFORE = ["hello"];

/** Ann types until the keys of both have come, as they do within a moment. */
async function type(): Promise<void> {
  const asked = (): number => ann.node.calls.filter((call) => call === "publishedKeys").length;
  const before = asked();
  ann.time.advance(3_000);
  ann.messenger.notifyTyping(keyOf(bob));
  await pollUntil(() => asked() >= before + 2);
}

/** The next write of Ann waits until something was sealed, and then is done or fails. */
function storeAfterSealing(isToFail: boolean): void {
  const sealing = Promise.withResolvers<void>();
  const { seal } = ann.client;
  vi.spyOn(ann.client, "seal").mockImplementation(async (request) => {
    const envelopes = await seal(request);
    steps.push("sealed");
    sealing.resolve();
    return envelopes;
  });
  const { write } = StoreGuard.prototype;
  vi.spyOn(StoreGuard.prototype, "write").mockImplementationOnce(async function (this: StoreGuard, changes) {
    await sealing.promise;
    if (isToFail) {
      steps.push("failed");
      throw new CodedError("LOCAL_STORE_FAILED", "The disk is full");
    }
    await write.call(this, changes);
    steps.push("stored");
  });
  ann.node.refuse = (call): undefined => {
    if (call === "broadcast") steps.push("left");
  };
}

describe("what was typed", () => {
  it("is sealed while it is being stored, and leaves once it is", async () => {
    await type();
    const looked = ann.node.calls.length;
    storeAfterSealing(false);
    await ann.messenger.sendText(keyOf(bob), "five");
    await pollUntil(() => steps.includes("left"), { what: "something leaving" });
    expect(steps).toEqual(["sealed", "stored", "left"]);
    // Nothing had to be asked for.
    expect(ann.node.calls.slice(looked)).toEqual(["broadcast"]);
    await bob.messenger.start();
    await untilTexts(bob, keyOf(ann), [...BEFORE, "five"]);
  });

  it("never leaves where it could not be stored; what follows takes its place", async () => {
    await type();
    storeAfterSealing(true);
    await expect(ann.messenger.sendText(keyOf(bob), "lost")).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
    expect(await textsOf(ann, keyOf(bob))).toEqual(BEFORE);
    await ann.messenger.sendText(keyOf(bob), "five");
    await pollUntil(() => steps.includes("left"), { what: "something leaving" });
    // One was sealed in vain.
    expect(steps).toEqual(["sealed", "failed", "sealed", "left"]);
    await bob.messenger.start();
    await untilTexts(bob, keyOf(ann), [...BEFORE, "five"]);
    await pollUntil(async () => (await chatOf(ann, keyOf(bob))).every(({ state }) => state !== "queued"));
  });

  it("leaves again after a crash between the store and the mailbox, and is there once", async () => {
    await type();
    ann.node.hang.set("broadcast", "after");
    await ann.messenger.sendText(keyOf(bob), "five");
    await pollUntil(() => ann.node.calls.at(-1) === "broadcast");
    await restartAfterCrash(ann, relay);
    await ann.messenger.sendText(keyOf(bob), "six");
    await bob.messenger.start();
    await untilTexts(bob, keyOf(ann), [...BEFORE, "five", "six"]);
  });

  it("is sent once, and what is written meanwhile behind it", async () => {
    const gate = Promise.withResolvers<void>();
    const { broadcast } = ann.node;
    const handedIn = vi.spyOn(ann.node, "broadcast").mockImplementationOnce(async (envelope) => {
      await gate.promise;
      return broadcast.call(ann.node, envelope);
    });
    await type();
    await ann.messenger.sendText(keyOf(bob), "five");
    await pollUntil(() => handedIn.mock.calls.length > 0, { what: "something leaving" });
    await type();
    await ann.messenger.sendText(keyOf(bob), "six");
    expect(handedIn).toHaveBeenCalledTimes(1);
    gate.resolve();
    await pollUntil(async () => (await chatOf(ann, keyOf(bob))).every(({ state }) => state !== "queued"));
    expect(handedIn).toHaveBeenCalledTimes(2);
    await bob.messenger.start();
    await untilTexts(bob, keyOf(ann), [...BEFORE, "five", "six"]);
  });

  it("is not done beside parts of files, whose bytes are in the store only once it is done", async () => {
    await type();
    const order: string[] = [];
    const { seal } = ann.client;
    vi.spyOn(ann.client, "seal").mockImplementation((request) => {
      order.push(...request.requests.map(() => "sealed"));
      return seal(request);
    });
    const { write } = StoreGuard.prototype;
    vi.spyOn(StoreGuard.prototype, "write").mockImplementationOnce(async function (this: StoreGuard, changes) {
      await write.call(this, changes);
      order.push("stored");
    });
    const { storeAndSend } = Outbox.prototype;
    vi.spyOn(Outbox.prototype, "storeAndSend").mockImplementationOnce(async function (this: Outbox, change) {
      const [task] = change.leaving.map((record) => record.task);
      if (task?.kind !== "message") throw new Error("No message leaves");
      await change.batch.putChunk({ author: keyOf(ann), id: task.id, index: 0 }, Uint8Array.of(1, 2, 3), null);
      change.queue(keyOf(bob), { kind: "chunk", key: task.key, id: task.id, index: 0 });
      await storeAndSend.call(this, change);
    });
    await ann.messenger.sendText(keyOf(bob), "five");
    await pollUntil(() => order.length === 3, { what: "the message and the part of a file" });
    expect(order).toEqual(["stored", "sealed", "sealed"]);
  });
});
