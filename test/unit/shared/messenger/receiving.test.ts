import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IncomingContent } from "#shared/content/content.ts";
import { frameContent } from "#shared/content/content-frame.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ConversationView } from "#shared/messenger/model/conversation.ts";
import { MAX_NEWER_OF_BOX } from "#shared/messenger/receiving/boxes/newer-mail.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import {
  chatOf,
  createPair,
  type Device,
  keyOf,
  passTime,
  restart,
  statesOf,
  summaryOf,
  textsOf,
  untilEmpty,
  untilState,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver, textIdsFor } from "#test/support/worlds/messenger-mail.ts";
import { TEST_CHAIN, TEST_PREVIOUS_CHAIN, type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";
import { acquaintPair, pairsOf, settlePairs } from "#test/support/worlds/pair-mail.ts";

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createPair());
});

afterEach(() => world.stop());

describe("receipts", () => {
  it("are not sent to strangers, who are shown as requests until they are accepted or answered", async () => {
    const eve = await world.join();
    await eve.messenger.sendText(keyOf(bob), "buy now");
    await untilTexts(bob, keyOf(eve), ["buy now"]);
    expect(summaryOf(bob, keyOf(eve))).toMatchObject({ isRequest: true, unread: 1 });
    expect(bob.messenger.getSnapshot().totalUnread).toBe(0);
    await bob.messenger.markRead(keyOf(eve));
    await untilEmpty(relay, bob);
    expect(relay.history.filter(({ recipient_pub }) => recipient_pub === eve.account.devicePub)).toEqual([]);
    await eve.messenger.sendText(keyOf(bob), "really");
    await untilTexts(bob, keyOf(eve), ["buy now", "really"]);
    relay.setContact(keyOf(eve), keyOf(bob), "accepted");
    await bob.messenger.refreshContacts();
    expect(summaryOf(bob, keyOf(eve))?.isRequest).toBe(false);
    // What was seen while she was a stranger is acknowledged now, and what was not is delivered.
    await pollUntil(async () => (await statesOf(eve, keyOf(bob))).join() === "read,delivered");
    await bob.messenger.markRead(keyOf(eve));
    await pollUntil(async () => (await statesOf(eve, keyOf(bob))).join() === "read,read");
  });

  it("of a stranger who was declined stays declined, whatever they write, until one lets them in", async () => {
    const eve = await world.join();
    await eve.messenger.sendText(keyOf(bob), "buy now");
    await untilTexts(bob, keyOf(eve), ["buy now"]);
    await bob.messenger.setChat(keyOf(eve), { isArchived: true });
    await eve.messenger.sendText(keyOf(bob), "really");
    await untilTexts(bob, keyOf(eve), ["buy now", "really"]);
    expect(summaryOf(bob, keyOf(eve))).toMatchObject({ isRequest: true, isArchived: true });
    relay.setContact(keyOf(eve), keyOf(bob), "accepted");
    await bob.messenger.refreshContacts();
    await eve.messenger.sendText(keyOf(bob), "thanks");
    await pollUntil(() => summaryOf(bob, keyOf(eve))?.isArchived === false);
  });

  it.each(["accepted", "answered"])("reach a stranger who is %s for what came before, once and without what is not sent", async (way) => {
    const eve = await world.join();
    withoutCards(eve, bob);
    bob.messenger.setSettings({ sendReadReceipts: false, typing: false });
    await eve.messenger.sendText(keyOf(bob), "first");
    await eve.messenger.sendText(keyOf(bob), "second");
    await untilTexts(bob, keyOf(eve), ["first", "second"]);
    await bob.messenger.markRead(keyOf(eve));
    if (way === "accepted") {
      relay.setContact(keyOf(eve), keyOf(bob), "accepted");
      await bob.messenger.refreshContacts();
    } else await bob.messenger.sendText(keyOf(eve), "who are you?");
    await untilState(eve, keyOf(bob), "delivered");
    await untilEmpty(relay, eve);
    const sent = relay.history.filter(({ recipient_pub }) => recipient_pub === eve.account.devicePub).length;
    await bob.messenger.refreshContacts();
    await eve.messenger.sendText(keyOf(bob), "third");
    await untilState(eve, keyOf(bob), "delivered");
    expect(relay.history.filter(({ recipient_pub }) => recipient_pub === eve.account.devicePub)).toHaveLength(sent + 1);
  });

  it("are not sent to strangers who are blocked", async () => {
    const eve = await world.join();
    await eve.messenger.sendText(keyOf(bob), "buy now");
    await untilTexts(bob, keyOf(eve), ["buy now"]);
    relay.setContact(keyOf(eve), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await untilEmpty(relay, bob);
    expect(relay.history.filter(({ recipient_pub }) => recipient_pub === eve.account.devicePub)).toEqual([]);
  });

  it("treat recipients of own messages as known", async () => {
    const eve = await world.join();
    await bob.messenger.sendText(keyOf(eve), "hello Eve");
    await eve.messenger.sendText(keyOf(bob), "hello Bob");
    await untilState(eve, keyOf(bob), "delivered");
    expect(summaryOf(bob, keyOf(eve))?.isRequest).toBe(false);
  });

  it("are not sent for reading when the person does not want that", async () => {
    bob.messenger.setSettings({ sendReadReceipts: false, typing: false });
    await ann.messenger.sendText(keyOf(bob), "private");
    await untilState(ann, keyOf(bob), "delivered");
    await bob.messenger.markRead(keyOf(ann));
    await bob.messenger.sendText(keyOf(ann), "done");
    await untilTexts(ann, keyOf(bob), ["private", "done"]);
    expect((await statesOf(ann, keyOf(bob)))[0]).toBe("delivered");
  });

  it("are sent while the chat is visible, as messages arrive", async () => {
    const view: ConversationView = bob.messenger.openConversation(keyOf(ann));
    view.setVisible(true);
    await ann.messenger.sendText(keyOf(bob), "watching?");
    await untilState(ann, keyOf(bob), "read");
    view.setVisible(false);
    await ann.messenger.sendText(keyOf(bob), "and now?");
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).join() === "read,delivered");
    expect(summaryOf(bob, keyOf(ann))?.unread).toBe(1);
    view.setVisible(true);
    await untilState(ann, keyOf(bob), "read");
    view.close();
  });

  it("count only from the person the message was sent to", async () => {
    const eve = await world.join();
    relay.setContact(keyOf(ann), keyOf(eve), "accepted");
    await ann.messenger.refreshContacts();
    bob.node.kill();
    await ann.messenger.sendText(keyOf(bob), "for Bob only");
    await untilState(ann, keyOf(bob), "relayed");
    const view = bob.messenger.openConversation(keyOf(ann));
    view.close();
    const sent = await textIdsFor(bob, relay);
    await deliver(relay, { from: eve, to: ann, plaintext: contentOf(eve, ann, { kind: "receipt", status: "read", ids: sent }) });
    await untilEmpty(relay, ann);
    expect(await statesOf(ann, keyOf(bob))).toEqual(["relayed"]);
  });

  it("may come before the message on another own device", async () => {
    const second = await world.join({ phrase: ann.phrase });
    second.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "quick");
    await untilState(ann, keyOf(bob), "delivered");
    const mailbox = relay.mailboxes.get(second.account.devicePub);
    await pollUntil(() => (mailbox?.size ?? 0) >= 2);
    const [sent] = [...(mailbox?.values() ?? [])].filter((envelope) => relay.isFrom(ann, envelope));
    mailbox?.delete(sent?.id ?? "");
    second.node.setOnline(true);
    await untilEmpty(relay, second);
    expect(await textsOf(second, keyOf(bob))).toEqual([]);
    relay.store(sent);
    await untilTexts(second, keyOf(bob), ["quick"]);
    expect(await statesOf(second, keyOf(bob))).toEqual(["delivered"]);
  });

  it("mark a message as read that another own device read before it arrived here", async () => {
    const second = await world.join({ phrase: bob.phrase });
    second.node.setOnline(false);
    await ann.messenger.sendText(keyOf(bob), "seen there");
    await untilTexts(bob, keyOf(ann), ["seen there"]);
    await bob.messenger.markRead(keyOf(ann));
    const mailbox = relay.mailboxes.get(second.account.devicePub);
    await pollUntil(() => (mailbox?.size ?? 0) >= 2);
    const [message] = [...(mailbox?.values() ?? [])].filter((envelope) => relay.isFrom(ann, envelope));
    mailbox?.delete(message?.id ?? "");
    second.node.setOnline(true);
    await untilEmpty(relay, second);
    relay.store(message);
    await untilTexts(second, keyOf(ann), ["seen there"]);
    expect(summaryOf(second, keyOf(ann))?.unread).toBe(0);
  });
});

describe("mail of a later version", () => {
  const ofForm = (form: number, length = 3_072): Uint8Array => {
    const plaintext = new Uint8Array(length).fill(7);
    plaintext.set([0xff, 0x50, 0x4c, 0x51, form]);
    return plaintext;
  };
  const needsUpdate = (): boolean => bob.messenger.getSnapshot().needsUpdate;

  const later = (from: Device, to: Device): Uint8Array => {
    const plaintext = contentOf(from, to, { kind: "text", text: "of version 2" });
    plaintext[4] = 2;
    return plaintext;
  };

  it("of people one knows stays in the mailbox, and they are asked to update; a flood of it has little room", async () => {
    await bob.messenger.sendText(keyOf(ann), "hello");
    await untilTexts(ann, keyOf(bob), ["hello"]);
    await untilEmpty(relay, ann, bob);
    for (let count = 0; count < MAX_NEWER_OF_BOX + 4; count += 1) await deliver(relay, { from: ann, to: bob, plaintext: later(ann, bob) });
    await pollUntil(needsUpdate);
    await passTime([bob], 61_000, () => relay.count(bob.account.devicePub) === MAX_NEWER_OF_BOX);
    await restart(bob, relay);
    await pollUntil(() => needsUpdate() && relay.count(bob.account.devicePub) === MAX_NEWER_OF_BOX);
    relay.mailboxes.delete(bob.account.devicePub);
    await passTime([bob], 61_000, () => !needsUpdate());
  });

  it("says so too by a card that was shown to the device of someone one knows, and by none that another one makes up", async () => {
    await acquaintPair({ relay, ann, bob });
    await bob.messenger.sendText(keyOf(ann), "hello");
    await settlePairs(relay, [ann, bob]);
    const [pair] = await pairsOf(bob);
    const under = (id: string): Uint8Array => {
      const plaintext = ofForm(5);
      plaintext.set(fromHex(id), 5);
      return plaintext;
    };
    const eve = await world.join();
    const instance = pair?.state.instance.slice(0, 8) ?? "";
    await deliver(relay, { from: eve, to: bob, plaintext: under(`${"00".repeat(4)}${"00".repeat(4)}`) });
    await deliver(relay, { from: eve, to: bob, plaintext: under(`${instance}7fffffff`) });
    await passTime([bob], 61_000, () => relay.count(bob.account.devicePub) === 2);
    expect(needsUpdate()).toBe(false);
    await deliver(relay, { from: ann, to: bob, plaintext: under(`${instance}00000000`) });
    await pollUntil(needsUpdate);
  });

  it("of strangers stays too, without a word, and takes no room of what people write whom one knows", async () => {
    const eve = await world.join();
    await bob.messenger.sendText(keyOf(ann), "hello");
    await untilTexts(ann, keyOf(bob), ["hello"]);
    await untilEmpty(relay, ann, bob);
    await deliver(relay, { from: eve, to: bob, plaintext: later(eve, bob) });
    for (let count = 0; count < 30; count += 1) await deliver(relay, { from: eve, to: bob, plaintext: ofForm(5 + count) });
    await deliver(relay, { from: eve, to: bob, plaintext: ofForm(2) });
    await ann.messenger.sendText(keyOf(bob), "read all the same");
    await untilTexts(bob, keyOf(ann), ["hello", "read all the same"]);
    await passTime([bob], 61_000, () => relay.count(bob.account.devicePub) === MAX_NEWER_OF_BOX);
    // The rest of its room is less than one large envelope.
    await deliver(relay, { from: eve, to: bob, plaintext: ofForm(5, 100_000) });
    await passTime([bob], 61_000, () => relay.count(bob.account.devicePub) === MAX_NEWER_OF_BOX);
    expect(needsUpdate()).toBe(false);
    await deliver(relay, { from: ann, to: bob, plaintext: later(ann, bob) });
    await pollUntil(needsUpdate);
    await pollUntil(() => relay.count(bob.account.devicePub) === MAX_NEWER_OF_BOX + 1);
  });
});

describe("receiving from anybody", () => {
  const text = { kind: "text", text: "trust me" } as const;

  it("takes a message that was sent on the chain before this one", async () => {
    await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, text, { chainId: TEST_PREVIOUS_CHAIN }) });
    await untilTexts(bob, keyOf(ann), ["trust me"]);
    expect(bob.messenger.getSnapshot()).toMatchObject({ droppedEnvelopes: 0 });
  });

  it.each<[string, () => Partial<IncomingContent>]>([
    ["another device inside", (): Partial<IncomingContent> => ({ fromDevice: ann.account.devicePub })],
    ["another recipient inside", (): Partial<IncomingContent> => ({ to: keyOf(ann) })],
    ["another network inside", (): Partial<IncomingContent> => ({ chainId: "parley-other" })],
    ["oneself as its author", (): Partial<IncomingContent> => ({ from: keyOf(bob) })],
  ])("drops a message with %s", async (_, fields) => {
    const eve = await world.join();
    await deliver(relay, { from: eve, to: bob, plaintext: contentOf(eve, bob, text, fields()) });
    await untilEmpty(relay, bob);
    expect(bob.messenger.getSnapshot()).toMatchObject({ droppedEnvelopes: 1, conversations: [] });
  });

  it("shows a message in the name of a person from another's device as of an unknown sender", async () => {
    const eve = await world.join();
    await deliver(relay, { from: eve, to: bob, plaintext: contentOf(eve, bob, text, { from: keyOf(ann) }), claimed: keyOf(ann) });
    const unknown = `unknown:${eve.account.devicePub}`;
    await untilEmpty(relay, bob);
    expect(await textsOf(bob, unknown)).toEqual([]);
    bob.time.advance(31 * 86_400_000);
    relay.blockS = Math.floor(bob.time.nowMs() / 1000);
    await passTime([bob], 61_000, async () => (await textsOf(bob, unknown)).includes("trust me"));
    expect(summaryOf(bob, unknown)).toMatchObject({ kind: "unknown", peer: null, devicePub: eve.account.devicePub, isRequest: true });
    expect(await textsOf(bob, keyOf(ann))).toEqual([]);
  });

  it("takes receipts and device messages only from their owners", async () => {
    const eve = await world.join();
    await ann.messenger.sendText(keyOf(bob), "mine");
    await untilState(ann, keyOf(bob), "delivered");
    const ids = await textIdsFor(bob, relay);
    const forged: readonly Uint8Array[] = [
      contentOf(eve, ann, { kind: "receipt", status: "read", ids }, { from: keyOf(bob) }),
      contentOf(eve, ann, { kind: "sync.sent", peer: keyOf(bob), id: toHex(systemRandom(16)), at: 1, body: text }),
      contentOf(eve, ann, { kind: "sync.sent", peer: keyOf(bob), id: toHex(systemRandom(16)), at: 1, body: text }, { from: keyOf(ann) }),
      contentOf(eve, ann, { kind: "sync.read", peer: keyOf(bob), ids }, { from: keyOf(ann) }),
    ];
    for (const plaintext of forged) await deliver(relay, { from: eve, to: ann, plaintext });
    await untilEmpty(relay, ann);
    expect(ann.messenger.getSnapshot().droppedEnvelopes).toBe(forged.length);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["mine"]);
    expect(await statesOf(ann, keyOf(bob))).toEqual(["delivered"]);
  });

  it("shows plain text of other programs, named only where the chain lists the device", async () => {
    const eve = await world.join();
    await deliver(relay, { from: ann, to: bob, plaintext: utf8("from a shell") });
    await untilTexts(bob, keyOf(ann), ["from a shell"]);
    expect((await chatOf(bob, keyOf(ann)))[0]).toMatchObject({ direction: "in", body: { kind: "plain" }, at: 1_799_999_000_000 });
    await deliver(relay, { from: eve, to: bob, plaintext: utf8("I am Ann"), claimed: keyOf(ann) });
    await deliver(relay, { from: eve, to: bob, plaintext: utf8("I am no one"), claimed: "" });
    await untilTexts(bob, `unknown:${eve.account.devicePub}`, ["I am Ann", "I am no one"]);
    expect(await textsOf(bob, keyOf(ann))).toEqual(["from a shell"]);
    await bob.messenger.markRead(keyOf(ann));
    await untilEmpty(relay, ann, bob);
    expect(ann.messenger.getSnapshot().droppedEnvelopes).toBe(0);
  });

  it("keeps kinds of later versions and shows their fallback", async () => {
    const later = { body: { emoji: "+" }, kind: "reaction.v2", fallback: "Ann liked it", id: systemRandom(16), at: 1, chain: TEST_CHAIN };
    const fields = { from: fromHex(keyOf(ann)), dev: fromHex(ann.account.devicePub), to: fromHex(keyOf(bob)) };
    await deliver(relay, { from: ann, to: bob, plaintext: frameContent(encodeCbor({ ...later, ...fields })) });
    await pollUntil(async () => (await chatOf(bob, keyOf(ann))).length === 1);
    expect((await chatOf(bob, keyOf(ann)))[0]?.body).toEqual({ kind: "unsupported", name: "reaction.v2", fallback: "Ann liked it" });
  });

  it("drops what cannot be opened or read, and clears it away", async () => {
    const [envelope] = await ann.client.seal({ requests: [{ plaintext: utf8("x"), recipients: [bob.account.devicePub], sentAt: 1 }] });
    relay.store({ ...envelope, id: "garbage", ciphertext: Buffer.alloc(40).toString("base64") });
    await deliver(relay, { from: ann, to: bob, plaintext: frameContent(Uint8Array.of(0xff)) });
    await untilEmpty(relay, bob);
    await pollUntil(() => bob.messenger.getSnapshot().droppedEnvelopes === 2);
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
  });

  it("is not stopped by a name that the node refuses to look up", async () => {
    const eve = await world.join();
    bob.node.refuse = (call, master): CodedError | undefined =>
      call === "publishedKeys" && master === "ee".repeat(32) ? new CodedError("BAD_REQUEST", "not a key") : undefined;
    await deliver(relay, { from: eve, to: bob, plaintext: contentOf(eve, bob, text, { from: "ee".repeat(32) }) });
    await untilTexts(bob, `unknown:${eve.account.devicePub}`, ["trust me"]);
    await untilEmpty(relay, bob);
  });

  it("does not let a clock that runs ahead put messages into the future", async () => {
    await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, text, { at: Number.MAX_SAFE_INTEGER }) });
    await untilTexts(bob, keyOf(ann), ["trust me"]);
    expect((await chatOf(bob, keyOf(ann)))[0]?.at).toBe(bob.time.nowMs());
  });
});

describe("blocking", () => {
  it("removes mail of blocked people unseen, by envelope or by content", async () => {
    const eve = await world.join();
    await eve.messenger.sendText(keyOf(bob), "before");
    await untilTexts(bob, keyOf(eve), ["before"]);
    relay.setContact(keyOf(eve), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    expect(summaryOf(bob, keyOf(eve))).toMatchObject({ isBlocked: true });
    expect(bob.messenger.getSnapshot().totalUnread).toBe(0);
    await eve.messenger.sendText(keyOf(bob), "after");
    await deliver(relay, { from: eve, to: bob, plaintext: contentOf(eve, bob, { kind: "text", text: "hidden" }), claimed: "" });
    await pollUntil(() => relay.history.filter(({ recipient_pub }) => recipient_pub === bob.account.devicePub).length === 3);
    await untilEmpty(relay, bob);
    expect(await textsOf(bob, keyOf(eve))).toEqual(["before"]);
  });

  it("holds at the next start before the node has answered", async () => {
    const eve = await world.join();
    relay.setContact(keyOf(eve), keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    await bob.messenger.stop();
    await eve.messenger.sendText(keyOf(bob), "sneaky");
    await pollUntil(() => relay.count(bob.account.devicePub) === 1);
    bob.node.refuse = (call): CodedError | undefined => (call === "contacts" ? new CodedError("UNAVAILABLE", "down") : undefined);
    await bob.messenger.start();
    await untilEmpty(relay, bob);
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
  });
});

describe("bad mail", () => {
  it("of a thousand strangers stands apart, rings nothing, asks nothing, and does not hold up a friend", async () => {
    const sender = await world.join();
    for (let index = 0; index < 1_000; index += 1) {
      const stranger = toHex(systemRandom(32));
      relay.link(stranger, sender.account.devicePub);
      const fields = { from: stranger, place: { stream: "07".repeat(8), position: 9 } };
      await deliver(relay, {
        from: sender,
        to: bob,
        plaintext: contentOf(sender, bob, { kind: "text", text: `buy ${index}` }, fields),
        claimed: stranger,
      });
    }
    await ann.messenger.sendText(keyOf(bob), "still here?");
    await untilTexts(bob, keyOf(ann), ["still here?"]);
    await pollUntil(() => bob.messenger.getSnapshot().conversations.filter(({ isRequest }) => isRequest).length === 1_000);
    expect(bob.messenger.getSnapshot().totalUnread).toBe(1);
    const toStrangers = relay.history.filter(({ recipient_pub }) => recipient_pub === sender.account.devicePub);
    expect(toStrangers).toEqual([]);
    await untilEmpty(relay, bob);
  });

  it("that was sealed for another person, recipient or network is dropped, and so is giant or replayed mail", async () => {
    const eve = await world.join();
    relay.setContact(keyOf(eve), keyOf(bob), "accepted");
    await bob.messenger.refreshContacts();
    const text = { kind: "text", text: "for another person" } as const;
    await deliver(relay, { from: eve, to: bob, plaintext: contentOf(eve, ann, text) });
    await deliver(relay, { from: eve, to: bob, plaintext: contentOf(eve, bob, text, { chainId: "another" }) });
    await deliver(relay, { from: eve, to: bob, plaintext: contentOf(eve, bob, text, { fromDevice: ann.account.devicePub }) });
    await deliver(relay, { from: eve, to: bob, plaintext: frameContent(new Uint8Array(150_000).fill(0x81)) });
    await pollUntil(() => bob.messenger.getSnapshot().droppedEnvelopes === 4);
    await deliver(relay, { from: eve, to: bob, plaintext: contentOf(eve, bob, { kind: "text", text: "once" }) });
    await untilTexts(bob, keyOf(eve), ["once"]);
    for (const envelope of [...relay.history]) relay.store({ ...envelope, id: `again-${envelope.id}` });
    await untilEmpty(relay, bob);
    expect(await textsOf(bob, keyOf(eve))).toEqual(["once"]);
  });
});
