// What a test asks of a messenger: the messages of a chat as they stand in the store, and waiting for them.

import { openMessageDatabase } from "#renderer/storage/message-database.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { storeDeviceTransfer } from "#shared/messenger/transfer/store-device-transfer.ts";
import { pollUntil } from "../host/poll-until.ts";
import type { MemoryVault } from "./keyring-world.ts";
import { createDevice, createTestMessenger, type TestDevice, TestNode, TestRelay } from "./messenger-world.ts";

/** A device with the phrase of its person, and what holds its vault. */
export type Device = TestDevice & { readonly phrase: string; readonly storage: MemoryVault };

/** Master key of a device's person. */
export function keyOf(device: Pick<TestDevice, "account">): string {
  return device.account.masterPub;
}

/** Messages of a chat, read again from the store, oldest first. */
export async function chatOf(device: TestDevice, id: string): Promise<readonly ChatMessage[]> {
  const view = device.messenger.openConversation(id);
  await view.loadOlder();
  while (view.getSnapshot().hasOlder) await view.loadOlder();
  const { messages } = view.getSnapshot();
  view.close();
  return messages;
}

/** One word for each message: its text, or its kind. */
export async function textsOf(device: TestDevice, id: string): Promise<readonly string[]> {
  return (await chatOf(device, id)).map(({ body }) => ("text" in body ? body.text : body.kind));
}

/** The only message of a chat whose text is this. */
export async function messageWith(device: TestDevice, id: string, text: string): Promise<ChatMessage> {
  const found = (await chatOf(device, id)).filter(({ body }) => "text" in body && body.text === text);
  const [message] = found;
  if (message === undefined || found.length > 1) throw new Error(`${found.length} messages say ${text}`);
  return message;
}

/** Waits until a chat reads like this. */
export async function untilTexts(device: TestDevice, id: string, expected: readonly string[]): Promise<void> {
  let last: readonly string[] = [];
  await pollUntil(
    async () => {
      last = await textsOf(device, id);
      return last.join("|") === expected.join("|");
    },
    { what: `${expected.join("|")} in the chat` },
  ).catch((error: unknown) => {
    throw new Error(`The chat reads ${last.join("|")}, not ${expected.join("|")}`, { cause: error });
  });
}

/** The row of a conversation in the list. */
export function summaryOf(device: TestDevice, id: string): ConversationSummary | undefined {
  return device.messenger.getSnapshot().conversations.find((conversation) => conversation.id === id);
}

/** States of the messages of a chat. */
export async function statesOf(device: TestDevice, id: string): Promise<readonly ChatMessage["state"][]> {
  return (await chatOf(device, id)).map(({ state }) => state);
}

/** Waits until all own messages of a chat have reached a state. */
export async function untilState(device: TestDevice, id: string, expected: string): Promise<void> {
  await pollUntil(async () => (await statesOf(device, id)).every((state) => state === expected || state === null), {
    what: `state ${expected}`,
  });
}

/** Lets the time of devices pass step by step until something holds: timers are set only after what they follow. */
export async function passTime(
  devices: readonly TestDevice[],
  stepMs: number,
  condition: () => boolean | Promise<boolean>,
  { intervalMs = 20 }: { readonly intervalMs?: number } = {},
): Promise<void> {
  const step = (): boolean | Promise<boolean> => {
    for (const device of devices) device.time.advance(stepMs);
    return condition();
  };
  await pollUntil(step, { intervalMs });
}

/** Ends a device's program in order and starts it again. */
export async function restart(device: TestDevice, relay: TestRelay): Promise<void> {
  await device.messenger.stop();
  device.node = new TestNode(relay);
  device.messenger = createTestMessenger(device, device.node);
  await device.messenger.start();
}

/** A device has just been linked: its store knows what to take over before its messenger runs. */
export async function takeOver(device: TestDevice, session: Uint8Array): Promise<void> {
  await device.messenger.stop();
  await storeDeviceTransfer(await device.client.storeKeys(), session, openMessageDatabase);
  device.messenger = createTestMessenger(device, device.node);
  await device.messenger.start();
  await pollUntil(() => device.messenger.getSnapshot().deviceTransfer?.role === "receiving", { what: "the taking over" });
}

/** People at a relay, with their devices running. */
export interface World {
  readonly relay: TestRelay;
  readonly devices: Device[];
  join(options?: Parameters<typeof createDevice>[1], at?: TestRelay): Promise<Device>;
  stop(): Promise<void>;
}

/** A world without people. */
export function createWorld(relay: TestRelay): World {
  const devices: Device[] = [];
  return {
    relay,
    devices,
    join: async (options = {}, at = relay): Promise<Device> => {
      const device = await createDevice(at, options);
      devices.push(device);
      await device.messenger.start();
      return device;
    },
    stop: async (): Promise<void> => {
      for (const device of devices) await device.messenger.stop();
    },
  };
}

/** Makes people contacts of each other and lets their devices know. */
export async function befriend(relay: TestRelay, one: Device, other: Device, devices: readonly Device[]): Promise<void> {
  relay.setContact(keyOf(one), keyOf(other), "accepted");
  for (const device of devices) await device.messenger.refreshContacts();
}

/** Two people who are contacts, with a device each, around one relay. */
export interface Pair {
  readonly relay: TestRelay;
  readonly world: World;
  readonly ann: Device;
  readonly bob: Device;
}

/** Ann and Bob, both running. */
export async function createPair(): Promise<Pair> {
  const relay = new TestRelay();
  const world = createWorld(relay);
  const ann = await world.join();
  const bob = await world.join();
  await befriend(relay, ann, bob, world.devices);
  return { relay, world, ann, bob };
}

/** Waits until the mailboxes of devices are empty. */
export async function untilEmpty(relay: TestRelay, ...devices: readonly TestDevice[]): Promise<void> {
  await pollUntil(() => devices.every(({ account }) => relay.count(account.devicePub) === 0), { what: "empty mailboxes" });
}

/** Two people who are contacts, one of them with two devices, around one relay. */
export interface Trio {
  readonly relay: TestRelay;
  readonly world: World;
  readonly ann: Device;
  readonly annOther: Device;
  readonly bob: Device;
  /** The same question on all three devices, each about its own side of the conversation. */
  everywhere<T>(ask: (device: Device, peer: string) => Promise<T>): Promise<readonly T[]>;
}

/** Ann with two devices and Bob, all running. */
export async function createTrio(): Promise<Trio> {
  const relay = new TestRelay();
  const world = createWorld(relay);
  const ann = await world.join();
  const annOther = await world.join({ phrase: ann.phrase });
  const bob = await world.join();
  await befriend(relay, ann, bob, world.devices);
  const everywhere = async <T>(ask: (device: Device, peer: string) => Promise<T>): Promise<readonly T[]> => [
    await ask(ann, keyOf(bob)),
    await ask(annOther, keyOf(bob)),
    await ask(bob, keyOf(ann)),
  ];
  return { relay, world, ann, annOther, bob, everywhere };
}
