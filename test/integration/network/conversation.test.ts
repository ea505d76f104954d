// Three devices of two people over two real nodes: envelopes lost, doubled and reordered, pushes dropped, devices away and restarted,
// clocks apart, each node killed and started again, a device revoked in the middle, another one linked at the other node. In the end all
// agree on every message, once each.

import { afterAll, beforeAll, expect, it } from "vitest";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { CHUNK_BYTES } from "#shared/content/content.ts";
import type { ChatMessage, StoredAttachment } from "#shared/messenger/model/message.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";
import { byteAt, watchedFile, watchedSource } from "#test/support/worlds/file-source.ts";
import { RealDevice, type Weather } from "#test/support/worlds/real-device.ts";

const SEED = Number(process.env.PARLEY_TEST_SEED ?? 20_261_121);
const STEPS = 45;
const STEPS_AFTER_REVOCATION = 12;
const FUNDS_UT = 20_000_000;

const random = createRandom(SEED);
const weather: Weather = { isCalm: true, random };

let network: ProcessNetwork;
let chainId: string;
let ann: RealDevice;
let annAway: RealDevice;
let bob: RealDevice;
let group: string;
/** Texts that were sent, by conversation. */
const sent = { two: [] as string[], group: [] as string[] };

beforeAll(async () => {
  console.log(`seed ${SEED}`);
  network = await ProcessNetwork.create({ validators: 1, nodes: 1, isDirect: true });
  await network.start();
  chainId = network.genesis.chain_id;
  ann = await join(0, 0);
  annAway = await join(1, 45_000, ann.phrase);
  bob = await join(1, 120_000);
  await bob.submit({ kind: "requestContact", to: ann.account.masterPub, amountUt: 5_000 }, chainId);
  await ann.submit({ kind: "acceptContact", requester: bob.account.masterPub }, chainId);
  for (const device of all()) await device.messenger.start();
  for (const device of all())
    await pollUntil(async () => {
      await device.messenger.refreshContacts();
      return device.messenger.getSnapshot().isDevicePublished === true;
    });
  group = await ann.messenger.createGroup("Hikes", [bob.account.masterPub]);
  await pollUntil(async () => {
    pass(all(), 1_000);
    return all().every((device) => device.messenger.getSnapshot().conversations.some(({ id }) => id === group));
  });
});

afterAll(async () => {
  for (const device of [ann, annAway, bob]) await device?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
});

/** A funded person's device, listed on the chain and known to both nodes. */
async function join(index: 0 | 1, skewMs: number, phrase?: string): Promise<RealDevice> {
  const [own, other] = [network.node(index), network.node(index === 0 ? 1 : 0)];
  const device = await RealDevice.create({
    baseUrl: own.baseUrl,
    otherUrl: other.baseUrl,
    chainId,
    weather,
    skewMs,
    ...(phrase === undefined ? {} : { phrase }),
  });
  const { masterPub, devicePub } = device.account;
  const { id } = await network.node(0).client.requestFaucet({ body: { to: masterPub, amount_ut: FUNDS_UT } });
  await pollUntil(() => readCommitted(own.client, id));
  await device.submit({ kind: "linkDevice", deviceName: `device ${index}`, devicePub }, chainId);
  return device;
}

function all(): readonly RealDevice[] {
  return [ann, annAway, bob];
}

function pass(devices: readonly RealDevice[], ms: number): void {
  for (const device of devices) device.time.advance(ms);
}

/** The conversation of two, as this device names it. */
function twoOf(device: RealDevice): string {
  return device === bob ? ann.account.masterPub : bob.account.masterPub;
}

async function messagesOf(device: RealDevice, id: string): Promise<readonly ChatMessage[]> {
  const view = device.messenger.openConversation(id);
  await view.loadOlder();
  while (view.getSnapshot().hasOlder) await view.loadOlder();
  const { messages } = view.getSnapshot();
  view.close();
  const notes: readonly string[] = ["group.note", "device.note", "contact.accept"];
  return messages.filter(({ body }) => !notes.includes(body.kind));
}

/** What all must agree on, whichever side wrote it. */
async function transcript(device: RealDevice, id: string): Promise<readonly string[]> {
  return (await messagesOf(device, id)).map(({ body, isEdited, reactions }) => {
    const counts = reactions.map(({ emoji, count }) => `${emoji}${count}`).sort();
    return `${"text" in body ? body.text : body.kind}${isEdited ? " (edited)" : ""} ${counts.join()}`;
  });
}

/** One action of a person. */
async function act(devices: readonly RealDevice[], step: string): Promise<void> {
  const device = devices[random.between(0, devices.length - 1)] ?? ann;
  const place = random.chance(0.5) ? "two" : "group";
  const id = place === "two" ? twoOf(device) : group;
  const messages = await messagesOf(device, id);
  const some = messages[random.between(0, Math.max(0, messages.length - 1))];
  const luck = random.next();
  if (luck < 0.12) device.setOnline(random.chance(0.4));
  else if (luck < 0.2) await device.restart();
  else if (luck < 0.3 && some?.body.kind === "text") await device.messenger.react(some.key, ["👍", "🎉", ""][random.between(0, 2)] ?? "");
  else if (luck < 0.4 && some?.body.kind === "text" && some.direction === "out")
    await device.messenger.editMessage(some.key, `${some.body.text}!`);
  else {
    const text = `${place}-${step}`;
    await device.messenger.sendText(id, text);
    sent[place].push(text);
  }
  for (const each of devices) each.time.advance(700 + random.between(0, 3_000));
}

/** Each writes once more in calm weather, so that losses at the end of a stream are noticed; then all must agree. */
async function untilEqual(devices: readonly RealDevice[], round: string): Promise<void> {
  weather.isCalm = true;
  for (const device of devices) device.setOnline(true);
  for (const [index, device] of devices.entries()) {
    await device.messenger.sendText(twoOf(device), `two-last-${round}-${index}`);
    await device.messenger.sendText(group, `group-last-${round}-${index}`);
    sent.two.push(`two-last-${round}-${index}`);
    sent.group.push(`group-last-${round}-${index}`);
  }
  for (const [place, name] of [
    ["two", twoOf],
    ["group", (): string => group],
  ] as const) {
    let last: readonly (readonly string[])[] = [];
    await pollUntil(
      async () => {
        pass(devices, 3_000);
        last = await Promise.all(devices.map((device) => transcript(device, name(device))));
        return last.every((one) => one.length === sent[place].length && one.join("\n") === last[0]?.join("\n"));
      },
      { timeoutMs: 60_000, intervalMs: 100 },
    ).catch((error: unknown) => {
      const seen = last.map((one) => one.join(" | ")).join("\n");
      throw new Error(`The transcripts differ (${sent[place].length} were sent):\n${seen}`, { cause: error });
    });
    const words = (last[0] ?? []).map((line) => line.replace(/[! ].*$/, ""));
    expect([...words].sort()).toEqual([...sent[place]].sort());
  }
}

/** What a sender believes of what it wrote: the devices of all others have it, and nothing waits or is lost. */
async function untilArrived(devices: readonly RealDevice[]): Promise<void> {
  const open = async (): Promise<readonly string[]> => {
    const lists = await Promise.all(devices.flatMap((device) => [messagesOf(device, twoOf(device)), messagesOf(device, group)]));
    const own = lists.flat().filter(({ direction }) => direction === "out");
    return own
      .filter(({ state }) => state !== "delivered" && state !== "read")
      .map(({ body, state }) => `${"text" in body ? body.text : body.kind}: ${state}`);
  };
  await pollUntil(
    async () => {
      pass(devices, 3_000);
      return (await open()).length === 0;
    },
    { timeoutMs: 60_000, intervalMs: 100 },
  ).catch(async (error: unknown) => {
    throw new Error(`Not said to have arrived: ${(await open()).join(" | ")}`, { cause: error });
  });
}

async function killed(node: ProcessNode, steps: () => Promise<void>): Promise<void> {
  await node.end("SIGKILL");
  await steps();
  await node.start();
}

it("all agree on every message, exactly once, whatever happened on the way", async () => {
  weather.isCalm = false;
  const few = async (from: number, to: number): Promise<void> => {
    for (let step = from; step < to; step += 1) await act(all(), String(step));
  };
  await few(0, 15);
  await killed(network.node(1), () => few(15, 20));
  await few(20, 30);
  await killed(network.node(0), () => few(30, 35));
  await few(35, STEPS);
  // Real nodes opened the boxes, told each other of them, and took what they admit: under load, later than the last of these steps.
  const leastToBoxes = (): number => Math.min(...all().map(({ handedToBoxes }) => handedToBoxes));
  let step = STEPS;
  const isHandedIn = async (): Promise<boolean> => {
    if (leastToBoxes() === 0) await act(all(), String(step++));
    return leastToBoxes() > 0;
  };
  await pollUntil(isHandedIn, { timeoutMs: 60_000, intervalMs: 200, what: "mail of each device in boxes" });
  await untilEqual(all(), "one");
  await untilArrived(all());
});

it("a file to several devices is stored once at real nodes, comes to each through its own, and is deleted when all have it", async () => {
  const size = 9 * CHUNK_BYTES;
  await ann.messenger.sendFile(group, watchedFile(watchedSource(size)));
  sent.group.push("attachment");
  const fileIn = async (device: RealDevice): Promise<ChatMessage | undefined> =>
    (await messagesOf(device, group)).find(({ body }) => body.kind === "attachment");
  const isWhole = async (device: RealDevice): Promise<boolean> => {
    const { transfer } = (await fileIn(device)) ?? {};
    return transfer?.done === 9 && transfer.total === 9;
  };
  await pollUntil(
    async () => {
      pass(all(), 3_000);
      return (await Promise.all(all().map(isWhole))).every(Boolean);
    },
    { timeoutMs: 60_000, intervalMs: 100, what: "the file on three devices" },
  );
  const { boxes: [mailbox = ""] = [] } = ((await fileIn(bob))?.body ?? {}) as Partial<StoredAttachment>;
  expect(mailbox).not.toBe("");
  const file = await bob.messenger.readFileParts((await fileIn(bob))?.key ?? "");
  let at = 0;
  for await (const part of file?.parts ?? []) {
    expect(part[0]).toBe(byteAt(at));
    at += part.length;
  }
  expect(at).toBe(size);
  await pollUntil(
    async () => {
      pass(all(), 3_000);
      const counts = await Promise.all([0, 1].map((index) => network.node(index).client.countInbox({ pub: mailbox })));
      return counts.every(({ count }) => count === 0);
    },
    { timeoutMs: 60_000, intervalMs: 100, what: "its mailbox to be empty at both nodes" },
  );
});

it("a device that was revoked reads nothing that is written afterwards, and the others continue", async () => {
  await ann.submit({ kind: "unlinkDevice", devicePub: annAway.account.devicePub }, chainId);
  for (const index of [0, 1])
    await pollUntil(async () => {
      const { devices } = await network.node(index).client.listDevices({ master_pub: ann.account.masterPub });
      return devices.every(({ x25519_pub_key: key }) => key !== annAway.account.devicePub);
    });
  const [twoBefore, groupBefore] = [await transcript(annAway, twoOf(annAway)), await transcript(annAway, group)];
  pass([ann, bob], 61_000);
  weather.isCalm = false;
  for (let step = 0; step < STEPS_AFTER_REVOCATION; step += 1) await act([ann, bob], `after-${step}`);
  await untilEqual([ann, bob], "two");
  await untilArrived([ann, bob]);
  pass([annAway], 61_000);
  await pollUntil(async () => (await annAway.client.countInbox({ pub: annAway.account.devicePub })).count === 0);
  const wordsOf = (lines: readonly string[]): readonly string[] => lines.map((line) => line.replace(/[! ].*$/, ""));
  expect(wordsOf(await transcript(annAway, twoOf(annAway)))).toEqual(wordsOf(twoBefore));
  expect(wordsOf(await transcript(annAway, group))).toEqual(wordsOf(groupBefore));
});

it("a device that is linked at the other node takes the history over and takes part from then on", async () => {
  const { baseUrl } = network.node(1);
  const tablet = await ann.link({ baseUrl, otherUrl: network.node(0).baseUrl, chainId, weather, skewMs: -30_000 });
  try {
    await tablet.messenger.start();
    const isOver = (device: RealDevice): boolean => device.messenger.getSnapshot().deviceTransfer?.phase === "done";
    await pollUntil(
      () => {
        pass([ann, tablet], 500);
        return isOver(ann) && isOver(tablet);
      },
      // Where answers take long beside the time that passes, parts are asked for again after minutes of it.
      { timeoutMs: 240_000, intervalMs: 50, what: "the history to be handed over" },
    );
    for (const id of [twoOf(ann), group]) expect(await transcript(tablet, id)).toEqual(await transcript(ann, id));
    expect(sent.two.length).toBeGreaterThan(0);
    pass([ann, bob], 61_000);
    await untilEqual([ann, bob, tablet], "three");
  } finally {
    await tablet[Symbol.asyncDispose]();
  }
});
