import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChatMessage, ConversationSummary, ConversationView } from "#renderer/messenger/messenger.ts";
import type { IncomingContent, KnownBody } from "#shared/content/content.ts";
import { frameContent } from "#shared/content/content-frame.ts";
import { decodePlaintext } from "#shared/content/decode-content.ts";
import { encodeContent } from "#shared/content/encode-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { encodeCbor } from "#shared/protocol/cbor.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { systemRandom } from "#test/support/keyring-world.ts";
import {
  createDevice,
  createTestMessenger,
  restartAfterCrash,
  TEST_CHAIN,
  type TestDevice,
  TestRelay,
} from "#test/support/messenger-world.ts";
import { pollUntil } from "#test/support/poll-until.ts";

type Device = TestDevice & { readonly phrase: string };

let relay: TestRelay;
let ann: Device;
let bob: Device;
let devices: Device[];

async function join(options: Parameters<typeof createDevice>[1] = {}): Promise<Device> {
  const device = await createDevice(relay, options);
  devices.push(device);
  await device.messenger.start();
  return device;
}

beforeEach(async () => {
  relay = new TestRelay();
  devices = [];
  ann = await join();
  bob = await join();
  relay.setContact(ann.account.masterPub, bob.account.masterPub, "accepted");
  await ann.messenger.refreshContacts();
  await bob.messenger.refreshContacts();
});

afterEach(async () => {
  for (const device of devices) await device.messenger.stop();
});

const key = (device: Device): string => device.account.masterPub;

/** Kind of the content that a plaintext is, or "". */
function kindOf(plaintext: Uint8Array | null): string {
  const decoded = plaintext === null ? undefined : decodePlaintext(plaintext);
  return decoded?.form === "content" ? decoded.content.body.kind : "";
}

/** Messages of a chat as they stand in the store now. */
async function chat(device: Device, id: string): Promise<readonly ChatMessage[]> {
  const view = device.messenger.openConversation(id);
  await view.loadOlder();
  const { messages } = view.getSnapshot();
  view.close();
  return messages;
}

async function texts(device: Device, id: string): Promise<readonly string[]> {
  return (await chat(device, id)).map(({ body }) => ("text" in body ? body.text : body.kind));
}

async function states(device: Device, id: string): Promise<readonly (string | null)[]> {
  return (await chat(device, id)).map(({ state }) => state);
}

function summary(device: Device, id: string): ConversationSummary | undefined {
  return device.messenger.getSnapshot().conversations.find((conversation) => conversation.id === id);
}

async function untilTexts(device: Device, id: string, expected: readonly string[]): Promise<void> {
  await pollUntil(async () => (await texts(device, id)).join("|") === expected.join("|"), { what: `${expected.join("|")} in the chat` });
}

async function untilState(device: Device, id: string, expected: string): Promise<void> {
  await pollUntil(async () => (await states(device, id)).every((state) => state === expected || state === null), {
    what: `state ${expected}`,
  });
}

async function untilEmpty(...all: readonly Device[]): Promise<void> {
  await pollUntil(() => all.every(({ account }) => relay.count(account.devicePub) === 0), { what: "empty mailboxes" });
}

/** Lets a device's time pass step by step until something holds: its timers are set only after what they follow. */
async function passTime(device: Device, stepMs: number, condition: () => boolean | Promise<boolean>): Promise<void> {
  await pollUntil(async () => {
    device.time.advance(stepMs);
    return condition();
  });
}

/** Puts an envelope of any plaintext into a device's mailbox. */
async function deliverPlaintext(from: Device, to: Device, plaintext: Uint8Array, claimed = key(from)): Promise<void> {
  const [envelope] = await from.client.seal({ requests: [{ plaintext, recipients: [to.account.devicePub], sentAt: 1_799_999_000 }] });
  relay.store({ ...envelope, sender_ed25519_pub: claimed });
}

function contentOf(from: Device, to: Device, body: KnownBody, fields: Partial<IncomingContent> = {}): Uint8Array {
  return encodeContent({
    id: toHex(systemRandom(16)),
    from: key(from),
    fromDevice: from.account.devicePub,
    to: key(to),
    chainId: TEST_CHAIN,
    at: 1_799_999_999_000,
    ...fields,
    body,
  });
}

describe("sending", () => {
  it("goes queued, relayed, delivered, read; the other side sees it once and the mailboxes end empty", async () => {
    const seen = new Set<string | null>();
    const view = ann.messenger.openConversation(key(bob));
    view.subscribe(() => {
      for (const { state } of view.getSnapshot().messages) seen.add(state);
    });
    await ann.messenger.sendText(key(bob), "Hello Bob");
    await untilTexts(bob, key(ann), ["Hello Bob"]);
    await untilState(ann, key(bob), "delivered");
    expect(summary(bob, key(ann))).toMatchObject({ unread: 1, isRequest: false, kind: "person" });
    expect(bob.messenger.getSnapshot().totalUnread).toBe(1);
    await bob.messenger.markRead(key(ann));
    await untilState(ann, key(bob), "read");
    expect([...seen]).toEqual(["queued", "relayed", "delivered", "read"]);
    expect(bob.messenger.getSnapshot().totalUnread).toBe(0);
    await untilEmpty(ann, bob);
    expect(await texts(bob, key(ann))).toEqual(["Hello Bob"]);
    view.close();
  });

  it("keeps the order of many messages and counts them", async () => {
    const sent = Array.from({ length: 120 }, (_, index) => `message ${index}`);
    for (const text of sent) await ann.messenger.sendText(key(bob), text);
    await pollUntil(() => summary(bob, key(ann))?.unread === sent.length);
    const view = bob.messenger.openConversation(key(ann));
    await view.loadOlder();
    expect(view.getSnapshot().messages).toHaveLength(50);
    expect(view.getSnapshot().hasOlder).toBe(true);
    await view.loadOlder();
    await view.loadOlder();
    expect(view.getSnapshot()).toMatchObject({ hasOlder: false, isLoading: false });
    expect(view.getSnapshot().messages.map(({ body }) => ("text" in body ? body.text : ""))).toEqual(sent);
    view.close();
    await untilEmpty(bob);
  });

  it("reaches every device of the recipient and one's own other devices", async () => {
    const bobs = [bob, await join({ phrase: bob.phrase })] as const;
    const anns = [ann, await join({ phrase: ann.phrase })] as const;
    await ann.messenger.sendText(key(bob), "to all of you");
    for (const device of bobs) await untilTexts(device, key(ann), ["to all of you"]);
    await untilTexts(anns[1], key(bob), ["to all of you"]);
    expect((await chat(anns[1], key(bob)))[0]).toMatchObject({ direction: "out" });
    for (const device of anns) await untilState(device, key(bob), "delivered");
    await bobs[1].messenger.markRead(key(ann));
    for (const device of anns) await untilState(device, key(bob), "read");
    await pollUntil(() => summary(bobs[0], key(ann))?.unread === 0, { what: "the read mark on the other device" });
    await untilEmpty(...bobs, ...anns);
  });

  it("uses the identity's own key when no device is linked", async () => {
    const carl = await join({ isPublished: false });
    relay.published.set(key(carl), { devices: [], identityKey: carl.account.devicePub });
    await ann.messenger.sendText(key(carl), "old style");
    await untilTexts(carl, key(ann), ["old style"]);
    await carl.messenger.refreshContacts();
    await carl.messenger.sendText(key(ann), "and back");
    await untilTexts(ann, key(carl), ["old style", "and back"]);
  });

  it("stops sending to a device that was revoked", async () => {
    const second = await join({ phrase: bob.phrase });
    relay.unlink(key(bob), second.account.devicePub);
    await ann.messenger.sendText(key(bob), "secret");
    await untilTexts(bob, key(ann), ["secret"]);
    expect(relay.history.some(({ recipient_pub }) => recipient_pub === second.account.devicePub)).toBe(false);
  });

  it("leaves nothing that is sent later for a device that was revoked in the middle of a conversation", async () => {
    const second = await join({ phrase: bob.phrase });
    await ann.messenger.sendText(key(bob), "for both");
    for (const device of [bob, second]) await untilTexts(device, key(ann), ["for both"]);
    await second.messenger.sendText(key(ann), "from the second");
    await untilTexts(ann, key(bob), ["for both", "from the second"]);
    await untilTexts(bob, key(ann), ["for both", "from the second"]);
    relay.unlink(key(bob), second.account.devicePub);
    const before = relay.history.length;
    await ann.messenger.sendText(key(bob), "for one");
    await untilTexts(bob, key(ann), ["for both", "from the second", "for one"]);
    await bob.messenger.sendText(key(ann), "and back");
    await untilTexts(ann, key(bob), ["for both", "from the second", "for one", "and back"]);
    const opened = await second.keyring.open({ items: relay.history.slice(before) });
    const written = opened.filter(({ plaintext }) => ["text", "sync.sent"].includes(kindOf(plaintext)));
    expect(written).toEqual([]);
    expect((await chat(second, key(ann))).map(({ body }) => "text" in body && body.text)).toEqual(["for both", "from the second"]);
  });

  it("fails with the reason when the recipient has published no key, keeps the text, and sends it on retry", async () => {
    const carl = await join({ isPublished: false });
    const message = await ann.messenger.sendText(key(carl), "are you there?");
    await untilState(ann, key(carl), "failed");
    expect((await chat(ann, key(carl)))[0]?.problem).toMatchObject({ code: "NO_ENCRYPTION_KEY" });
    relay.link(key(carl), carl.account.devicePub);
    await ann.messenger.retry(message);
    await untilTexts(carl, key(ann), ["are you there?"]);
    await pollUntil(async () => (await states(ann, key(carl)))[0] === "relayed");
  });

  it("waits while the chain does not list the own device, and goes on when it does", async () => {
    const carl = await join({ isPublished: false });
    await pollUntil(() => carl.messenger.getSnapshot().isDevicePublished === false);
    await carl.messenger.sendText(key(ann), "soon");
    await pollUntil(async () => (await chat(carl, key(ann)))[0]?.problem?.code === "DEVICE_NOT_PUBLISHED");
    expect(relay.count(ann.account.devicePub)).toBe(0);
    relay.link(key(carl), carl.account.devicePub);
    await carl.messenger.refreshContacts();
    await untilTexts(ann, key(carl), ["soon"]);
    expect(carl.messenger.getSnapshot().isDevicePublished).toBe(true);
  });

  it("fails when the mailbox refuses for good, with one device refusing counts what the others took", async () => {
    const refusal = new CodedError("MAILBOX_FULL", "The recipient's mailbox is full");
    ann.node.refuse = (call): CodedError | undefined => (call === "broadcast" ? refusal : undefined);
    await ann.messenger.sendText(key(bob), "no room");
    await untilState(ann, key(bob), "failed");
    const second = await join({ phrase: bob.phrase });
    ann.node.refuse = (call, device): CodedError | undefined =>
      call === "broadcast" && device === second.account.devicePub ? refusal : undefined;
    await ann.messenger.sendText(key(bob), "some room");
    await untilTexts(bob, key(ann), ["some room"]);
    await pollUntil(async () => (await states(ann, key(bob))).join() === "failed,delivered");
  });

  it("tries again with back-off after a passing error, only the devices that are missing", async () => {
    const second = await join({ phrase: bob.phrase });
    ann.node.refuse = (call, device): CodedError | undefined =>
      call === "broadcast" && device === second.account.devicePub ? new CodedError("UNAVAILABLE", "full") : undefined;
    await ann.messenger.sendText(key(bob), "twice?");
    await untilTexts(bob, key(ann), ["twice?"]);
    ann.node.refuse = (): undefined => undefined;
    expect(await texts(second, key(ann))).toEqual([]);
    await passTime(ann, 1_000, async () => (await texts(second, key(ann))).length === 1);
    const copies = relay.history.filter(
      ({ recipient_pub, sender_pub }) => recipient_pub === bob.account.devicePub && sender_pub === ann.account.devicePub,
    );
    expect(copies).toHaveLength(1);
  });

  it("shows a message that could not leave for a day as failed", async () => {
    ann.node.refuse = (call): CodedError | undefined => (call === "broadcast" ? new CodedError("UNAVAILABLE", "down") : undefined);
    await ann.messenger.sendText(key(bob), "late");
    await pollUntil(async () => (await chat(ann, key(bob)))[0]?.problem?.code === "UNAVAILABLE");
    expect(await states(ann, key(bob))).toEqual(["queued"]);
    await passTime(ann, 3_600_000, async () => (await states(ann, key(bob))).join() === "failed");
  });

  it("keeps notes to self, on all own devices", async () => {
    const second = await join({ phrase: ann.phrase });
    await ann.messenger.sendText(key(ann), "buy tea");
    await untilState(ann, key(ann), "delivered");
    await untilTexts(second, key(ann), ["buy tea"]);
    expect(summary(second, key(ann))).toMatchObject({ kind: "self", unread: 0, isRequest: false });
  });

  it.each([
    ["nothing", ""],
    ["white space", " \n "],
    ["too much", "é".repeat(8_193)],
  ])("refuses %s", async (_, text) => {
    await expect(ann.messenger.sendText(key(bob), text)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("refuses an unknown sender and what is no key", async () => {
    for (const id of ["unknown:ab", "bob", key(bob).toUpperCase()])
      await expect(ann.messenger.sendText(id, "x")).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("offline and back", () => {
  it("keeps what is written and what arrives, and shows it once on return", async () => {
    ann.node.setOnline(false);
    await ann.messenger.sendText(key(bob), "one");
    await ann.messenger.sendText(key(bob), "two");
    expect(ann.messenger.getSnapshot()).toMatchObject({ isOnline: false, queued: 2 });
    await bob.messenger.sendText(key(ann), "three");
    await pollUntil(() => relay.count(ann.account.devicePub) > 0);
    expect(await texts(ann, key(bob))).toEqual(["one", "two"]);
    ann.node.setOnline(true);
    await pollUntil(async () => (await texts(ann, key(bob))).length === 3);
    await pollUntil(async () => (await texts(bob, key(ann))).length === 3);
    await untilEmpty(ann, bob);
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
  });

  it("finds mail that no push announced", async () => {
    relay.listeners.clear();
    await bob.messenger.sendText(key(ann), "silent");
    await pollUntil(() => relay.count(ann.account.devicePub) === 1);
    await passTime(ann, 61_000, async () => (await texts(ann, key(bob))).length === 1);
  });

  it("leaves mail in the mailbox while its sender cannot be checked", async () => {
    const carl = await join();
    await ann.messenger.sendText(key(carl), "hi");
    await untilState(ann, key(carl), "relayed");
    let refused = 0;
    ann.node.refuse = (call, master): CodedError | undefined => {
      if (call !== "publishedKeys" || master !== key(carl)) return undefined;
      refused += 1;
      return new CodedError("UNAVAILABLE", "down");
    };
    ann.time.advance(120_000);
    await carl.messenger.sendText(key(ann), "who am I?");
    await passTime(ann, 1_000, () => refused >= 2);
    expect(await texts(ann, key(carl))).toEqual(["hi"]);
    expect(relay.count(ann.account.devicePub)).toBe(1);
    ann.node.refuse = (): undefined => undefined;
    await passTime(ann, 1_000, async () => (await texts(ann, key(carl))).includes("who am I?"));
    await untilEmpty(ann);
  });
});

describe("restart", () => {
  it("comes back with everything: texts, states, unread, drafts", async () => {
    await ann.messenger.sendText(key(bob), "before");
    await untilTexts(bob, key(ann), ["before"]);
    await bob.messenger.setDraft(key(ann), "half a sen");
    await bob.messenger.stop();
    expect(bob.messenger.getSnapshot()).toMatchObject({ phase: "idle", conversations: [] });
    await bob.messenger.start();
    expect(await texts(bob, key(ann))).toEqual(["before"]);
    expect(summary(bob, key(ann))).toMatchObject({ unread: 1, draft: "half a sen" });
  });

  it("sends what was queued when it stopped", async () => {
    ann.node.setOnline(false);
    await ann.messenger.sendText(key(bob), "later");
    await ann.messenger.stop();
    ann.node.setOnline(true);
    await ann.messenger.start();
    await untilTexts(bob, key(ann), ["later"]);
    await untilState(ann, key(bob), "delivered");
  });

  it("keeps a failed message failed until it is retried", async () => {
    const carl = await join({ isPublished: false });
    const message = await ann.messenger.sendText(key(carl), "lost?");
    await untilState(ann, key(carl), "failed");
    await ann.messenger.stop();
    relay.link(key(carl), carl.account.devicePub);
    await ann.messenger.start();
    expect(await states(ann, key(carl))).toEqual(["failed"]);
    await ann.messenger.retry(message);
    await untilTexts(carl, key(ann), ["lost?"]);
  });

  it.each([
    ["before the device list was read", "publishedKeys", "before"],
    ["before the envelope was sent", "broadcast", "before"],
    ["after the envelope was sent, before that was noted", "broadcast", "after"],
  ] as const)("after a crash %s sends once more and shows once", async (_, call, when) => {
    ann.node.hang.set(call, when);
    await ann.messenger.sendText(key(bob), "exactly once");
    await pollUntil(() => ann.node.calls.includes(call));
    await restartAfterCrash(ann, relay);
    await untilState(ann, key(bob), "delivered");
    await untilEmpty(ann, bob);
    expect(await texts(bob, key(ann))).toEqual(["exactly once"]);
    expect(await texts(ann, key(bob))).toEqual(["exactly once"]);
    expect(summary(bob, key(ann))?.unread).toBe(1);
  });

  it.each([
    ["before the mail was listed", "listInbox", "before"],
    ["after the mail was listed", "listInbox", "after"],
    ["after the mail was stored, before it was deleted", "deleteEnvelope", "before"],
    ["after it was deleted, before that was known", "deleteEnvelope", "after"],
  ] as const)("after a crash %s shows each message once", async (_, call, when) => {
    bob.node.hang.set(call, when);
    for (const text of ["a", "b", "c"]) await ann.messenger.sendText(key(bob), text);
    await pollUntil(
      () =>
        bob.node.calls.includes(call) && relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub).length >= 3,
    );
    await restartAfterCrash(bob, relay);
    await untilEmpty(bob);
    expect(await texts(bob, key(ann))).toEqual(["a", "b", "c"]);
    expect(summary(bob, key(ann))?.unread).toBe(3);
    await untilState(ann, key(bob), "delivered");
  });

  it("shows a message once that the network brings again, also after it was deleted here", async () => {
    await ann.messenger.sendText(key(bob), "again");
    await untilTexts(bob, key(ann), ["again"]);
    await untilEmpty(bob);
    const [envelope] = relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub);
    relay.store(envelope);
    await untilEmpty(bob);
    expect(await texts(bob, key(ann))).toEqual(["again"]);
    await bob.messenger.deleteConversation(key(ann));
    expect(summary(bob, key(ann))).toBeUndefined();
    relay.store({ ...envelope, id: "another-id" });
    await untilEmpty(bob);
    expect(await texts(bob, key(ann))).toEqual([]);
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
  });
});

describe("receipts", () => {
  it("are not sent to strangers, who are shown as requests until they are accepted or answered", async () => {
    const eve = await join();
    await eve.messenger.sendText(key(bob), "buy now");
    await untilTexts(bob, key(eve), ["buy now"]);
    expect(summary(bob, key(eve))).toMatchObject({ isRequest: true, unread: 1 });
    expect(bob.messenger.getSnapshot()).toMatchObject({ totalUnread: 0, unreadRequests: 1 });
    await bob.messenger.markRead(key(eve));
    await untilEmpty(bob);
    expect(relay.history.filter(({ recipient_pub }) => recipient_pub === eve.account.devicePub)).toEqual([]);
    await eve.messenger.sendText(key(bob), "really");
    await untilTexts(bob, key(eve), ["buy now", "really"]);
    relay.setContact(key(eve), key(bob), "accepted");
    await bob.messenger.refreshContacts();
    expect(summary(bob, key(eve))?.isRequest).toBe(false);
    await bob.messenger.markRead(key(eve));
    await pollUntil(async () => (await states(eve, key(bob))).join() === "relayed,read");
  });

  it("treat whoever was written to as known", async () => {
    const eve = await join();
    await bob.messenger.sendText(key(eve), "hello Eve");
    await eve.messenger.sendText(key(bob), "hello Bob");
    await untilState(eve, key(bob), "delivered");
    expect(summary(bob, key(eve))?.isRequest).toBe(false);
  });

  it("are not sent for reading when the person does not want that", async () => {
    bob.messenger.setSettings({ sendReadReceipts: false, typing: false, hideSender: false });
    await ann.messenger.sendText(key(bob), "private");
    await untilState(ann, key(bob), "delivered");
    await bob.messenger.markRead(key(ann));
    await bob.messenger.sendText(key(ann), "done");
    await untilTexts(ann, key(bob), ["private", "done"]);
    expect((await states(ann, key(bob)))[0]).toBe("delivered");
  });

  it("are sent while the chat is visible, as messages arrive", async () => {
    const view: ConversationView = bob.messenger.openConversation(key(ann));
    view.setVisible(true);
    await ann.messenger.sendText(key(bob), "watching?");
    await untilState(ann, key(bob), "read");
    view.setVisible(false);
    await ann.messenger.sendText(key(bob), "and now?");
    await pollUntil(async () => (await states(ann, key(bob))).join() === "read,delivered");
    expect(summary(bob, key(ann))?.unread).toBe(1);
    view.setVisible(true);
    await untilState(ann, key(bob), "read");
    view.close();
  });

  it("count only from the person the message was sent to", async () => {
    const eve = await join();
    relay.setContact(key(ann), key(eve), "accepted");
    await ann.messenger.refreshContacts();
    bob.node.kill();
    await ann.messenger.sendText(key(bob), "for Bob only");
    await untilState(ann, key(bob), "relayed");
    const view = bob.messenger.openConversation(key(ann));
    view.close();
    const sent = await idsSentTo(bob);
    await deliverPlaintext(eve, ann, contentOf(eve, ann, { kind: "receipt", status: "read", ids: sent }));
    await untilEmpty(ann);
    expect(await states(ann, key(bob))).toEqual(["relayed"]);
  });

  it("may come before the message on another own device", async () => {
    const second = await join({ phrase: ann.phrase });
    second.node.setOnline(false);
    await ann.messenger.sendText(key(bob), "quick");
    await untilState(ann, key(bob), "delivered");
    const mailbox = relay.mailboxes.get(second.account.devicePub);
    await pollUntil(() => (mailbox?.size ?? 0) >= 2);
    const [sent] = [...(mailbox?.values() ?? [])].filter(({ sender_pub }) => sender_pub === ann.account.devicePub);
    mailbox?.delete(sent?.id ?? "");
    second.node.setOnline(true);
    await untilEmpty(second);
    expect(await texts(second, key(bob))).toEqual([]);
    relay.store(sent);
    await untilTexts(second, key(bob), ["quick"]);
    expect(await states(second, key(bob))).toEqual(["delivered"]);
  });

  it("mark a message as read that another own device read before it arrived here", async () => {
    const second = await join({ phrase: bob.phrase });
    second.node.setOnline(false);
    await ann.messenger.sendText(key(bob), "seen there");
    await untilTexts(bob, key(ann), ["seen there"]);
    await bob.messenger.markRead(key(ann));
    const mailbox = relay.mailboxes.get(second.account.devicePub);
    await pollUntil(() => (mailbox?.size ?? 0) >= 2);
    const [message] = [...(mailbox?.values() ?? [])].filter(({ sender_pub }) => sender_pub === ann.account.devicePub);
    mailbox?.delete(message?.id ?? "");
    second.node.setOnline(true);
    await untilEmpty(second);
    relay.store(message);
    await untilTexts(second, key(ann), ["seen there"]);
    expect(summary(second, key(ann))?.unread).toBe(0);
  });
});

/** Ids of the messages in a device's mailbox, opened with its own key. */
async function idsSentTo(device: Device): Promise<readonly string[]> {
  const { decodePlaintext } = await import("#shared/content/decode-content.ts");
  const envelopes = relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub);
  const opened = await device.keyring.open({ items: envelopes });
  return opened.flatMap(({ plaintext }) => {
    const decoded = decodePlaintext(plaintext ?? new Uint8Array());
    return decoded.form === "content" && decoded.content.body.kind === "text" ? [decoded.content.id] : [];
  });
}

describe("receiving from anybody", () => {
  const text = { kind: "text", text: "trust me" } as const;

  it.each<[string, () => Partial<IncomingContent>]>([
    ["another device inside", (): Partial<IncomingContent> => ({ fromDevice: ann.account.devicePub })],
    ["another recipient inside", (): Partial<IncomingContent> => ({ to: key(ann) })],
    ["another network inside", (): Partial<IncomingContent> => ({ chainId: "parley-other" })],
    ["oneself as its author", (): Partial<IncomingContent> => ({ from: key(bob) })],
  ])("drops a message with %s", async (_, fields) => {
    const eve = await join();
    await deliverPlaintext(eve, bob, contentOf(eve, bob, text, fields()));
    await untilEmpty(bob);
    expect(bob.messenger.getSnapshot()).toMatchObject({ droppedEnvelopes: 1, conversations: [] });
  });

  it("shows a message in somebody's name from a device that is not theirs as of an unknown sender", async () => {
    const eve = await join();
    await deliverPlaintext(eve, bob, contentOf(eve, bob, text, { from: key(ann) }), key(ann));
    const unknown = `unknown:${eve.account.devicePub}`;
    await untilTexts(bob, unknown, ["trust me"]);
    expect(summary(bob, unknown)).toMatchObject({ kind: "unknown", peer: null, devicePub: eve.account.devicePub, isRequest: true });
    expect(await texts(bob, key(ann))).toEqual([]);
  });

  it("takes receipts and device messages from nobody but whom they belong to", async () => {
    const eve = await join();
    await ann.messenger.sendText(key(bob), "mine");
    await untilState(ann, key(bob), "delivered");
    const ids = await idsSentTo(bob);
    const forged: readonly Uint8Array[] = [
      contentOf(eve, ann, { kind: "receipt", status: "read", ids }, { from: key(bob) }),
      contentOf(eve, ann, { kind: "sync.sent", peer: key(bob), id: toHex(systemRandom(16)), at: 1, body: text }),
      contentOf(eve, ann, { kind: "sync.sent", peer: key(bob), id: toHex(systemRandom(16)), at: 1, body: text }, { from: key(ann) }),
      contentOf(eve, ann, { kind: "sync.read", peer: key(bob), ids }, { from: key(ann) }),
    ];
    for (const plaintext of forged) await deliverPlaintext(eve, ann, plaintext);
    await untilEmpty(ann);
    expect(ann.messenger.getSnapshot().droppedEnvelopes).toBe(forged.length);
    expect(await texts(ann, key(bob))).toEqual(["mine"]);
    expect(await states(ann, key(bob))).toEqual(["delivered"]);
  });

  it("shows plain text of other programs, named only where the chain lists the device", async () => {
    const eve = await join();
    await deliverPlaintext(ann, bob, utf8("from a shell"));
    await untilTexts(bob, key(ann), ["from a shell"]);
    expect((await chat(bob, key(ann)))[0]).toMatchObject({ direction: "in", body: { kind: "plain" }, at: 1_799_999_000_000 });
    await deliverPlaintext(eve, bob, utf8("I am Ann"), key(ann));
    await deliverPlaintext(eve, bob, utf8("I am nobody"), "");
    await untilTexts(bob, `unknown:${eve.account.devicePub}`, ["I am Ann", "I am nobody"]);
    expect(await texts(bob, key(ann))).toEqual(["from a shell"]);
    await bob.messenger.markRead(key(ann));
    await untilEmpty(ann, bob);
    expect(ann.messenger.getSnapshot().droppedEnvelopes).toBe(0);
  });

  it("keeps kinds of later versions and shows their fallback", async () => {
    const later = { body: { emoji: "+" }, kind: "reaction.v2", fallback: "Ann liked it", id: systemRandom(16), at: 1, chain: TEST_CHAIN };
    const fields = { from: fromHex(key(ann)), dev: fromHex(ann.account.devicePub), to: fromHex(key(bob)) };
    await deliverPlaintext(ann, bob, frameContent(encodeCbor({ ...later, ...fields })));
    await pollUntil(async () => (await chat(bob, key(ann))).length === 1);
    expect((await chat(bob, key(ann)))[0]?.body).toEqual({ kind: "unsupported", name: "reaction.v2", fallback: "Ann liked it" });
    const newer = frameContent(encodeCbor({})).with(4, 9);
    await deliverPlaintext(ann, bob, newer);
    await pollUntil(async () => (await chat(bob, key(ann))).length === 2);
  });

  it("drops what cannot be opened or read, and clears it away", async () => {
    const [envelope] = await ann.client.seal({ requests: [{ plaintext: utf8("x"), recipients: [bob.account.devicePub], sentAt: 1 }] });
    relay.store({ ...envelope, id: "garbage", ciphertext: Buffer.alloc(40).toString("base64") });
    await deliverPlaintext(ann, bob, frameContent(Uint8Array.of(0xff)));
    await untilEmpty(bob);
    await pollUntil(() => bob.messenger.getSnapshot().droppedEnvelopes === 2);
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
  });

  it("is not stopped by a name that the node refuses to look up", async () => {
    const eve = await join();
    bob.node.refuse = (call, master): CodedError | undefined =>
      call === "publishedKeys" && master === "ee".repeat(32) ? new CodedError("BAD_REQUEST", "not a key") : undefined;
    await deliverPlaintext(eve, bob, contentOf(eve, bob, text, { from: "ee".repeat(32) }));
    await untilTexts(bob, `unknown:${eve.account.devicePub}`, ["trust me"]);
    await untilEmpty(bob);
  });

  it("does not let a clock that runs ahead put messages into the future", async () => {
    await deliverPlaintext(ann, bob, contentOf(ann, bob, text, { at: Number.MAX_SAFE_INTEGER }));
    await untilTexts(bob, key(ann), ["trust me"]);
    expect((await chat(bob, key(ann)))[0]?.at).toBe(bob.time.nowMs());
  });
});

describe("blocking", () => {
  it("removes mail of blocked people unseen, by envelope or by content", async () => {
    const eve = await join();
    await eve.messenger.sendText(key(bob), "before");
    await untilTexts(bob, key(eve), ["before"]);
    relay.setContact(key(eve), key(bob), "blocked");
    await bob.messenger.refreshContacts();
    expect(summary(bob, key(eve))).toMatchObject({ isBlocked: true });
    expect(bob.messenger.getSnapshot()).toMatchObject({ totalUnread: 0, unreadRequests: 0 });
    await eve.messenger.sendText(key(bob), "after");
    await deliverPlaintext(eve, bob, contentOf(eve, bob, { kind: "text", text: "hidden" }), "");
    await pollUntil(() => relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub).length === 3);
    await untilEmpty(bob);
    expect(await texts(bob, key(eve))).toEqual(["before"]);
  });

  it("holds at the next start before the node has answered", async () => {
    const eve = await join();
    relay.setContact(key(eve), key(bob), "blocked");
    await bob.messenger.refreshContacts();
    await bob.messenger.stop();
    await eve.messenger.sendText(key(bob), "sneaky");
    await pollUntil(() => relay.count(bob.account.devicePub) === 1);
    bob.node.refuse = (call): CodedError | undefined => (call === "contacts" ? new CodedError("UNAVAILABLE", "down") : undefined);
    await bob.messenger.start();
    await untilEmpty(bob);
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
  });
});

describe("conversations", () => {
  it("are listed newest first with last message and draft", async () => {
    const carl = await join();
    await ann.messenger.sendText(key(bob), "first");
    ann.time.advance(1_000);
    await ann.messenger.sendText(key(carl), "second");
    expect(ann.messenger.getSnapshot().conversations.map(({ id }) => id)).toEqual([key(carl), key(bob)]);
    ann.time.advance(1_000);
    await ann.messenger.setDraft(key(bob), "third");
    expect(ann.messenger.getSnapshot().conversations.map(({ id }) => id)).toEqual([key(bob), key(carl)]);
    expect(summary(ann, key(bob))).toMatchObject({ draft: "third", lastMessage: { body: { text: "first" }, direction: "out" } });
    await ann.messenger.setDraft(key(bob), "");
    expect(ann.messenger.getSnapshot().conversations.map(({ id }) => id)).toEqual([key(carl), key(bob)]);
  });

  it("with a draft alone are no request and vanish with it", async () => {
    const carl = await join();
    await ann.messenger.setDraft(key(carl), "hm");
    expect(summary(ann, key(carl))).toMatchObject({ draft: "hm", isRequest: false, lastMessage: null });
    await ann.messenger.setDraft(key(carl), "");
    expect(summary(ann, key(carl))).toBeUndefined();
  });

  it("give the same object until they change", async () => {
    const carl = await join();
    await ann.messenger.sendText(key(bob), "x");
    await untilState(ann, key(bob), "delivered");
    await untilEmpty(ann);
    const before = summary(ann, key(bob));
    await ann.messenger.setDraft(key(carl), "y");
    expect(summary(ann, key(bob))).toBe(before);
    expect(ann.messenger.getSnapshot()).toBe(ann.messenger.getSnapshot());
  });

  it("forget a deleted message and one that was waiting is not sent", async () => {
    ann.node.setOnline(false);
    await ann.messenger.sendText(key(bob), "keep");
    const message = await ann.messenger.sendText(key(bob), "discard");
    const view = ann.messenger.openConversation(key(bob));
    await view.loadOlder();
    await ann.messenger.deleteMessage(message);
    expect(view.getSnapshot().messages).toHaveLength(1);
    view.close();
    expect(summary(ann, key(bob))?.lastMessage?.body).toMatchObject({ text: "keep" });
    ann.node.setOnline(true);
    await untilTexts(bob, key(ann), ["keep"]);
    await pollUntil(() => ann.messenger.getSnapshot().queued === 0);
    expect(await texts(bob, key(ann))).toEqual(["keep"]);
  });
});

describe("typing", () => {
  it("is sent and shown only where both chose it, and ends by itself or with the message", async () => {
    ann.messenger.notifyTyping(key(bob));
    for (const device of [ann, bob]) device.messenger.setSettings({ sendReadReceipts: true, typing: true, hideSender: false });
    await ann.messenger.sendText(key(bob), "a");
    await untilTexts(bob, key(ann), ["a"]);
    await bob.messenger.sendText(key(ann), "b");
    await untilTexts(ann, key(bob), ["a", "b"]);
    expect(summary(bob, key(ann))?.isTyping).toBe(false);
    ann.messenger.notifyTyping(key(bob));
    await pollUntil(() => summary(bob, key(ann))?.isTyping === true);
    bob.time.advance(6_000);
    expect(summary(bob, key(ann))?.isTyping).toBe(false);
    ann.time.advance(5_000);
    ann.messenger.notifyTyping(key(bob));
    await pollUntil(() => summary(bob, key(ann))?.isTyping === true);
    await ann.messenger.sendText(key(bob), "c");
    await pollUntil(() => summary(bob, key(ann))?.isTyping === false);
  });
});

describe("tabs and locks", () => {
  it("runs in one tab; the other waits and takes over", async () => {
    const other = createTestMessenger(ann, ann.node);
    await other.start();
    expect(other.getSnapshot().phase).toBe("otherTab");
    expect(() => other.openConversation(key(bob))).toThrowError(expect.objectContaining({ code: "MESSENGER_UNAVAILABLE" }));
    await expect(other.sendText(key(bob), "x")).rejects.toMatchObject({ code: "MESSENGER_UNAVAILABLE" });
    await ann.messenger.sendText(key(bob), "from the first tab");
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

  it("goes on while the wallet is locked and stops when everything is", async () => {
    await bob.keyring.lockWallet();
    await ann.messenger.sendText(key(bob), "still there?");
    await untilTexts(bob, key(ann), ["still there?"]);
    await bob.messenger.sendText(key(ann), "yes");
    await untilTexts(ann, key(bob), ["still there?", "yes"]);
    await bob.keyring.lock();
    await pollUntil(() => bob.messenger.getSnapshot().phase === "idle");
    await expect(bob.messenger.start()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(bob.messenger.getSnapshot()).toMatchObject({ phase: "failed", problem: { code: "KEYRING_LOCKED" } });
    await bob.keyring.unlock({ password: "correct horse battery" });
    await bob.messenger.start();
    expect(await texts(bob, key(ann))).toEqual(["still there?", "yes"]);
  });
});

describe("bad mail", () => {
  it("of a thousand strangers stands apart, rings nothing, asks nothing, and does not hold up a friend", async () => {
    const [sender] = [await join()];
    for (let index = 0; index < 1_000; index += 1) {
      const stranger = toHex(systemRandom(32));
      relay.link(stranger, sender.account.devicePub);
      const fields = { from: stranger, place: { stream: "07".repeat(8), position: 9 } };
      await deliverPlaintext(sender, bob, contentOf(sender, bob, { kind: "text", text: `buy ${index}` }, fields), stranger);
    }
    await ann.messenger.sendText(key(bob), "still here?");
    await untilTexts(bob, key(ann), ["still here?"]);
    await pollUntil(() => bob.messenger.getSnapshot().unreadRequests === 1_000);
    expect(bob.messenger.getSnapshot().totalUnread).toBe(1);
    const toStrangers = relay.history.filter(({ recipient_pub }) => recipient_pub === sender.account.devicePub);
    expect(toStrangers).toEqual([]);
    await untilEmpty(bob);
  });

  it("that was sealed for another person, recipient or network is dropped, and so is giant or replayed mail", async () => {
    const eve = await join();
    relay.setContact(key(eve), key(bob), "accepted");
    await bob.messenger.refreshContacts();
    const text = { kind: "text", text: "for somebody else" } as const;
    await deliverPlaintext(eve, bob, contentOf(eve, ann, text));
    await deliverPlaintext(eve, bob, contentOf(eve, bob, text, { chainId: "another" }));
    await deliverPlaintext(eve, bob, contentOf(eve, bob, text, { fromDevice: ann.account.devicePub }));
    await deliverPlaintext(eve, bob, frameContent(new Uint8Array(150_000).fill(0x81)));
    await pollUntil(() => bob.messenger.getSnapshot().droppedEnvelopes === 4);
    await deliverPlaintext(eve, bob, contentOf(eve, bob, { kind: "text", text: "once" }));
    await untilTexts(bob, key(eve), ["once"]);
    for (const envelope of [...relay.history]) relay.store({ ...envelope, id: `again-${envelope.id}` });
    await untilEmpty(bob);
    expect(await texts(bob, key(eve))).toEqual(["once"]);
  });
});
