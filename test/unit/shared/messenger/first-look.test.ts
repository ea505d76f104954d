// Whose devices a list names when its person is looked up for the first time, at nodes that lie and at nodes that hold no old blocks.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KeyPublication, PublishedKeys } from "#shared/messenger/model/node-port.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";
import {
  befriend,
  chatOf,
  createWorld,
  type Device,
  keyOf,
  passTime,
  restart,
  statesOf,
  summaryOf,
  textsOf,
  untilEmpty,
  untilTexts,
  type World,
} from "#test/support/worlds/messenger-chat.ts";
import { TEST_CHAIN, TEST_PASSWORD, TestRelay } from "#test/support/worlds/messenger-world.ts";

/** Longer than what was answered is taken. */
const LATER_MS = 601_000;

let relay: TestRelay;
let world: World;
let ann: Device;
let bob: Device;
let laptop: Device;
let ghost: string;

/** Bob with two devices whose cards are published; nothing was sent yet. The node holds no block with their LINK_DEVICE. */
beforeEach(async () => {
  relay = new TestRelay();
  world = createWorld(relay);
  ann = await world.join();
  relay.blockS = Math.floor(ann.time.nowMs() / 1_000);
  bob = await world.join();
  laptop = await world.join({ phrase: bob.phrase });
  await pollUntil(() => [bob, laptop].every(({ account }) => relay.cards.has(account.devicePub)), { what: "cards" });
  ghost = toHex(boxKeyPair(systemRandom(32)).publicKey);
  prune();
});
afterEach(() => world.stop());

const linkOf = (device: Device): string => `${keyOf(device)} ${device.account.devicePub}`;
const prune = (): void => relay.publications.clear();
const marked = (): readonly string[] => ann.messenger.getSnapshot().uncheckedDevices;
const hasGot = (device: string): boolean => relay.history.some(({ recipient_pub }) => recipient_pub === device);

/** Ann's node, and no other, lists one more device of Bob. */
function lie(publication: KeyPublication = "unknown"): void {
  const { node } = ann;
  const [publishedKeys, keyPublication] = [node.publishedKeys.bind(node), node.keyPublication.bind(node)];
  node.publishedKeys = async (master): Promise<PublishedKeys> => {
    const keys = await publishedKeys(master);
    return master === keyOf(bob) ? { ...keys, devices: [ghost, ...keys.devices] } : keys;
  };
  node.keyPublication = async (master, key): Promise<KeyPublication> => (key === ghost ? publication : keyPublication(master, key));
}

async function write(text: string, ...readers: readonly Device[]): Promise<void> {
  await ann.messenger.sendText(keyOf(bob), text);
  for (const reader of readers)
    await pollUntil(async () => (await textsOf(reader, keyOf(ann))).includes(text), { what: `${text} on a device` });
  await pollUntil(async () => (await statesOf(ann, keyOf(bob))).every((state) => state !== "queued"));
}

describe("a node that adds a device to the list of someone who was never looked up", () => {
  it.each([
    ["a contact", true],
    ["a stranger", false],
  ])("and says that it does not hold the history: it gets nothing, as the others have cards of %s", async (_, isContact) => {
    if (isContact) await befriend(relay, ann, bob, world.devices);
    lie();
    await write("hello", bob, laptop);
    expect(hasGot(ghost)).toBe(false);
    expect(marked()).toEqual([]);
    if (isContact) expect(ann.messenger.getSnapshot().deviceChanges).toMatchObject([{ person: keyOf(bob) }]);
  });

  it("gets it nothing where the chain shows the link of one device, although no card is there", async () => {
    const link = await linked(bob);
    relay.publications.set(linkOf(bob), link);
    relay.cards.clear();
    lie();
    await write("hello", bob);
    expect([hasGot(ghost), hasGot(laptop.account.devicePub)]).toEqual([false, false]);
    // It is back as soon as its card is.
    relay.publications.set(linkOf(laptop), await linked(laptop));
    ann.time.advance(LATER_MS);
    await write("both", bob, laptop);
    expect(hasGot(ghost)).toBe(false);
  });

  it("and withholds all that would prove one is seen in the chat, and gets no more once a device has shown its certificate", async () => {
    await befriend(relay, ann, bob, world.devices);
    lie();
    ann.node.refuse = (call): CodedError | undefined => (call === "publicCard" ? new CodedError("UNAVAILABLE", "busy") : undefined);
    await write("hello", bob, laptop);
    expect(hasGot(ghost)).toBe(true);
    expect(marked()).toEqual([keyOf(bob)]);
    await bob.messenger.sendText(keyOf(ann), "hi");
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("device.note"));
    await untilEmpty(relay, ann, bob, laptop);
    const before = relay.history.length;
    await write("for Bob only", bob, laptop);
    expect(relay.history.slice(before).some(({ recipient_pub }) => recipient_pub === ghost)).toBe(false);
    expect(marked()).toEqual([]);
    const notes = (await chatOf(ann, keyOf(bob))).filter(({ body }) => body.kind === "device.note");
    expect(notes).toMatchObject([{ body: { event: "refused" } }]);
  });

  it("leaves out one of the person's own beside another that is proven, until it shows its certificate: its words are not lost", async () => {
    await befriend(relay, ann, bob, world.devices);
    ann.node.refuse = (call): CodedError | undefined => (call === "publicCard" ? new CodedError("UNAVAILABLE", "busy") : undefined);
    laptop.node.setOnline(false);
    await write("hello", bob);
    await bob.messenger.sendText(keyOf(ann), "hi");
    await pollUntil(async () => (await textsOf(ann, keyOf(bob))).includes("device.note"));
    laptop.node.setOnline(true);
    await laptop.messenger.sendText(keyOf(ann), "from the laptop");
    await passTime([ann], 60_000, async () => (await textsOf(ann, keyOf(bob))).includes("from the laptop"));
    await write("for both", bob, laptop);
  });

  it("shows a card that another person signed: it proves nothing", async () => {
    lie();
    const card = relay.cards.get(ann.account.devicePub);
    await pollUntil(() => relay.cards.has(ann.account.devicePub));
    relay.cards.set(ghost, card ?? relay.cards.get(ann.account.devicePub) ?? new Uint8Array());
    await write("hello", bob, laptop);
    expect(hasGot(ghost)).toBe(false);
  });
});

describe("a node that holds no old blocks, with nothing that proves a device", () => {
  beforeEach(() => relay.cards.clear());

  it.each([
    ["a contact", true],
    ["a stranger", false],
  ])("reaches all of them, and the chat with %s says so until a node can prove them", async (_, isContact) => {
    if (isContact) await befriend(relay, ann, bob, world.devices);
    await write("hello", bob, laptop);
    await pollUntil(() => marked().length > 0);
    expect(marked()).toEqual([keyOf(bob)]);
    if (isContact) await restart(ann, relay);
    if (isContact) expect(marked()).toEqual([keyOf(bob)]);
    for (const device of [bob, laptop]) relay.publications.set(linkOf(device), await linked(device));
    ann.time.advance(LATER_MS);
    await write("again", bob, laptop);
    await pollUntil(() => marked().length === 0);
    expect(await textsOf(ann, keyOf(bob))).toEqual(["hello", "again"]);
  });

  it("reaches members of a group", async () => {
    const carol = await world.join();
    prune();
    relay.cards.clear();
    for (const other of [bob, carol]) await befriend(relay, ann, other, world.devices);
    const group = await ann.messenger.createGroup("Hikes", [keyOf(bob), keyOf(carol)]);
    const members = [bob, laptop, carol];
    await passTime(world.devices, 1_000, () => members.every((device) => summaryOf(device, group)?.group?.isMember === true));
    await ann.messenger.sendText(group, "at nine");
    await passTime(world.devices, 1_000, async () => {
      const texts = await Promise.all(members.map((device) => textsOf(device, group)));
      return texts.every((there) => there.includes("at nine"));
    });
  });

  it("lets a request of a stranger in", async () => {
    await bob.messenger.sendText(keyOf(ann), "may I?");
    await untilTexts(ann, keyOf(bob), ["may I?"]);
  });
});

/** The transaction that lists a device, as a node with the history has it. */
async function linked(device: Device): Promise<object> {
  const intent = { kind: "linkDevice", deviceName: "x", devicePub: device.account.devicePub } as const;
  return (await device.keyring.sign({ intent, chainId: TEST_CHAIN, password: TEST_PASSWORD })).transaction;
}
