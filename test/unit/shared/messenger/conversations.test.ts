import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  createPair,
  type Device,
  keyOf,
  summaryOf,
  textsOf,
  untilEmpty,
  untilState,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { createTestMessenger, withoutCards } from "#test/support/worlds/messenger-world.ts";

let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ world, ann, bob } = await createPair());
});

afterEach(() => world.stop());

describe("conversations", () => {
  it("are listed newest first with last message and draft", async () => {
    const carl = await world.join();
    await ann.messenger.sendText(keyOf(bob), "first");
    ann.time.advance(1_000);
    await ann.messenger.sendText(keyOf(carl), "second");
    expect(ann.messenger.getSnapshot().conversations.map(({ id }) => id)).toEqual([keyOf(carl), keyOf(bob)]);
    ann.time.advance(1_000);
    await ann.messenger.setDraft(keyOf(bob), "third");
    expect(ann.messenger.getSnapshot().conversations.map(({ id }) => id)).toEqual([keyOf(bob), keyOf(carl)]);
    expect(summaryOf(ann, keyOf(bob))).toMatchObject({ draft: "third", lastMessage: { body: { text: "first" }, direction: "out" } });
    await ann.messenger.setDraft(keyOf(bob), "");
    expect(ann.messenger.getSnapshot().conversations.map(({ id }) => id)).toEqual([keyOf(carl), keyOf(bob)]);
  });

  it("with a draft alone are no request and vanish with it", async () => {
    const carl = await world.join();
    await ann.messenger.setDraft(keyOf(carl), "hm");
    expect(summaryOf(ann, keyOf(carl))).toMatchObject({ draft: "hm", isRequest: false, lastMessage: null });
    await ann.messenger.setDraft(keyOf(carl), "");
    expect(summaryOf(ann, keyOf(carl))).toBeUndefined();
  });

  it("give the same object until they change", async () => {
    const carl = await world.join();
    await ann.messenger.sendText(keyOf(bob), "x");
    await untilState(ann, keyOf(bob), "delivered");
    await untilEmpty(world.relay, ann);
    const before = summaryOf(ann, keyOf(bob));
    await ann.messenger.setDraft(keyOf(carl), "y");
    expect(summaryOf(ann, keyOf(bob))).toBe(before);
    expect(ann.messenger.getSnapshot()).toBe(ann.messenger.getSnapshot());
  });

  it("show one's own message while it is being stored, and not when it cannot be", async () => {
    const view = ann.messenger.openConversation(keyOf(bob));
    await view.loadOlder();
    const seen: string[] = [];
    const stop = view.subscribe(() =>
      seen.push(
        view
          .getSnapshot()
          .messages.map(({ body }) => ("text" in body ? body.text : ""))
          .join(),
      ),
    );
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = (): never => {
      expect(seen).toEqual(["no room"]);
      throw new DOMException("full", "QuotaExceededError");
    };
    try {
      await expect(ann.messenger.sendText(keyOf(bob), "no room")).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    expect(seen).toEqual(["no room", ""]);
    expect(summaryOf(ann, keyOf(bob))).toBeUndefined();
    expect(ann.messenger.getSnapshot().queued).toBe(0);
    stop();
    view.close();
  });

  it("forget a deleted message and one that was waiting is not sent", async () => {
    ann.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "keep");
    const message = await ann.messenger.sendText(keyOf(bob), "discard");
    const view = ann.messenger.openConversation(keyOf(bob));
    await view.loadOlder();
    await ann.messenger.deleteMessage(message);
    expect(view.getSnapshot().messages).toHaveLength(1);
    view.close();
    expect(summaryOf(ann, keyOf(bob))?.lastMessage?.body).toMatchObject({ text: "keep" });
    ann.node.setOnline(true);
    await untilTexts(bob, keyOf(ann), ["keep"]);
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["keep"]);
  });
});

describe("typing", () => {
  it("is sent and shown only where both chose it, and ends by itself or with the message, also where devices show no cards", async () => {
    withoutCards(ann, bob);
    ann.messenger.notifyTyping(keyOf(bob));
    for (const device of [ann, bob]) device.messenger.setSettings({ sendReadReceipts: true, typing: true });
    await ann.messenger.sendText(keyOf(bob), "a");
    await untilTexts(bob, keyOf(ann), ["a"]);
    await bob.messenger.sendText(keyOf(ann), "b");
    await untilTexts(ann, keyOf(bob), ["a", "b"]);
    expect(summaryOf(bob, keyOf(ann))?.isTyping).toBe(false);
    ann.messenger.notifyTyping(keyOf(bob));
    await pollUntil(() => summaryOf(bob, keyOf(ann))?.isTyping === true);
    bob.time.advance(6_000);
    expect(summaryOf(bob, keyOf(ann))?.isTyping).toBe(false);
    ann.time.advance(5_000);
    ann.messenger.notifyTyping(keyOf(bob));
    await pollUntil(() => summaryOf(bob, keyOf(ann))?.isTyping === true);
    await ann.messenger.sendText(keyOf(bob), "c");
    await pollUntil(() => summaryOf(bob, keyOf(ann))?.isTyping === false);
  });
});

describe("tabs and locks", () => {
  it("runs in one tab; the other waits and takes over", async () => {
    const other = createTestMessenger(ann, ann.node);
    await other.start();
    expect(other.getSnapshot().phase).toBe("otherTab");
    expect(() => other.openConversation(keyOf(bob))).toThrowError(expect.objectContaining({ code: "MESSENGER_UNAVAILABLE" }));
    await expect(other.sendText(keyOf(bob), "x")).rejects.toMatchObject({ code: "MESSENGER_UNAVAILABLE" });
    await ann.messenger.sendText(keyOf(bob), "from the first tab");
    await ann.messenger.stop();
    await pollUntil(() => other.getSnapshot().phase === "running");
    expect(other.getSnapshot().conversations).toHaveLength(1);
    await other.stop();
  });

  it("gives up waiting when it is stopped", async () => {
    const other = createTestMessenger(ann, ann.node);
    await other.start();
    await other.stop();
    expect(other.getSnapshot().phase).toBe("idle");
    await ann.messenger.stop();
    await other.start();
    expect(other.getSnapshot().phase).toBe("running");
    await other.stop();
  });

  it("continues while the wallet is locked and stops when everything is", async () => {
    await bob.keyring.lockWallet();
    await ann.messenger.sendText(keyOf(bob), "still there?");
    await untilTexts(bob, keyOf(ann), ["still there?"]);
    await bob.messenger.sendText(keyOf(ann), "yes");
    await untilTexts(ann, keyOf(bob), ["still there?", "yes"]);
    await bob.keyring.lock();
    await pollUntil(() => bob.messenger.getSnapshot().phase === "idle");
    await expect(bob.messenger.start()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(bob.messenger.getSnapshot()).toMatchObject({ phase: "failed", problem: { code: "KEYRING_LOCKED" } });
    await bob.keyring.unlock({ password: "correct horse battery" });
    await bob.messenger.start();
    expect(await textsOf(bob, keyOf(ann))).toEqual(["still there?", "yes"]);
  });
});
