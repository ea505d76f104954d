// What relays, strangers and members of groups try with mail: each was possible once.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import { decodePlaintext } from "#shared/content/content-codec.ts";
import type { KeyPublication, PublishedKeys } from "#shared/messenger/model/node-port.ts";
import { MAX_STREAMS_OF_DEVICE } from "#shared/messenger/state/streams.ts";
import { createRecordCipher } from "#shared/messenger/store/record-cipher.ts";
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
  beforeEach(async () => {
    await ann.messenger.sendText(keyOf(bob), "hi");
    await untilTexts(bob, keyOf(ann), ["hi"]);
  });

  it("are gone from every table when their message disappeared", async () => {
    await ann.messenger.setTimer(keyOf(bob), 60);
    await pollUntil(() => summaryOf(bob, keyOf(ann))?.expiresInS === 60);
    await ann.messenger.sendText(keyOf(bob), "burn after reading");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("burn after reading"));
    await untilEmpty(relay, ann, bob);
    await bob.messenger.markRead(keyOf(ann));
    await passTime([ann, bob], 61_000, async () =>
      [await textsOf(ann, keyOf(bob)), await textsOf(bob, keyOf(ann))].every((texts) => !texts.includes("burn after reading")),
    );
    for (const device of [ann, bob]) expect(await tablesWith(device, "burn after")).toEqual([]);
  });

  it("are gone from every table when their message was deleted for everyone, whatever was searched for before", async () => {
    await ann.messenger.sendText(keyOf(bob), "wrong window");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("wrong window"));
    expect(await bob.messenger.search("wrong")).toHaveLength(1);
    await ann.messenger.editMessage((await messageWith(ann, keyOf(bob), "wrong window")).key, "wrong window, sorry");
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("wrong window, sorry"));
    await untilEmpty(relay, ann, bob);
    await ann.messenger.deleteForEveryone((await messageWith(ann, keyOf(bob), "wrong window, sorry")).key);
    await pollUntil(async () => (await textsOf(bob, keyOf(ann))).includes("deleted"));
    await untilEmpty(relay, ann, bob);
    for (const device of [ann, bob]) expect(await tablesWith(device, "wrong window")).toEqual([]);
    expect(await bob.messenger.search("wrong")).toEqual([]);
    expect(await bob.messenger.search("hi")).toHaveLength(1);
    for (const device of [ann, bob]) expect(await tablesWith(device, "wrong window")).toEqual([]);
  });
});

/** Tables of a device's store in which a text can be read with its keys. */
async function tablesWith(device: Device, text: string): Promise<readonly string[]> {
  const keys = await device.client.storeKeys();
  const cipher = createRecordCipher(keys);
  const database = await openMessageDatabase(keys.name, () => undefined);
  const found: string[] = [];
  for (const table of ["messages", "sent", "search", "outbox", "conversations", "amendments", "meta"] as const)
    for (const row of (await database.list(table)) as readonly { key?: string; seq?: number; sealed: Uint8Array }[]) {
      const kind = { messages: "message", conversations: "conversation", amendments: "amendment" }[table as "messages"] ?? table;
      const places = [`${kind} ${row.key ?? row.seq}`, "search"];
      const values = await Promise.all(places.map((place) => cipher.open(place, row.sealed)));
      if (values.some((value) => JSON.stringify(value ?? "").includes(text))) found.push(table);
    }
  database.close();
  return found;
}

async function signedFor(device: Device, devicePub: string): Promise<object> {
  const intent = { kind: "linkDevice", deviceName: "x", devicePub } as const;
  return (await device.keyring.sign({ intent, chainId: TEST_CHAIN, password: TEST_PASSWORD })).transaction;
}
