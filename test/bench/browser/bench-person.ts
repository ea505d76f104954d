// One messenger on a real node, without the interface: for pages of the benchmark. The keyring runs in a Worker as in the app.
import type { NodeAccess } from "#renderer/lib/node/access/node-access.ts";
import { openMessageDatabase, openMessageSearch } from "#renderer/storage/message-database.ts";
import { createNodeClient } from "#shared/api/client.ts";
import { LiveConnection, type SocketLike } from "#shared/api/socket/websocket-client.ts";
import { createKeyringClient, type KeyringClient } from "#shared/keyring/port.ts";
import { createMessenger } from "#shared/messenger/create-messenger.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { createLinkNode } from "#shared/messenger/node/link-node.ts";
import { createMessengerNode } from "#shared/messenger/node/messenger-node.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";

/** A person at the page. */
export interface BenchPerson {
  readonly masterPub: string;
  /** Lists this device on the chain. */
  link(): Promise<void>;
  /** A messenger over the person's store, not started. */
  openMessenger(): Messenger;
  /** Ends the connection to the node. */
  close(): void;
}

const POLL_MS = 50;

/** Makes an identity whose keyring runs in the Worker of `keyringUrl`. */
export async function openPerson(nodeUrl: string, keyringUrl: string): Promise<BenchPerson> {
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
    openMessenger: () => openMessenger(access, keyring, chainId),
    close: (): void => access.live.close(),
  };
}

/** Looks now and then until something holds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
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
