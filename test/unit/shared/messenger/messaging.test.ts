import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import {
  chatOf,
  createPair,
  type Device,
  keyOf,
  passTime,
  statesOf,
  summaryOf,
  textsOf,
  untilEmpty,
  untilState,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { kindOf } from "#test/support/worlds/messenger-mail.ts";
import { restartAfterCrash, type TestRelay } from "#test/support/worlds/messenger-world.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
});

afterEach(() => world.stop());

describe("sending", () => {
  it("goes queued, relayed, delivered, read; the other side sees it once and the mailboxes end empty", async () => {
    const seen = new Set<string | null>();
    const view = ann.messenger.openConversation(keyOf(bob));
    view.subscribe(() => {
      for (const { state } of view.getSnapshot().messages) seen.add(state);
    });
    await ann.messenger.sendText(keyOf(bob), "Hello Bob");
    await untilTexts(bob, keyOf(ann), ["Hello Bob"]);
    await untilState(ann, keyOf(bob), "delivered");
    expect(summaryOf(bob, keyOf(ann))).toMatchObject({ unread: 1, isRequest: false, kind: "person" });
    expect(bob.messenger.getSnapshot().totalUnread).toBe(1);
    await bob.messenger.markRead(keyOf(ann));
    await untilState(ann, keyOf(bob), "read");
    expect([...seen]).toEqual(["queued", "relayed", "delivered", "read"]);
    expect(bob.messenger.getSnapshot().totalUnread).toBe(0);
    await untilEmpty(relay, ann, bob);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["Hello Bob"]);
    view.close();
  });

  it("keeps the order of many messages and counts them", async () => {
    const sent = Array.from({ length: 120 }, (_, index) => `message ${index}`);
    for (const text of sent) await ann.messenger.sendText(keyOf(bob), text);
    await pollUntil(() => summaryOf(bob, keyOf(ann))?.unread === sent.length);
    const view = bob.messenger.openConversation(keyOf(ann));
    await view.loadOlder();
    expect(view.getSnapshot().messages).toHaveLength(50);
    expect(view.getSnapshot().hasOlder).toBe(true);
    await view.loadOlder();
    await view.loadOlder();
    expect(view.getSnapshot()).toMatchObject({ hasOlder: false, isLoading: false });
    expect(view.getSnapshot().messages.map(({ body }) => ("text" in body ? body.text : ""))).toEqual(sent);
    view.close();
    await untilEmpty(relay, bob);
  });

  it("reaches every device of the recipient and one's own other devices", async () => {
    const bobs = [bob, await world.join({ phrase: bob.phrase })] as const;
    const anns = [ann, await world.join({ phrase: ann.phrase })] as const;
    await ann.messenger.sendText(keyOf(bob), "to all of you");
    for (const device of bobs) await untilTexts(device, keyOf(ann), ["to all of you"]);
    await untilTexts(anns[1], keyOf(bob), ["to all of you"]);
    expect((await chatOf(anns[1], keyOf(bob)))[0]).toMatchObject({ direction: "out" });
    for (const device of anns) await untilState(device, keyOf(bob), "delivered");
    await bobs[1].messenger.markRead(keyOf(ann));
    for (const device of anns) await untilState(device, keyOf(bob), "read");
    await pollUntil(() => summaryOf(bobs[0], keyOf(ann))?.unread === 0, { what: "the read mark on the other device" });
    await untilEmpty(relay, ...bobs, ...anns);
  });

  it("uses the identity's own key when no device is linked", async () => {
    const carl = await world.join({ isPublished: false });
    relay.published.set(keyOf(carl), { devices: [], identityKey: carl.account.devicePub });
    await ann.messenger.sendText(keyOf(carl), "old style");
    await untilTexts(carl, keyOf(ann), ["old style"]);
    await carl.messenger.refreshContacts();
    await carl.messenger.sendText(keyOf(ann), "and back");
    await untilTexts(ann, keyOf(carl), ["old style", "and back"]);
  });

  it("stops sending to a device that was revoked", async () => {
    const second = await world.join({ phrase: bob.phrase });
    relay.unlink(keyOf(bob), second.account.devicePub);
    await ann.messenger.sendText(keyOf(bob), "secret");
    await untilTexts(bob, keyOf(ann), ["secret"]);
    expect(relay.history.some(({ recipient_pub }) => recipient_pub === second.account.devicePub)).toBe(false);
  });

  it("leaves nothing that is sent later for a device that was revoked in the middle of a conversation", async () => {
    const second = await world.join({ phrase: bob.phrase });
    await ann.messenger.sendText(keyOf(bob), "for both");
    for (const device of [bob, second]) await untilTexts(device, keyOf(ann), ["for both"]);
    await second.messenger.sendText(keyOf(ann), "from the second");
    await untilTexts(ann, keyOf(bob), ["for both", "from the second"]);
    await untilTexts(bob, keyOf(ann), ["for both", "from the second"]);
    relay.unlink(keyOf(bob), second.account.devicePub);
    const before = relay.history.length;
    await ann.messenger.sendText(keyOf(bob), "for one");
    await untilTexts(bob, keyOf(ann), ["for both", "from the second", "for one"]);
    await bob.messenger.sendText(keyOf(ann), "and back");
    const texts = async (): Promise<readonly string[]> => (await textsOf(ann, keyOf(bob))).filter((text) => text !== "device.note");
    await pollUntil(async () => (await texts()).join() === "for both,from the second,for one,and back");
    const opened = await second.keyring.open({ items: relay.history.slice(before) });
    const written = opened.filter(({ plaintext }) => ["text", "sync.sent"].includes(kindOf(plaintext)));
    expect(written).toEqual([]);
    expect((await chatOf(second, keyOf(ann))).map(({ body }) => "text" in body && body.text)).toEqual(["for both", "from the second"]);
  });

  it("fails with the reason when the recipient has published no key, keeps the text, and sends it on retry", async () => {
    const carl = await world.join({ isPublished: false });
    const message = await ann.messenger.sendText(keyOf(carl), "are you there?");
    await untilState(ann, keyOf(carl), "failed");
    expect((await chatOf(ann, keyOf(carl)))[0]?.problem).toMatchObject({ code: "NO_ENCRYPTION_KEY" });
    relay.link(keyOf(carl), carl.account.devicePub);
    await ann.messenger.retry(message);
    await untilTexts(carl, keyOf(ann), ["are you there?"]);
    await pollUntil(async () => (await statesOf(ann, keyOf(carl)))[0] === "relayed");
  });

  it("waits while the chain does not list the own device, and continues when it does", async () => {
    const carl = await world.join({ isPublished: false });
    await pollUntil(() => carl.messenger.getSnapshot().isDevicePublished === false);
    await carl.messenger.sendText(keyOf(ann), "soon");
    await pollUntil(async () => (await chatOf(carl, keyOf(ann)))[0]?.problem?.code === "DEVICE_NOT_PUBLISHED");
    expect(relay.count(ann.account.devicePub)).toBe(0);
    relay.link(keyOf(carl), carl.account.devicePub);
    await carl.messenger.refreshContacts();
    await untilTexts(ann, keyOf(carl), ["soon"]);
    expect(carl.messenger.getSnapshot().isDevicePublished).toBe(true);
  });

  it("fails when the mailbox refuses for good, with one device refusing counts what the others took", async () => {
    const refusal = new CodedError("MAILBOX_FULL", "The recipient's mailbox is full");
    ann.node.refuse = (call): CodedError | undefined => (call === "broadcast" ? refusal : undefined);
    await ann.messenger.sendText(keyOf(bob), "no room");
    await untilState(ann, keyOf(bob), "failed");
    const second = await world.join({ phrase: bob.phrase });
    ann.node.refuse = (call, device): CodedError | undefined =>
      call === "broadcast" && device === second.account.devicePub ? refusal : undefined;
    await ann.messenger.sendText(keyOf(bob), "some room");
    await untilTexts(bob, keyOf(ann), ["some room"]);
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).join() === "failed,delivered,");
  });

  it("tries again with back-off after a passing error, only the devices that are missing", async () => {
    const second = await world.join({ phrase: bob.phrase });
    ann.node.refuse = (call, device): CodedError | undefined =>
      call === "broadcast" && device === second.account.devicePub ? new CodedError("UNAVAILABLE", "full") : undefined;
    await ann.messenger.sendText(keyOf(bob), "twice?");
    await untilTexts(bob, keyOf(ann), ["twice?"]);
    ann.node.refuse = (): undefined => undefined;
    expect(await textsOf(second, keyOf(ann))).toEqual([]);
    await passTime([ann], 1_000, async () => (await textsOf(second, keyOf(ann))).length === 1);
    const copies = relay.history.filter((envelope) => envelope.recipient_pub === bob.account.devicePub && relay.isFrom(ann, envelope));
    expect(copies).toHaveLength(1);
  });

  it("shows a message that could not leave for a day as failed", async () => {
    ann.node.refuse = (call): CodedError | undefined => (call === "broadcast" ? new CodedError("UNAVAILABLE", "down") : undefined);
    await ann.messenger.sendText(keyOf(bob), "late");
    await pollUntil(async () => (await chatOf(ann, keyOf(bob)))[0]?.problem?.code === "UNAVAILABLE");
    expect(await statesOf(ann, keyOf(bob))).toEqual(["queued"]);
    await passTime([ann], 3_600_000, async () => (await statesOf(ann, keyOf(bob))).join() === "failed");
  });

  it("keeps notes to self, on all own devices", async () => {
    const second = await world.join({ phrase: ann.phrase });
    await ann.messenger.sendText(keyOf(ann), "buy tea");
    await untilState(ann, keyOf(ann), "delivered");
    await untilTexts(second, keyOf(ann), ["buy tea"]);
    expect(summaryOf(second, keyOf(ann))).toMatchObject({ kind: "self", unread: 0, isRequest: false });
  });

  it.each([
    ["nothing", ""],
    ["white space", " \n "],
    ["too much", "é".repeat(8_193)],
  ])("refuses %s", async (_, text) => {
    await expect(ann.messenger.sendText(keyOf(bob), text)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("refuses an unknown sender and what is no key", async () => {
    for (const id of ["unknown:ab", "bob", keyOf(bob).toUpperCase()])
      await expect(ann.messenger.sendText(id, "x")).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("offline and back", () => {
  it("keeps what is written and what arrives, and shows it once on return", async () => {
    ann.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "one");
    await ann.messenger.sendText(keyOf(bob), "two");
    expect(ann.messenger.getSnapshot()).toMatchObject({ isOnline: false, queued: 2 });
    await bob.messenger.sendText(keyOf(ann), "three");
    await pollUntil(() => relay.count(ann.account.devicePub) > 0);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["one", "two"]);
    ann.node.setOnline(true);
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).length === 3);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).length === 3);
    await untilEmpty(relay, ann, bob);
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
  });

  it("deletes nothing that could not be stored in the middle of a backlog, and shows it once later", async () => {
    bob.node.setOnline(false);
    const sent = Array.from({ length: 120 }, (_, index) => `message ${index}`);
    for (const text of sent) await ann.messenger.sendText(keyOf(bob), text);
    await pollUntil(() => relay.count(bob.account.devicePub) === sent.length);
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
    // A batch is one transaction, and its reader the first to write now: there is no room for the second one.
    const { put } = IDBObjectStore.prototype;
    const batches: IDBTransaction[] = [];
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...row): IDBRequest<IDBValidKey> {
      const { transaction, name } = this;
      const isOfReader = name === "messages" && transaction.db.name === (batches[0] ?? transaction).db.name;
      if (isOfReader && !batches.includes(transaction)) batches.push(transaction);
      if (isOfReader && transaction !== batches[0]) throw new DOMException("full", "QuotaExceededError");
      return put.apply(this, row);
    };
    try {
      bob.node.setOnline(true);
      await pollUntil(() => batches.length > 1 && relay.count(bob.account.devicePub) <= sent.length - 100);
      expect(summaryOf(bob, keyOf(ann))?.unread).toBe(100);
      expect(relay.count(bob.account.devicePub)).toBe(sent.length - 100);
    } finally {
      IDBObjectStore.prototype.put = put;
    }
    await passTime([bob], 6_000, () => summaryOf(bob, keyOf(ann))?.unread === sent.length);
    await untilEmpty(relay, bob);
  });

  it("finds mail that no push announced", async () => {
    relay.listeners.clear();
    await bob.messenger.sendText(keyOf(ann), "silent");
    await pollUntil(() => relay.count(ann.account.devicePub) === 1);
    await passTime([ann], 61_000, async () => (await textsOf(ann, keyOf(bob))).length === 1);
  });

  it("leaves mail in the mailbox while its sender cannot be checked", async () => {
    const carl = await world.join();
    await ann.messenger.sendText(keyOf(carl), "hi");
    await untilState(ann, keyOf(carl), "relayed");
    let refused = 0;
    ann.node.refuse = (call, master): CodedError | undefined => {
      if (call !== "publishedKeys" || master !== keyOf(carl)) return undefined;
      refused += 1;
      return new CodedError("UNAVAILABLE", "down");
    };
    ann.time.advance(120_000);
    await carl.messenger.sendText(keyOf(ann), "who am I?");
    await passTime([ann], 1_000, () => refused >= 2);
    expect(await textsOf(ann, keyOf(carl))).toEqual(["hi"]);
    // The answer, and the receipt that it makes due.
    await pollUntil(() => relay.count(ann.account.devicePub) === 2);
    ann.node.refuse = (): undefined => undefined;
    await passTime([ann], 1_000, async () => (await textsOf(ann, keyOf(carl))).includes("who am I?"));
    await untilEmpty(relay, ann);
  });
});

describe("restart", () => {
  it("comes back with everything: texts, states, unread, drafts", async () => {
    await ann.messenger.sendText(keyOf(bob), "before");
    await untilTexts(bob, keyOf(ann), ["before"]);
    await bob.messenger.setDraft(keyOf(ann), "half a sen");
    await bob.messenger.stop();
    expect(bob.messenger.getSnapshot()).toMatchObject({ phase: "idle", conversations: [] });
    await bob.messenger.start();
    expect(await textsOf(bob, keyOf(ann))).toEqual(["before"]);
    expect(summaryOf(bob, keyOf(ann))).toMatchObject({ unread: 1, draft: "half a sen" });
  });

  it("sends what was queued when it stopped", async () => {
    ann.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "later");
    await ann.messenger.stop();
    ann.node.setOnline(true);
    await ann.messenger.start();
    await untilTexts(bob, keyOf(ann), ["later"]);
    await untilState(ann, keyOf(bob), "delivered");
  });

  it("keeps a failed message failed until it is retried", async () => {
    const carl = await world.join({ isPublished: false });
    const message = await ann.messenger.sendText(keyOf(carl), "lost?");
    await untilState(ann, keyOf(carl), "failed");
    await ann.messenger.stop();
    relay.link(keyOf(carl), carl.account.devicePub);
    await ann.messenger.start();
    expect(await statesOf(ann, keyOf(carl))).toEqual(["failed"]);
    await ann.messenger.retry(message);
    await untilTexts(carl, keyOf(ann), ["lost?"]);
  });

  it.each([
    ["before the device list was read", "publishedKeys", "before"],
    ["before the envelope was sent", "broadcast", "before"],
    ["after the envelope was sent, before that was noted", "broadcast", "after"],
  ] as const)("after a crash %s sends once more and shows once", async (_, call, when) => {
    ann.node.hang.set(call, when);
    await ann.messenger.sendText(keyOf(bob), "exactly once");
    await pollUntil(() => ann.node.calls.includes(call));
    await restartAfterCrash(ann, relay);
    await untilState(ann, keyOf(bob), "delivered");
    await untilEmpty(relay, ann, bob);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["exactly once"]);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["exactly once"]);
    expect(summaryOf(bob, keyOf(ann))?.unread).toBe(1);
  });

  it.each([
    ["before the mail was listed", "listInbox", "before"],
    ["after the mail was listed", "listInbox", "after"],
    ["after the mail was stored, before it was deleted", "deleteEnvelope", "before"],
    ["after it was deleted, before that was known", "deleteEnvelope", "after"],
  ] as const)("after a crash %s shows each message once", async (_, call, when) => {
    bob.node.hang.set(call, when);
    for (const text of ["a", "b", "c"]) await ann.messenger.sendText(keyOf(bob), text);
    await pollUntil(
      () =>
        bob.node.calls.includes(call) && relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub).length >= 3,
    );
    await restartAfterCrash(bob, relay);
    await untilEmpty(relay, bob);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["a", "b", "c"]);
    expect(summaryOf(bob, keyOf(ann))?.unread).toBe(3);
    await untilState(ann, keyOf(bob), "delivered");
  });

  it("shows a message once that the network brings again, also after it was deleted here", async () => {
    await ann.messenger.sendText(keyOf(bob), "again");
    await untilTexts(bob, keyOf(ann), ["again"]);
    await untilEmpty(relay, bob);
    const [envelope] = relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub);
    relay.store(envelope);
    await untilEmpty(relay, bob);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["again"]);
    await bob.messenger.deleteConversation(keyOf(ann));
    expect(summaryOf(bob, keyOf(ann))).toBeUndefined();
    relay.store({ ...envelope, id: "another-id" });
    await untilEmpty(relay, bob);
    expect(await textsOf(bob, keyOf(ann))).toEqual([]);
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
  });
});
