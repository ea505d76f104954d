// Runs in a browser: one messenger on a real node, with the keyring in a Worker as in the app, and what a message to a large
// group costs.

import type { NodeAccess } from "#renderer/lib/node/access/node-access.ts";
import { openMessageDatabase, openMessageSearch } from "#renderer/storage/message-database.ts";
import { createNodeClient } from "#shared/api/client.ts";
import { LiveConnection, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import { createKeyringClient, type KeyringClient } from "#shared/keyring/port.ts";
import { createMessenger } from "#shared/messenger/create-messenger.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationView } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { createLinkNode } from "#shared/messenger/node/link-node.ts";
import { createMessengerNode } from "#shared/messenger/node/messenger-node.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";

/** A person at the page. */
export interface GroupWriter {
  readonly masterPub: string;
  /** Lists this device on the chain. */
  link(): Promise<void>;
  /** Makes a group and writes so many messages to it, each once the one before it is in all mailboxes. */
  measure(members: readonly string[], messages: number): Promise<GroupTimes>;
}

/** Milliseconds of each message: until it is shown here, and until all its envelopes are in the mailboxes. */
export interface GroupTimes {
  readonly shown: readonly number[];
  readonly stored: readonly number[];
}

const POLL_MS = 50;

/** Makes an identity whose keyring runs in the Worker of `keyringUrl`. */
export async function openWriter(nodeUrl: string, keyringUrl: string): Promise<GroupWriter> {
  const access = openNode(nodeUrl);
  const { chain_id: chainId } = await access.client.getNetworkInfo({});
  const keyring = openKeyring(keyringUrl);
  await keyring.create({ password: "four unrelated words walk home" });
  const { account } = await keyring.status();
  if (account === null) throw new Error("The keyring has no account");
  const { masterPub, devicePub } = account;
  return {
    masterPub,
    link: async (): Promise<void> => {
      const { transaction } = await keyring.sign({ intent: { kind: "linkDevice", deviceName: "bench", devicePub }, chainId });
      await access.client.submitTransaction({ body: transaction });
      await until(async () => (await access.client.listDevices({ master_pub: masterPub })).count === 1);
    },
    measure: async (members, messages): Promise<GroupTimes> => {
      const messenger = openMessenger(access, keyring, chainId);
      await messenger.start();
      const times = await measureGroup(messenger, members, messages);
      await messenger.stop();
      access.live.close();
      return times;
    },
  };
}

function openNode(nodeUrl: string): NodeAccess {
  return {
    address: nodeUrl,
    client: createNodeClient({ baseUrl: nodeUrl, fetch: (url, init) => fetch(url, init as RequestInit) }),
    live: new LiveConnection({
      url: `${nodeUrl.replace(/^http/, "ws")}/api/ws`,
      createSocket: (url): SocketLike => new WebSocket(url) as unknown as SocketLike,
      timers: hostTimers,
      jitter: Math.random,
    }),
  };
}

function openKeyring(url: string): KeyringClient<CryptoKey> {
  const worker = new Worker(url, { type: "module" });
  return createKeyringClient<CryptoKey>({
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    listen: (listener) => {
      const onMessage = ({ data }: MessageEvent): void => listener(data);
      worker.addEventListener("message", onMessage);
      return () => worker.removeEventListener("message", onMessage);
    },
  });
}

function openMessenger(access: NodeAccess, keyring: KeyringClient<CryptoKey>, chainId: string): Messenger {
  return createMessenger({
    node: createMessengerNode(access, {
      chainId,
      inboxProof: (request) => keyring.inboxProof(request),
      signDeletion: (request) => keyring.signDeletion(request),
    }),
    keyring,
    linkNode: createLinkNode(access, chainId),
    restoreSavedNotes: async (): Promise<void> => undefined,
    sweepItems: async (): Promise<boolean> => true,
    clock: hostClock,
    timers: hostTimers,
    random: hostRandom,
    openDatabase: openMessageDatabase,
    openSearch: openMessageSearch,
    locks: navigator.locks,
  });
}

async function measureGroup(messenger: Messenger, members: readonly string[], messages: number): Promise<GroupTimes> {
  const group = await messenger.createGroup("Bench", members);
  const view = messenger.openConversation(group);
  const shown: number[] = [];
  const stored: number[] = [];
  for (let index = -1; index < messages; index += 1) {
    const text = `message ${index}`;
    const is = (message: ChatMessage): boolean => "text" in message.body && message.body.text === text;
    const start = performance.now();
    const isShown = when(view, is, start);
    const isStored = when(view, (message) => is(message) && message.state === "relayed", start);
    await messenger.sendText(group, text);
    const [shownMs, storedMs] = await Promise.all([isShown, isStored]);
    // The first one waits for the messages that announce the new group.
    if (index < 0) continue;
    shown.push(shownMs);
    stored.push(storedMs);
  }
  view.close();
  return { shown, stored };
}

/** Milliseconds from a start until a message of a chat is like that. */
function when(view: ConversationView, isMatch: (message: ChatMessage) => boolean, start: number): Promise<number> {
  return new Promise((resolve) => {
    const stop = view.subscribe(() => {
      if (!view.getSnapshot().messages.some(isMatch)) return;
      stop();
      resolve(performance.now() - start);
    });
  });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
