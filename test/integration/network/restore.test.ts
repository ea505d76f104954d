// A backup that is restored on a new device while its node is killed, and the device moves to another node: the same backup adds the rest,
// what was written meanwhile comes, and nothing is there twice.
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { ProcessNetwork } from "#test/support/nodes/process-network.ts";
import { RealDevice, type Weather } from "#test/support/worlds/real-device.ts";

const PASSWORD = "correct horse battery";
const CHUNKS = 40;
const weather: Weather = { isCalm: true, random: createRandom(20_261_130) };
const bytes = new Uint8Array(CHUNKS * 170_000).map((_, index) => index % 241);

let network: ProcessNetwork;
let chainId: string;
let ann: RealDevice;
let bob: RealDevice;
let fresh: RealDevice | undefined;
let group: string;

beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 1, nodes: 1, isDirect: true });
  await network.start();
  chainId = network.genesis.chain_id;
  ann = await join(0);
  bob = await join(0);
  await bob.submit({ kind: "requestContact", to: keyOf(ann), amountUt: 5_000 }, chainId);
  await ann.submit({ kind: "acceptContact", requester: keyOf(bob) }, chainId);
  for (const device of [ann, bob]) await begin(device);
  group = await ann.messenger.createGroup("Hikes", [keyOf(bob)]);
  await ann.messenger.sendText(keyOf(bob), "one");
  await ann.messenger.sendText(group, "group one");
  await ann.messenger.sendFile(keyOf(ann), { name: "long", mediaType: "b/c", bytes, caption: "", image: null });
  await until(
    [ann, bob],
    async () => (await textsOf(bob, keyOf(ann))).includes("one") && (await textsOf(bob, group)).includes("group one"),
  );
});

afterAll(async () => {
  for (const device of [ann, bob, fresh]) await device?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
});

function keyOf({ account }: RealDevice): string {
  return account.masterPub;
}

async function join(index: 0 | 1, phrase?: string): Promise<RealDevice> {
  const [own, other] = [network.node(index), network.node(index === 0 ? 1 : 0)];
  const place = { baseUrl: own.baseUrl, otherUrl: other.baseUrl, chainId, weather, skewMs: 0 };
  const device = await RealDevice.create({ ...place, ...(phrase !== undefined && { phrase }) });
  const { masterPub, devicePub } = device.account;
  const { id } = await network.node(0).client.requestFaucet({ body: { to: masterPub, amount_ut: 20_000_000 } });
  await pollUntil(() => readCommitted(own.client, id));
  await device.submit({ kind: "linkDevice", deviceName: `device ${index}`, devicePub }, chainId);
  return device;
}

async function begin(device: RealDevice): Promise<void> {
  await device.messenger.start();
  await pollUntil(async () => {
    await device.messenger.refreshContacts();
    return device.messenger.getSnapshot().isDevicePublished === true;
  });
}

/** Lets time pass until something holds. */
async function until(devices: readonly RealDevice[], condition: () => Promise<boolean>): Promise<void> {
  await pollUntil(
    async () => {
      for (const device of devices) device.time.advance(1_000);
      return condition();
    },
    { timeoutMs: 60_000 },
  );
}

async function messagesOf(device: RealDevice, id: string): Promise<readonly ChatMessage[]> {
  const view = device.messenger.openConversation(id);
  await view.loadOlder();
  while (view.getSnapshot().hasOlder) await view.loadOlder();
  const { messages } = view.getSnapshot();
  view.close();
  return messages;
}

async function textsOf(device: RealDevice, id: string): Promise<readonly string[]> {
  return (await messagesOf(device, id)).flatMap(({ body }) => ("text" in body ? [body.text] : []));
}

it("is whole at the other node", async () => {
  const whole = await ann.messenger.exportBackup(PASSWORD, { withFiles: true, app: null });
  const device = await join(1, ann.phrase);
  fresh = device;
  await begin(device);
  const file = async (): Promise<ChatMessage | undefined> =>
    (await messagesOf(device, keyOf(device))).find(({ body }) => body.kind === "attachment");
  const restoring = device.messenger.importBackup(whole, PASSWORD).then(
    () => "whole",
    () => "interrupted",
  );
  await pollUntil(async () => ((await file())?.transfer?.done ?? 0) > 0, { intervalMs: 1, what: "a part of the file" });
  // At once: forty parts are soon there.
  await Promise.all([network.node(1).end("SIGKILL"), device.moveTo(network.node(0).baseUrl)]);
  expect(await restoring).toBe("interrupted");
  await bob.messenger.sendText(keyOf(ann), "two");
  await bob.messenger.sendText(group, "group two");
  expect((await file())?.transfer?.done ?? 0).toBeLessThan(CHUNKS);
  await device.messenger.importBackup(whole, PASSWORD);
  expect((await file())?.transfer).toEqual({ done: CHUNKS, total: CHUNKS });
  expect(Buffer.compare((await device.messenger.readFile((await file())?.key ?? "")) ?? Buffer.alloc(0), bytes)).toBe(0);
  await until([ann, bob, device], async () => (await textsOf(device, group)).includes("group two"));
  await until([ann, bob, device], async () => (await textsOf(device, keyOf(bob))).includes("two"));
  // The group counts once its owner's other device has confirmed it: what is written here reaches its members.
  await device.messenger.sendText(group, "group three");
  await until([ann, bob, device], async () => (await textsOf(bob, group)).includes("group three"));
  expect(await textsOf(device, keyOf(bob))).toEqual(["one", "two"]);
  expect(await textsOf(device, group)).toEqual(["group one", "group two", "group three"]);
  await network.node(1).start();
  await device.moveTo(network.node(1).baseUrl);
  expect(await device.messenger.importBackup(whole, PASSWORD)).toEqual({ messages: 0, chunks: 0, app: null });
  await bob.messenger.sendText(keyOf(ann), "four");
  await until([ann, bob, device], async () => (await textsOf(device, keyOf(bob))).includes("four"));
  expect(await textsOf(device, keyOf(bob))).toEqual(["one", "two", "four"]);
});
