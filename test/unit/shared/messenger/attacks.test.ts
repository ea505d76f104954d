// What relays, strangers and members of groups try with mail: each was possible once.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import type { KeyPublication, PublishedKeys } from "#shared/messenger/model/node-port.ts";
import { MAX_STREAMS_OF_DEVICE } from "#shared/messenger/state/streams.ts";
import { createRecordCipher, type RecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import { MAX_TIED_ANSWERS } from "#shared/messenger/store/store-bounds.ts";
import { STORE_TABLES, type StoreTable } from "#shared/messenger/store/store-database.ts";
import { boxKeyPair, type Envelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import {
  befriend,
  chatOf,
  createTrio,
  type Device,
  keyOf,
  messageWith,
  passTime,
  restart,
  statesOf,
  summaryOf,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { contentOf, deliver } from "#test/support/worlds/messenger-mail.ts";
import { TEST_CHAIN, TEST_PASSWORD, type TestRelay, withoutCards } from "#test/support/worlds/messenger-world.ts";

const FILE = { name: "map.pdf", mediaType: "application/pdf", bytes: new Uint8Array(99), caption: "", image: null };
const MALLORY = "66".repeat(32);

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;

beforeEach(async () => {
  ({ relay, world, ann, bob } = await createTrio());
});

afterEach(() => world.stop());

const mailOf = (device: Device): readonly Envelope[] =>
  relay.history.filter(({ recipient_pub }) => recipient_pub === device.account.devicePub);

describe("a relay that writes a blocked person's key beside the box", () => {
  beforeEach(async () => {
    relay.setContact(MALLORY, keyOf(bob), "blocked");
    await bob.messenger.refreshContacts();
    const store = relay.store.bind(relay);
    relay.store = (json: unknown): void => {
      const envelope = json as Envelope;
      store(envelope.recipient_pub === bob.account.devicePub ? { ...envelope, sender_ed25519_pub: MALLORY } : envelope);
    };
  });

  it("takes no message away", async () => {
    for (const text of ["one", "moved to five", "three"]) await ann.messenger.sendText(keyOf(bob), text);
    await untilTexts(bob, keyOf(ann), ["one", "moved to five", "three"]);
  });

  it("takes no plain text of other programs away", async () => {
    await deliver(relay, { from: ann, to: bob, plaintext: new TextEncoder().encode("plain") });
    await pollUntil(() => bob.messenger.getSnapshot().conversations.some(({ isRequest }) => isRequest));
  });

  it("is believed where the chain lists the device that sealed it", async () => {
    relay.link(MALLORY, ann.account.devicePub);
    await deliver(relay, { from: ann, to: bob, plaintext: new TextEncoder().encode("plain"), claimed: MALLORY });
    await pollUntil(() => mailOf(bob).length > 0);
    await untilEmpty(relay, bob);
    expect(bob.messenger.getSnapshot().conversations).toEqual([]);
  });
});

it("a request to send again that a relay repeats is honoured once", async () => {
  withoutCards(ann, bob);
  const texts = Array.from({ length: 12 }, (_, index) => `m${index}`);
  for (const text of texts) await ann.messenger.sendText(keyOf(bob), text);
  await untilTexts(bob, keyOf(ann), texts);
  await bob.messenger.sendText(keyOf(ann), "ok");
  await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("ok"));
  await untilEmpty(relay, ann, bob);
  const opened = await bob.keyring.open({ items: mailOf(bob) });
  const places = opened.flatMap(({ plaintext }) => {
    const decoded = decodePlaintext(plaintext ?? new Uint8Array());
    return decoded.form === "content" && decoded.content.from === keyOf(ann) && decoded.content.place !== undefined
      ? [decoded.content.place]
      : [];
  });
  const stream = places[0]?.stream ?? "";
  const positions = places.map(({ position }) => position);
  expect(positions.length).toBeGreaterThanOrEqual(texts.length);
  const before = mailOf(bob).length;
  await deliver(relay, { from: bob, to: ann, plaintext: contentOf(bob, ann, { kind: "resend", stream, positions }) });
  await pollUntil(() => mailOf(bob).length >= before + positions.length);
  await untilEmpty(relay, ann, bob);
  const once = mailOf(bob).length;
  const request = mailOf(ann).at(-1);
  for (let round = 0; round < 3; round += 1) {
    relay.store({ ...request, id: `again-${round}` });
    await untilEmpty(relay, ann);
  }
  await ann.messenger.sendText(keyOf(bob), "last");
  await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("last"));
  expect(mailOf(bob).length - once).toBe(1);
});

it("a member who leaves with the largest clock does not freeze the group", async () => {
  const carol = await world.join();
  await befriend(relay, ann, carol, world.devices);
  const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
  for (const device of [bob, carol]) await pollUntil(async () => (await chatOf(device, id)).length > 0);
  const group = { id: id.slice("group:".length), keeper: keyOf(ann) };
  for (const clock of [Number.MAX_SAFE_INTEGER, 2 ** 40])
    await deliver(relay, { from: carol, to: ann, plaintext: contentOf(carol, ann, { kind: "group.leave", clock }, { group }) });
  await untilEmpty(relay, ann);
  expect(summaryOf(ann, id)?.group?.members).toContain(keyOf(carol));
  await ann.messenger.renameGroup(id, "New name");
  await passTime(world.devices, 1_000, () => Promise.resolve(summaryOf(bob, id)?.group?.name === "New name"));
  await carol.messenger.leaveGroup(id);
  await passTime(world.devices, 1_000, () => Promise.resolve(summaryOf(bob, id)?.group?.members.includes(keyOf(carol)) === false));
  await ann.messenger.removeFromGroup(id, keyOf(bob));
  await passTime(world.devices, 1_000, () => Promise.resolve(summaryOf(bob, id)?.group?.isMember === false));
});

it("a member who leaves again and again, ever later, does not freeze the group for others", async () => {
  const carol = await world.join();
  await befriend(relay, ann, carol, world.devices);
  const id = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
  for (const device of [bob, carol]) await pollUntil(async () => (await chatOf(device, id)).length > 0);
  const group = { id: id.slice("group:".length), keeper: keyOf(ann) };
  for (const step of [1, 2, 3, 4])
    await deliver(relay, {
      from: carol,
      to: ann,
      plaintext: contentOf(carol, ann, { kind: "group.leave", clock: step * 2 ** 20 }, { group }),
    });
  await untilEmpty(relay, ann);
  await ann.messenger.renameGroup(id, "New name");
  await passTime(world.devices, 1_000, () => Promise.resolve(summaryOf(bob, id)?.group?.name === "New name"));
});

describe("a node that lists a device which its person has not signed", () => {
  const ghost = boxKeyPair(systemRandom(32));
  const ghostPub = toHex(ghost.publicKey);
  let publication: KeyPublication;

  beforeEach(async () => {
    publication = "unknown";
    await ann.messenger.sendText(keyOf(bob), "a");
    await untilTexts(bob, keyOf(ann), ["a"]);
    await bob.messenger.sendText(keyOf(ann), "b");
    await untilTexts(ann, keyOf(bob), ["a", "b"]);
    const { node } = ann;
    const publishedKeys = node.publishedKeys.bind(node);
    const keyPublication = node.keyPublication.bind(node);
    node.publishedKeys = async (master): Promise<PublishedKeys> => {
      const keys = await publishedKeys(master);
      return master === keyOf(bob) ? { ...keys, devices: [...keys.devices, ghostPub] } : keys;
    };
    node.keyPublication = async (master, key): Promise<KeyPublication> => (key === ghostPub ? publication : keyPublication(master, key));
  });

  it.each([
    ["has nothing to show for it", async (): Promise<KeyPublication> => "absent"],
    ["says that it does not hold the history", async (): Promise<KeyPublication> => "unknown"],
    ["shows what another person signed", async (): Promise<KeyPublication> => signedFor(ann, ghostPub)],
    ["shows what was signed for another device", async (): Promise<KeyPublication> => signedFor(bob, bob.account.devicePub)],
  ])("and %s: it gets nothing, and the chat says so", async (_, shown) => {
    publication = await shown();
    await ann.messenger.sendText(keyOf(bob), "for Bob only");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("for Bob only"));
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("device.note"));
    await untilEmpty(relay, bob);
    expect(relay.history.filter(({ recipient_pub }) => recipient_pub === ghostPub)).toEqual([]);
    expect((await chatOf(ann, keyOf(bob))).filter(({ body }) => body.kind === "device.note")).toMatchObject([
      { body: { event: "refused" } },
    ]);
    expect(ann.messenger.getSnapshot().deviceChanges).toMatchObject([{ person: keyOf(bob) }]);
  });

  it("writes nothing in that person's name", async () => {
    publication = "absent";
    const plaintext = contentOf(bob, ann, { kind: "text", text: "send money" }, { fromDevice: ghostPub });
    const nonce = systemRandom(24);
    const input = {
      plaintext,
      recipientPub: ann.account.devicePub,
      sender: ghost,
      senderMasterPub: keyOf(bob),
      nonce,
      sentAt: 1_799_999_000,
    };
    relay.store(sealEnvelope(input));
    ann.time.advance(3_700_000);
    await passTime([ann], 61_000, () => relay.count(ann.account.devicePub) === 0);
    expect(await textsOf(ann, keyOf(bob))).not.toContain("send money");
  });

  it("serves the device once its person has signed it, and that is said as well", async () => {
    publication = await signedFor(bob, ghostPub);
    await ann.messenger.sendText(keyOf(bob), "for both");
    await pollUntil(() => relay.history.some(({ recipient_pub }) => recipient_pub === ghostPub));
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("device.note"));
    expect((await chatOf(ann, keyOf(bob))).find(({ body }) => body.kind === "device.note")).toMatchObject({ body: { event: "added" } });
    await ann.messenger.acknowledgeDevices(keyOf(bob));
    expect(ann.messenger.getSnapshot().deviceChanges).toEqual([]);
    await restart(ann, relay);
    expect(ann.messenger.getSnapshot().deviceChanges).toEqual([]);
  });
});

describe("a clock that was years ahead once", () => {
  const YEARS_MS = 3 * 365 * 86_400_000;

  it("destroys no short-lived key, and contacts reach the device as before", async () => {
    // Short-lived keys are those of version 1.
    withoutCards(ann, bob);
    relay.blockS = Math.floor(bob.time.nowMs() / 1000);
    await ann.messenger.sendText(keyOf(bob), "first");
    await untilTexts(bob, keyOf(ann), ["first"]);
    await bob.messenger.sendText(keyOf(ann), "second");
    await untilTexts(ann, keyOf(bob), ["first", "second"]);
    for (const device of [ann, bob]) await untilEmpty(relay, device);
    await bob.messenger.stop();
    await ann.messenger.sendText(keyOf(bob), "on its way");
    // A receipt of what came before may lie there, too.
    await pollUntil(async () => (await statesOf(ann, keyOf(bob))).at(-1) === "relayed");
    bob.time.sleep(YEARS_MS);
    const { blockS } = relay;
    await bob.keyring.unlock({ password: TEST_PASSWORD });
    await bob.keyring.signedPrekey({ chainId: TEST_CHAIN, blockS });
    await bob.keyring.retireEpochs({ blockS });
    bob.time.sleep(-YEARS_MS);
    await bob.keyring.unlock({ password: TEST_PASSWORD });
    await restart(bob, relay);
    await untilTexts(bob, keyOf(ann), ["first", "second", "on its way"]);
    for (const { time } of [ann, bob]) {
      time.sleep(19 * 86_400_000);
      time.advance(86_400_000);
    }
    relay.blockS += 20 * 86_400;
    await restart(bob, relay);
    await bob.messenger.sendText(keyOf(ann), "with a new key");
    await untilTexts(ann, keyOf(bob), ["first", "second", "on its way", "with a new key"]);
    for (const { time } of [ann, bob]) {
      time.sleep(19 * 86_400_000);
      time.advance(86_400_000);
    }
    relay.blockS += 20 * 86_400;
    await restart(ann, relay);
    await ann.messenger.sendText(keyOf(bob), "third");
    await untilTexts(bob, keyOf(ann), ["first", "second", "on its way", "with a new key", "third"]);
  });
});

describe("mail of a device that the node does not list", () => {
  it("counts when it was written before the device was unlinked", async () => {
    const second = await world.join({ phrase: ann.phrase });
    await befriend(relay, ann, bob, world.devices);
    await second.messenger.sendText(keyOf(bob), "hi");
    await untilTexts(bob, keyOf(ann), ["hi"]);
    await bob.messenger.stop();
    await second.messenger.sendText(keyOf(bob), "last words of the old laptop");
    await second.messenger.sendFile(keyOf(bob), FILE);
    await pollUntil(async () => (await chatOf(second, keyOf(bob))).every(({ state }) => state !== "queued"));
    relay.unlink(keyOf(ann), second.account.devicePub);
    for (const device of [ann, bob]) device.time.advance(120_000);
    await restart(bob, relay);
    await untilEmpty(relay, bob);
    const texts = (await textsOf(bob, keyOf(ann))).filter((text) => text !== "device.note");
    expect(texts).toEqual(["hi", "last words of the old laptop", "attachment"]);
  });

  it("does not count when it was written afterwards", async () => {
    const second = await world.join({ phrase: ann.phrase });
    await second.messenger.sendText(keyOf(bob), "hi");
    await untilTexts(bob, keyOf(ann), ["hi"]);
    relay.unlink(keyOf(ann), second.account.devicePub);
    bob.time.advance(120_000);
    await bob.messenger.sendText(keyOf(ann), "who is there?");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("device.note"));
    const later = { kind: "text", text: "from the thief" } as const;
    await deliver(relay, { from: second, to: bob, plaintext: contentOf(second, bob, later, { at: bob.time.nowMs() + 1 }) });
    bob.time.advance(3_700_000);
    await passTime([bob], 61_000, () => relay.count(bob.account.devicePub) === 0);
    expect(await textsOf(bob, keyOf(ann))).not.toContain("from the thief");
  });

  it("waits while the node is behind, and is not destroyed", async () => {
    await ann.messenger.sendText(keyOf(bob), "hi");
    await untilTexts(bob, keyOf(ann), ["hi"]);
    await bob.messenger.sendText(keyOf(ann), "ho");
    await untilTexts(ann, keyOf(bob), ["hi", "ho"]);
    const old = structuredClone(relay.published.get(keyOf(bob)));
    const { node } = ann;
    const publishedKeys = node.publishedKeys.bind(node);
    node.publishedKeys = async (master): Promise<PublishedKeys> => (master === keyOf(bob) && old ? old : publishedKeys(master));
    const fresh = await world.join({ phrase: bob.phrase });
    ann.time.advance(120_000);
    await fresh.messenger.sendText(keyOf(ann), "from my new phone");
    await fresh.messenger.sendFile(keyOf(ann), FILE);
    await pollUntil(async () => (await chatOf(fresh, keyOf(ann))).every(({ state }) => state !== "queued"));
    await untilEmpty(relay, ann);
    expect(await textsOf(ann, keyOf(bob))).not.toContain("from my new phone");
    node.publishedKeys = publishedKeys;
    await passTime([ann], 61_000, async () => (await textsOf(ann, keyOf(bob))).includes("attachment"));
    const texts = (await textsOf(ann, keyOf(bob))).filter((text) => text !== "device.note");
    expect([...texts].sort()).toEqual(["attachment", "from my new phone", "hi", "ho"]);
    expect(ann.messenger.getSnapshot().conversations.map(({ kind }) => kind)).toEqual(["person"]);
  });
});

it("sender chains without end of one device leave eight rows, and those of a stranger none", async () => {
  const eve = await world.join();
  withoutCards(ann, bob, eve);
  for (const from of [eve, ann])
    for (let n = 0; n < 20; n += 1) {
      const place = { stream: n.toString(16).padStart(16, "0"), position: 1 };
      const body = { kind: "receipt", status: "delivered", ids: ["ab".repeat(16)] } as const;
      await deliver(relay, { from, to: bob, plaintext: contentOf(from, bob, body, { place }) });
    }
  await untilEmpty(relay, bob);
  const { name } = await bob.client.storeKeys();
  const database = await openMessageDatabase(name, () => undefined);
  expect(await database.list("streams")).toHaveLength(MAX_STREAMS_OF_DEVICE);
  database.close();
});

it("one start with a clock that is years ahead destroys no message that disappears: it is not shown for as long", async () => {
  relay.blockS = Math.floor(bob.time.nowMs() / 1_000);
  const days = 28;
  await ann.messenger.setTimer(keyOf(bob), days * 86_400);
  await pollUntil(() => summaryOf(bob, keyOf(ann))?.expiresInS === days * 86_400);
  await ann.messenger.sendText(keyOf(bob), "four weeks");
  await untilTexts(bob, keyOf(ann), ["timer", "four weeks"]);
  await untilEmpty(relay, ann, bob);
  await bob.messenger.markRead(keyOf(ann));
  const startAfter = async (ms: number): Promise<void> => {
    await bob.messenger.stop();
    bob.time.sleep(ms);
    await bob.keyring.unlock({ password: TEST_PASSWORD });
    await restart(bob, relay);
  };
  await startAfter(3 * 365 * 86_400_000);
  expect(await textsOf(bob, keyOf(ann))).toEqual(["timer"]);
  await pollUntil(() => bob.node.calls.includes("newestBlock"));
  expect(summaryOf(bob, keyOf(ann))?.lastMessage).toBeNull();
  await startAfter(-3 * 365 * 86_400_000);
  expect(await textsOf(bob, keyOf(ann))).toEqual(["timer", "four weeks"]);
  relay.blockS += days * 86_400;
  await passTime([bob], (days * 86_400_000) / 2, async () => (await tablesWith(bob, "four weeks")).length === 0);
});

describe("words that are gone", () => {
  const WORDS = "wrong window";

  beforeEach(async () => {
    await ann.messenger.sendText(keyOf(bob), "hi");
    await untilTexts(bob, keyOf(ann), ["hi"]);
  });

  const chatWith = (device: Device): string => keyOf(device === ann ? bob : ann);
  const everywhere = (): Promise<readonly (readonly string[])[]> => Promise.all([ann, bob].map((device) => tablesWith(device, WORDS)));

  /** Ann writes the words, and Bob answers. */
  async function answered(answer: string): Promise<void> {
    await ann.messenger.sendText(keyOf(bob), WORDS);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(WORDS));
    await bob.messenger.sendReply((await messageWith(bob, keyOf(ann), WORDS)).key, answer);
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes(answer));
    await untilEmpty(relay, ann, bob);
  }

  async function setTimer(seconds: number): Promise<void> {
    await ann.messenger.setTimer(keyOf(bob), seconds);
    await pollUntil(() => (summaryOf(bob, keyOf(ann))?.expiresInS ?? 0) === seconds);
    await untilEmpty(relay, ann, bob);
  }

  /** The words are read, and go from both stores, a moment after they went from the screens. */
  async function disappeared(): Promise<void> {
    await bob.messenger.markRead(keyOf(ann));
    await passTime([ann, bob], 61_000, async () => {
      const shown = await Promise.all([ann, bob].map((device) => textsOf(device, chatWith(device))));
      return shown.every((there) => !there.includes(WORDS));
    });
    await pollUntil(async () => (await everywhere()).flat().length === 0, { what: "no words in any table" });
  }

  it("are gone from every table when their message disappeared, with an answer that stays longer", async () => {
    await setTimer(60);
    await answered("what?");
    // The index repeats no words of what disappears.
    const there = ["messages", "conversations"];
    expect(await everywhere()).toEqual([there, there]);
    await ann.messenger.markRead(keyOf(bob));
    await disappeared();
  });

  it("are not repeated by an answer that never disappears", async () => {
    await setTimer(60);
    await ann.messenger.sendText(keyOf(bob), WORDS);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(WORDS));
    await setTimer(0);
    await bob.messenger.sendReply((await messageWith(bob, keyOf(ann), WORDS)).key, "what?");
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("what?"));
    await untilEmpty(relay, ann, bob);
    await disappeared();
    for (const device of [ann, bob])
      expect(await messageWith(device, chatWith(device), "what?")).toMatchObject({ body: { quote: "" }, isAnswerToGone: true });
  });

  it("are gone from every table when their message was deleted for everyone, whatever was searched for before", async () => {
    await answered("what?");
    expect(await bob.messenger.search("wrong")).toHaveLength(1);
    expect(await tablesWith(bob, WORDS)).toEqual(["messages", "conversations", "search"]);
    await ann.messenger.editMessage((await messageWith(ann, keyOf(bob), WORDS)).key, `${WORDS}, sorry`);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(`${WORDS}, sorry`));
    await untilEmpty(relay, ann, bob);
    await ann.messenger.deleteForEveryone((await messageWith(ann, keyOf(bob), `${WORDS}, sorry`)).key);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("deleted"));
    await untilEmpty(relay, ann, bob);
    expect(await everywhere()).toEqual([[], []]);
    expect(await bob.messenger.search("wrong")).toEqual([]);
    expect(await bob.messenger.search("hi")).toHaveLength(1);
    expect(await everywhere()).toEqual([[], []]);
    for (const device of [ann, bob])
      expect(await messageWith(device, chatWith(device), "what?")).toMatchObject({ body: { quote: "" }, isAnswerToGone: true });
  });

  it("are gone here alone when their message was deleted here, also from an answer that has not left yet", async () => {
    await answered("what?");
    bob.node.setOnline(false);
    await bob.messenger.sendReply((await messageWith(bob, keyOf(ann), WORDS)).key, "once more");
    await pollUntil(async () => (await tablesWith(bob, WORDS)).includes("outbox"));
    await bob.messenger.deleteMessages([(await messageWith(bob, keyOf(ann), WORDS)).key]);
    expect(await everywhere()).toEqual([["messages", "conversations", "search"], []]);
    bob.node.setOnline(true);
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("once more"));
    expect(await messageWith(ann, keyOf(bob), "once more")).toMatchObject({ body: { quote: "" }, isAnswerToGone: false });
  });

  it("do not come back with an answer to what is gone", async () => {
    await ann.messenger.sendText(keyOf(bob), WORDS);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(WORDS));
    const { key, id } = await messageWith(bob, keyOf(ann), WORDS);
    await bob.messenger.deleteMessages([key]);
    const body = { kind: "reply", text: "what?", to: { author: keyOf(ann), id }, quote: WORDS } as const;
    await deliver(relay, { from: ann, to: bob, plaintext: contentOf(ann, bob, body) });
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("what?"));
    expect(await tablesWith(bob, WORDS)).toEqual([]);
    expect(await messageWith(bob, keyOf(ann), "what?")).toMatchObject({ isAnswerToGone: true });
  });

  it("are repeated by so many answers at most that all are changed at once", async () => {
    await ann.messenger.sendText(keyOf(bob), WORDS);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(WORDS));
    const { key } = await messageWith(bob, keyOf(ann), WORDS);
    const answers = Array.from({ length: MAX_TIED_ANSWERS + 1 }, (_, index) => `answer ${index}`);
    for (const answer of answers) await bob.messenger.sendReply(key, answer);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes(answers.at(-1) ?? ""));
    const quotes = (await chatOf(bob, keyOf(ann))).flatMap(({ body }) => (body.kind === "reply" ? [body.quote] : []));
    expect(quotes.filter((quote) => quote === WORDS)).toHaveLength(MAX_TIED_ANSWERS);
    expect(quotes.at(-1)).toBe("");
    await bob.messenger.deleteMessages([key]);
    expect(await tablesWith(bob, WORDS)).toEqual([]);
  });

  it("are gone from answers that an earlier version stored", async () => {
    await answered("what?");
    const { key, id } = await messageWith(bob, keyOf(ann), WORDS);
    const { key: answer } = await messageWith(bob, keyOf(ann), "what?");
    await bob.messenger.stop();
    const database = await openMessageDatabase((await bob.client.storeKeys()).name, () => undefined);
    const { answers, ...row } = (await database.get("messages", answer)) ?? { sealed: new Uint8Array(), at: 0, conversation: "", key: "" };
    expect(answers).toMatch(/^[0-9a-f]+$/);
    expect([key, id]).not.toContain(answers);
    await database.write([
      { table: "messages", put: row },
      { table: "messages", delete: key },
      { table: "meta", delete: "answers tied" },
    ]);
    database.close();
    await restart(bob, relay);
    await pollUntil(async () => (await messageWith(bob, keyOf(ann), "what?")).isAnswerToGone === true);
    expect((await tablesWith(bob, WORDS)).filter((table) => table === "messages")).toEqual([]);
  });
});

/** Names of sealed rows say of which table they are; those of the index say nothing else. */
const LOCATIONS: Readonly<Partial<Record<StoreTable, string>>> = {
  messages: "message",
  conversations: "conversation",
  streams: "stream",
  pairs: "pair",
  amendments: "amendment",
};

/** Tables of a device's store in which a text can be read with its keys. */
async function tablesWith(device: Device, text: string): Promise<readonly string[]> {
  const keys = await device.client.storeKeys();
  const cipher = createRecordCipher(keys);
  const database = await openMessageDatabase(keys.name, () => undefined);
  const found = new Set<string>();
  for (const table of STORE_TABLES)
    for (const row of (await database.list(table)) as readonly StoredRow[])
      if ((await wordsIn(cipher, table, row)).includes(text)) found.add(table);
  database.close();
  return [...found];
}

/** All that a row says. A row that cannot be read would hide something. */
async function wordsIn(cipher: RecordCipher, table: StoreTable, { sealed, data, ...plain }: StoredRow): Promise<string> {
  const location = table === "search" ? "search" : `${LOCATIONS[table] ?? table} ${plain.key ?? plain.seq}`;
  const opened = sealed === undefined ? "" : await cipher.open(location, sealed);
  if (opened === undefined) throw new Error(`A row of ${table} cannot be read`);
  return JSON.stringify([plain, opened, new TextDecoder().decode(data)]);
}

interface StoredRow {
  readonly key?: string;
  readonly seq?: number;
  readonly sealed?: Uint8Array;
  readonly data?: Uint8Array;
}

async function signedFor(device: Device, devicePub: string): Promise<object> {
  const intent = { kind: "linkDevice", deviceName: "x", devicePub } as const;
  return (await device.keyring.sign({ intent, chainId: TEST_CHAIN, password: TEST_PASSWORD })).transaction;
}
