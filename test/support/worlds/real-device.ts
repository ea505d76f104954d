// A device on a real node: keyring, store and engine are real, the node is a process reached by HTTP and WebSocket. Between the
// engine and the node stands a line that loses, repeats, reorders and delays as the test says.
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import "#test/support/host/indexed-db.ts";
import { createLinkHost } from "#renderer/lib/linking/link-host.ts";
import type { NodeAccess } from "#renderer/lib/node/access/node-access.ts";
import { openMessageDatabase, openMessageSearch } from "#renderer/storage/message-database.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import { createNodeClient, type NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringAccount } from "#shared/keyring/keyring-api.ts";
import { createKeyringClient, type KeyringClient } from "#shared/keyring/port.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import { type OldDeviceRun, showLinkCode } from "#shared/linking/begin-link.ts";
import type { OldDeviceState } from "#shared/linking/old-device.ts";
import { createMessenger } from "#shared/messenger/create-messenger.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { InboxEntry, MessengerNode } from "#shared/messenger/model/node-port.ts";
import { createLinkNode } from "#shared/messenger/node/link-node.ts";
import { createMessengerNode } from "#shared/messenger/node/messenger-node.ts";
import { storeDeviceTransfer } from "#shared/messenger/transfer/store-device-transfer.ts";
import { pollUntil } from "../host/poll-until.ts";
import type { Random } from "../host/random.ts";
import { connectToNode, plainFetch } from "../nodes/connect-to-node.ts";
import { enterLink } from "../nodes/enter-link.ts";
import { createTestKeyring, ManualTime, systemRandom } from "./keyring-world.ts";
import { createLocks } from "./messenger-world.ts";
import { portPair } from "./port-pair.ts";

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
  /** Milliseconds by which its clock is ahead: of the machine's, or of the device's that links it. */
  readonly skewMs: number;
  /** Of the person whose further device this is. */
  readonly phrase?: string;
}

/** One device. */
export class RealDevice implements AsyncDisposable {
  readonly account: KeyringAccount;
  readonly phrase: string;
  readonly time: ManualTime;
  client: NodeClient;
  #access: NodeAccess;
  readonly #keyring: KeyringClient<CryptoKey>;
  readonly #options: RealDeviceOptions;
  #line: UnreliableLine;
  messenger: Messenger;

  private constructor(parts: {
    readonly account: KeyringAccount;
    readonly phrase: string;
    readonly time: ManualTime;
    readonly keyring: KeyringClient<CryptoKey>;
    readonly options: RealDeviceOptions;
  }) {
    this.#options = parts.options;
    this.account = parts.account;
    this.phrase = parts.phrase;
    this.time = parts.time;
    this.#keyring = parts.keyring;
    this.#access = connectToNode(parts.options.baseUrl);
    this.client = this.#access.client;
    this.#line = this.#lineTo(this.#access);
    this.messenger = this.#createMessenger();
  }

  static async create(options: RealDeviceOptions): Promise<RealDevice> {
    const { keyring, time } = createTestKeyring(undefined, new ManualTime(Date.now() + options.skewMs));
    await keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null });
    if (options.phrase !== undefined) await keyring.importPhrase({ phrase: options.phrase, password: PASSWORD });
    const phrase = options.phrase ?? (await keyring.create({ password: PASSWORD })).words.join(" ");
    const { account } = await keyring.status();
    if (account === null) throw new Error("no account");
    return new RealDevice({ account, phrase, time, keyring: clientOf(keyring), options });
  }

  /**
   * A further device at a node of its own, let in by this one with all of its history: code, digits, password, the chain's word.
   * Its clock is ahead of this one's, which is far ahead of the machine's by then: two that differ by more than ten minutes order
   * messages differently.
   */
  async link(options: Omit<RealDeviceOptions, "phrase">): Promise<RealDevice> {
    const { chainId, baseUrl, skewMs } = options;
    const { keyring, time } = createTestKeyring(undefined, new ManualTime(this.time.nowMs() + skewMs));
    await keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null });
    const { code, run } = showLinkCode(createLinkHost(this.#access, chainId));
    const access = connectToNode(baseUrl);
    const entered = await enterLink(access, { keyring, chainId, code, name: "Tablet", password: PASSWORD });
    const { device, session } = await this.#accept(run, entered.digits);
    const { devicePub, signingPub, name } = device;
    const certificate = await this.#keyring.certifyDevice({ devicePub, signingPub, chainId, password: PASSWORD });
    await this.submit({ kind: "linkDevice", deviceName: name, devicePub }, chainId);
    await run.send({ kind: "grant", masterPub: this.account.masterPub, certificate, profileName: "", hasHistory: true });
    await this.messenger.sendDeviceTransfer({ session: session.key, deviceName: name, devicePub, keepsakes: "", sinceMs: 0 });
    run.input({ kind: "granted" });
    run.stop();
    const { account } = await entered.finish();
    access.live.close();
    const client = clientOf(keyring);
    await storeDeviceTransfer(await client.storeKeys(), session.key, openMessageDatabase);
    return new RealDevice({ account, phrase: this.phrase, time, keyring: client, options });
  }

  async #accept(run: OldDeviceRun, digits: string): Promise<Extract<OldDeviceState, { readonly phase: "accepted" }>> {
    await pollUntil(() => {
      const { state } = run.getSnapshot();
      return state.phase === "checking" && state.device !== undefined;
    });
    run.input({ kind: "digits", digits });
    const { state } = run.getSnapshot();
    if (state.phase !== "accepted") throw new Error(`The linking is ${state.phase}`);
    return state;
  }

  /** Signs and submits something by the person's phrase, whatever the device's clock says, and waits until it is in a block. */
  async submit(intent: Intent, chainId: string): Promise<void> {
    const { keyring } = createTestKeyring(undefined, new ManualTime(Date.now()));
    await keyring.importPhrase({ phrase: this.phrase, password: PASSWORD });
    const { transaction } = await keyring.sign({ intent, chainId, password: PASSWORD });
    const { id } = await this.client.submitTransaction({ body: transaction });
    await pollUntil(() => readCommitted(this.client, id), { timeoutMs: 60_000, what: `${intent.kind} to be in a block` });
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

  /** Ends the program in order, whatever it is doing, and starts it on the same store at another node. */
  async moveTo(baseUrl: string): Promise<void> {
    await this.messenger.stop();
    this.#access.live.close();
    this.#access = connectToNode(baseUrl);
    this.client = this.#access.client;
    this.#line = this.#lineTo(this.#access);
    this.messenger = this.#createMessenger();
    await this.messenger.start();
  }

  /** Envelopes that the node took for boxes of other devices. */
  get handedToBoxes(): number {
    return this.#line.handedToBoxes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.messenger.stop();
    this.#access.live.close();
  }

  #lineTo(access: NodeAccess): UnreliableLine {
    const { otherUrl, chainId, weather } = this.#options;
    const node = createMessengerNode(access, {
      chainId,
      inboxProof: (request) => this.#keyring.inboxProof(request),
      signDeletion: (request) => this.#keyring.signDeletion(request),
    });
    return new UnreliableLine(node, createNodeClient({ baseUrl: otherUrl, fetch: plainFetch }), weather);
  }

  #createMessenger(): Messenger {
    return createMessenger({
      node: this.#line,
      keyring: this.#keyring,
      clock: this.time,
      timers: this.time,
      random: systemRandom,
      openDatabase: openMessageDatabase,
      openSearch: openMessageSearch,
      locks: createLocks(),
      linkNode: createLinkNode(this.#access, this.#line.chainId),
      restoreSavedNotes: async (): Promise<void> => undefined,
      sweepItems: async (): Promise<boolean> => true,
    });
  }
}

function clientOf(keyring: Keyring): KeyringClient<CryptoKey> {
  const [near, far] = portPair();
  serveKeyring(far, keyring, importStoreKey);
  return createKeyringClient<CryptoKey>(near);
}

/** A node behind a bad line. */
class UnreliableLine implements MessengerNode {
  readonly #node: MessengerNode;
  readonly #other: NodeClient;
  readonly #weather: Weather;
  readonly #listeners = new Set<(isOnline: boolean) => void>();
  /** Envelopes that the node took for boxes. */
  handedToBoxes = 0;
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

  keyPublication: MessengerNode["keyPublication"] = (...key) => this.#pass(() => this.#node.keyPublication(...key));

  ownerTransfer: MessengerNode["ownerTransfer"] = (wanted) => this.#pass(() => this.#node.ownerTransfer(wanted));

  contacts: MessengerNode["contacts"] = (master) => this.#pass(() => this.#node.contacts(master));

  deleteEnvelope: MessengerNode["deleteEnvelope"] = (...deletion) => this.#pass(() => this.#node.deleteEnvelope(...deletion));

  deleteSigned: MessengerNode["deleteSigned"] = (deletion) => this.#pass(() => this.#node.deleteSigned(deletion));

  hold: MessengerNode["hold"] = (mail) => this.#pass(() => this.#node.hold(mail));

  withdraw: MessengerNode["withdraw"] = (name) => this.#pass(() => this.#node.withdraw(name));

  openBox: MessengerNode["openBox"] = (opening) => this.#pass(() => this.#node.openBox(opening));

  publishCard: MessengerNode["publishCard"] = (device, card) => this.#pass(() => this.#node.publishCard(device, card));
  publicCard: MessengerNode["publicCard"] = (owner) => this.#pass(() => this.#node.publicCard(owner));
  listBoxes: MessengerNode["listBoxes"] = (...listing) => this.#pass(() => this.#node.listBoxes(...listing));

  newestBlock: MessengerNode["newestBlock"] = () => this.#pass(() => this.#node.newestBlock());

  blockHash: MessengerNode["blockHash"] = (height) => this.#pass(() => this.#node.blockHash(height));

  /** Some are lost, some go to both nodes, some are taken though the response is lost. */
  broadcast: MessengerNode["broadcast"] = (envelope) =>
    this.#pass(async () => {
      const luck = this.#luck();
      if (luck < 0.06) return;
      await this.#node.broadcast(envelope);
      const { admit, ...sealed } = envelope;
      if (admit !== undefined) this.handedToBoxes += 1;
      if (luck < 0.2) await this.#other.broadcastEnvelope({ body: { envelope: sealed, ...(admit && { admit }) } }).catch(() => undefined);
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
