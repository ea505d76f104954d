// A device on a real node: keyring, store and engine are real, the node is a process reached by HTTP and WebSocket. Between the
// engine and the node stands a line that loses, repeats, reorders and delays as it is told.
import "fake-indexeddb/auto";
import { createLinkNode } from "#renderer/lib/messenger/link-node.ts";
import { createMessengerNode } from "#renderer/lib/messenger/messenger-node.ts";
import { createMessenger } from "#renderer/messenger/create-messenger.ts";
import type { Messenger } from "#renderer/messenger/messenger.ts";
import type { InboxEntry, MessengerNode } from "#renderer/messenger/node-port.ts";
import { openSearch } from "#renderer/messenger/search-port.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { LiveConnection, type SocketLike } from "#shared/api/websocket-client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Intent } from "#shared/keyring/intents.ts";
import type { KeyringAccount } from "#shared/keyring/keyring-api.ts";
import { createKeyringClient, type KeyringClient } from "#shared/keyring/port.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import { createTestKeyring, ManualTime, systemRandom } from "./keyring-world.ts";
import { createLocks, portPair } from "./messenger-world.ts";
import { pollUntil } from "./poll-until.ts";
import type { Random } from "./random.ts";

const PASSWORD = "correct horse battery";

/** How bad a line is; one object may stand behind many lines. */
export interface Weather {
  isCalm: boolean;
  readonly random: Random;
}

/** What a device needs. */
export interface RealDeviceOptions {
  /** Address of the device's own node. */
  readonly baseUrl: string;
  /** Another node, to which some envelopes go as well. */
  readonly otherUrl: string;
  readonly chainId: string;
  readonly weather: Weather;
  /** Milliseconds by which its clock is ahead. */
  readonly skewMs: number;
  /** Of the person whose further device this is. */
  readonly phrase?: string;
}

/** One device. */
export class RealDevice implements AsyncDisposable {
  readonly account: KeyringAccount;
  readonly phrase: string;
  readonly time: ManualTime;
  readonly client: NodeClient;
  readonly #live: LiveConnection;
  readonly #keyring: KeyringClient<CryptoKey>;
  readonly #line: UnreliableLine;
  messenger: Messenger;

  private constructor(parts: {
    readonly account: KeyringAccount;
    readonly phrase: string;
    readonly time: ManualTime;
    readonly keyring: KeyringClient<CryptoKey>;
    readonly options: RealDeviceOptions;
  }) {
    const { baseUrl, otherUrl, chainId, weather } = parts.options;
    this.account = parts.account;
    this.phrase = parts.phrase;
    this.time = parts.time;
    this.#keyring = parts.keyring;
    this.client = createNodeClient({ baseUrl, fetch: plainFetch });
    this.#live = new LiveConnection({
      url: `${baseUrl.replace(/^http/, "ws")}/api/ws`,
      createSocket: (url): SocketLike => new WebSocket(url) as unknown as SocketLike,
      timers: { set: (callback, delayMs): unknown => setTimeout(callback, delayMs), clear: (timer): void => clearTimeout(timer as number) },
      jitter: (): number => 0,
    });
    const node = createMessengerNode(
      { client: this.client, live: this.#live, address: baseUrl },
      { chainId, inboxProof: (request) => parts.keyring.inboxProof(request) },
    );
    this.#line = new UnreliableLine(node, createNodeClient({ baseUrl: otherUrl, fetch: plainFetch }), weather);
    this.messenger = this.#createMessenger();
  }

  static async create(options: RealDeviceOptions): Promise<RealDevice> {
    const { keyring, time } = createTestKeyring(undefined, new ManualTime(Date.now() + options.skewMs));
    await keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null });
    if (options.phrase !== undefined) await keyring.importPhrase({ phrase: options.phrase, password: PASSWORD });
    const phrase = options.phrase ?? (await keyring.create({ password: PASSWORD })).words.join(" ");
    const { account } = await keyring.status();
    if (account === null) throw new Error("no account");
    const [near, far] = portPair();
    serveKeyring(far, keyring, importStoreKey);
    return new RealDevice({ account, phrase, time, keyring: createKeyringClient<CryptoKey>(near), options });
  }

  /** Signs and submits something by the person's phrase, whatever the device's clock says, and waits until it is in a block. */
  async submit(intent: Intent, chainId: string): Promise<void> {
    const { keyring } = createTestKeyring(undefined, new ManualTime(Date.now()));
    await keyring.importPhrase({ phrase: this.phrase, password: PASSWORD });
    const { transaction } = await keyring.sign({ intent, chainId });
    const { id } = await this.client.submitTransaction({ body: transaction });
    await pollUntil(() => this.client.getTransaction({ txid: id }), { timeoutMs: 60_000, what: `${intent.kind} to be in a block` });
  }

  setOnline(isOnline: boolean): void {
    this.#line.setOnline(isOnline);
  }

  /** Ends the program in order and starts it again on the same store. */
  async restart(): Promise<void> {
    await this.messenger.stop();
    this.messenger = this.#createMessenger();
    await this.messenger.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.messenger.stop();
    this.#live.close();
  }

  #createMessenger(): Messenger {
    return createMessenger({
      node: this.#line,
      keyring: this.#keyring,
      clock: this.time,
      timers: this.time,
      random: systemRandom,
      openSearch,
      locks: createLocks(),
      linkNode: createLinkNode({ client: this.client, live: this.#live, address: "" }, this.#line.chainId),
      keepKeepsakes: async (): Promise<void> => undefined,
    });
  }
}

/** A node behind a bad line. */
class UnreliableLine implements MessengerNode {
  readonly #node: MessengerNode;
  readonly #other: NodeClient;
  readonly #weather: Weather;
  readonly #listeners = new Set<(isOnline: boolean) => void>();
  #isOnline = true;

  constructor(node: MessengerNode, other: NodeClient, weather: Weather) {
    this.#node = node;
    this.#other = other;
    this.#weather = weather;
  }

  get chainId(): string {
    return this.#node.chainId;
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    for (const listener of this.#listeners) listener(this.isOnline());
  }

  publishedKeys: MessengerNode["publishedKeys"] = (master) => this.#pass(() => this.#node.publishedKeys(master));

  contacts: MessengerNode["contacts"] = (master) => this.#pass(() => this.#node.contacts(master));

  deleteEnvelope: MessengerNode["deleteEnvelope"] = (recipient, id) => this.#pass(() => this.#node.deleteEnvelope(recipient, id));

  /** Some are lost, some go to both nodes, some are taken though the answer is lost. */
  broadcast: MessengerNode["broadcast"] = (envelope) =>
    this.#pass(async () => {
      const luck = this.#luck();
      if (luck < 0.06) return;
      await this.#node.broadcast(envelope);
      if (luck < 0.2) await this.#other.broadcastEnvelope({ body: { envelope } }).catch(() => undefined);
      if (luck > 0.92) throw new CodedError("UNAVAILABLE", "The answer was lost");
    });

  /** Some envelopes are listed twice, and all of them in another order. */
  listInbox: MessengerNode["listInbox"] = (recipient, page) =>
    this.#pass(async () => {
      const { items, hasMore } = await this.#node.listInbox(recipient, page);
      if (this.#weather.isCalm) return { items, hasMore };
      const twice = items.filter(() => this.#luck() < 0.1);
      return { items: this.#shuffled([...items, ...twice]), hasMore };
    });

  /** Pushes are dropped and doubled. */
  subscribeInbox: MessengerNode["subscribeInbox"] = (recipient, listener) => {
    const tell = (): void => {
      const luck = this.#luck();
      if (!this.#isOnline || luck < 0.4) return;
      listener();
      if (luck > 0.8) listener();
    };
    const stop = this.#node.subscribeInbox(recipient, tell);
    const stopOnline = this.onOnline((isOnline) => isOnline && listener());
    return (): void => {
      stop();
      stopOnline();
    };
  };

  sendTyping: MessengerNode["sendTyping"] = (to, from) => this.#node.sendTyping(to, from);

  subscribeTyping: MessengerNode["subscribeTyping"] = (recipient, listener) => this.#node.subscribeTyping(recipient, listener);

  isOnline(): boolean {
    return this.#isOnline && this.#node.isOnline();
  }

  onOnline: MessengerNode["onOnline"] = (listener) => {
    this.#listeners.add(listener);
    const stop = this.#node.onOnline(() => listener(this.isOnline()));
    return (): void => {
      this.#listeners.delete(listener);
      stop();
    };
  };

  async #pass<T>(call: () => Promise<T>): Promise<T> {
    if (!this.#isOnline) throw new CodedError("UNAVAILABLE", "The node cannot be reached");
    return call();
  }

  /** In [0, 1); in the middle, where nothing happens, once the weather is calm. */
  #luck(): number {
    return this.#weather.isCalm ? 0.5 : this.#weather.random.next();
  }

  #shuffled(items: readonly InboxEntry[]): readonly InboxEntry[] {
    return items
      .map((item) => ({ item, rank: this.#weather.random.next() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item);
  }
}

const plainFetch: HttpFetch = async (url, init) => {
  const response = await fetch(url, { ...(init as RequestInit), signal: AbortSignal.timeout(10_000) });
  const body = await response.text();
  return { status: response.status, text: () => Promise.resolve(body) };
};
