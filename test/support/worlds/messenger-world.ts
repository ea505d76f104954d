// People with devices around one relay in memory. The relay keeps the mailbox rules of a node; keyring, store and engine are real.
import type { OpenDatabase, StoreDatabase } from "#shared/messenger/store/store-database.ts";
import "#test/support/host/indexed-db.ts";
import { nativeKem } from "#electron/keyring/native-kem.ts";
import { openMessageDatabase, openMessageSearch } from "#renderer/storage/message-database.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringAccount, SealedEnvelope } from "#shared/keyring/keyring-api.ts";
import { createKeyringClient, type KeyringClient } from "#shared/keyring/port.ts";
import { serveKeyring } from "#shared/keyring/serve-keyring.ts";
import { passwordKey } from "#shared/keyring/vault/vault-cipher.ts";
import type { LinkNode } from "#shared/linking/link-channel.ts";
import { createMessenger } from "#shared/messenger/create-messenger.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { MessengerSettings } from "#shared/messenger/model/conversation.ts";
import type {
  BoxPage,
  ContactEntry,
  ContactLists,
  ContactStatus,
  HeldMail,
  HeldState,
  InboxPage,
  KeyPublication,
  MessengerNode,
  PublishedKeys,
  TransferSearch,
  WantedTransfer,
} from "#shared/messenger/model/node-port.ts";
import type { EngineHost } from "#shared/messenger/state/engine-context.ts";
import { type CoverWaits, NO_WAITS } from "#shared/messenger/state/outbox/cover-waits.ts";
import type { LockRequester } from "#shared/messenger/store/leader-lock.ts";
import { entryOfMemo } from "#shared/protocol/groups/owner-memo.ts";
import { type BoxOpening, isAdmitted, isLaterOpening, isSignedOpening } from "#shared/protocol/mail/box-opening.ts";
import { type BoxDeletion, isSignedDeletion } from "#shared/protocol/mail/box-proof.ts";
import { type BoxKeyPair, type Envelope, parseEnvelope } from "#shared/protocol/mail/envelope.ts";
import type { PublicCardOwner } from "#shared/protocol/pairs/card-id.ts";
import { decodePublicCard, isFreshPublicCard, isGenuinePublicCard } from "#shared/protocol/pairs/public-card.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { installNativeWebCrypto } from "../native/web-crypto.ts";
import { CHEAP_ARGON2, createTestKeyring, ManualTime, type MemoryVault, systemRandom } from "./keyring-world.ts";
import { portPair } from "./port-pair.ts";

installNativeWebCrypto();

export const TEST_CHAIN = "parley-test";
/** The chain that it continues. */
export const TEST_PREVIOUS_CHAIN = "parley-test-before";
/** Password of all devices. */
export const TEST_PASSWORD = "correct horse battery";
const MAILBOX_LIMIT = 2_000;
/** As in the processes that hold a keyring. */
const KEM = { kem: nativeKem() };

/** A payment on the chain. */
export interface TestTransfer {
  readonly from: string;
  readonly to: string;
  readonly memo: string;
  readonly height: number;
}

interface Contact {
  readonly requester: string;
  readonly recipient: string;
  readonly status: ContactStatus;
}

/** One relay and the registry of one chain. */
export class TestRelay {
  readonly published = new Map<string, PublishedKeys>();
  /** Signed transactions by master key and the key that they publish; of others the node does not know. */
  readonly publications = new Map<string, object>();
  readonly mailboxes = new Map<string, Map<string, Envelope>>();
  /** Boxes that were opened, by mailbox. */
  readonly openings = new Map<string, BoxOpening>();
  readonly listeners = new Map<string, Set<() => void>>();
  readonly typingListeners = new Map<string, Set<(from: string) => void>>();
  /** Key by which the node is known again. */
  publicKey = "0a".repeat(32);
  /** Copies that wait for their time, and names of those that left. */
  readonly held = new Map<string, HeldMail>();
  readonly left = new Set<string>();
  /** Every envelope that was ever stored. */
  readonly history: Envelope[] = [];
  contacts: Contact[] = [];
  /** Payments in blocks, in the order of the chain. */
  readonly transfers: TestTransfer[] = [];
  /** Time of the newest block, unix seconds. */
  blockS: number | undefined;
  /** Hashes of blocks by height, as all nodes know them that are shown no other chain. */
  readonly blocks = new Map([[1, "01".repeat(32)]]);
  readonly #seqs = new Map<string, number>();
  /** The newest public card of each device, as its keepers hold it. */
  readonly cards = new Map<string, Uint8Array>();
  /** Keys of the devices that sealed envelopes, by id: those that no relay sees. */
  readonly sealers = new Map<string, string>();
  /** Envelopes that get lost on the way into a mailbox. */
  loses: (envelope: Envelope) => boolean = () => false;

  link(master: string, device: string): void {
    const keys = this.published.get(master) ?? { devices: [], identityKey: "" };
    this.published.set(master, { ...keys, devices: [...keys.devices, device] });
  }

  unlink(master: string, device: string): void {
    const keys = this.published.get(master) ?? { devices: [], identityKey: "" };
    this.published.set(master, { ...keys, devices: keys.devices.filter((other) => other !== device) });
  }

  setContact(requester: string, recipient: string, status: ContactStatus): void {
    const others = this.contacts.filter((contact) => contact.requester !== requester || contact.recipient !== recipient);
    this.contacts = [...others, { requester, recipient, status }];
  }

  /** Opens a box as a node does. */
  async openBox(opening: BoxOpening): Promise<void> {
    if (!(await isSignedOpening(TEST_CHAIN, opening, verifyZip215))) throw new CodedError("FORBIDDEN", "The opening is not signed");
    const known = this.openings.get(opening.mailbox);
    if (known !== undefined && isLaterOpening(known, opening)) throw new CodedError("FORBIDDEN", "A later opening is known");
    this.openings.set(opening.mailbox, opening);
  }

  /** Stores what a client hands in, where its mailbox takes it. */
  async admit({ admit, ...envelope }: SealedEnvelope): Promise<void> {
    const opening = this.openings.get(envelope.recipient_pub);
    if (opening === undefined && admit !== undefined) throw new CodedError("NOT_FOUND", "No opening is known");
    const isTaken =
      opening === undefined ||
      (admit !== undefined && (await isAdmitted(TEST_CHAIN, envelope, { admit, writeKey: opening.writeKey }, verifyZip215)));
    if (!isTaken) throw new CodedError("FORBIDDEN", "The mailbox takes only what its write key has signed");
    this.store(envelope);
  }

  /** Takes a public card as nodes do. */
  async publishCard(device: string, encoded: Uint8Array): Promise<void> {
    const card = decodePublicCard(encoded);
    const known = this.cards.get(device);
    const isLater = known === undefined || (card?.number ?? 0) > (decodePublicCard(known)?.number ?? 0);
    const blockMs = (this.blockS ?? 0) * 1000;
    const isGood = card !== undefined && isFreshPublicCard(card, blockMs) && (await isGenuinePublicCard(TEST_CHAIN, device, card));
    const { devices = [] } = (card && this.published.get(card.masterPub)) ?? {};
    if (!isGood || !isLater || !devices.includes(device)) throw new CodedError("FORBIDDEN", "The card does not count");
    this.cards.set(device, encoded);
  }

  /** Holds copies until {@link release}. */
  hold(mail: HeldMail): "held" | "left" {
    if (this.left.has(mail.name)) return "left";
    this.held.set(mail.name, mail);
    return "held";
  }

  withdraw(name: string): "withdrawn" | "left" | "unknown" {
    if (this.left.has(name)) return "left";
    return this.held.delete(name) ? "withdrawn" : "unknown";
  }

  /** Sends the copies whose time has come, as the node's timer does. */
  async release(nowMs: number): Promise<void> {
    for (const { name, notBefore, envelopes } of [...this.held.values()]) {
      if (notBefore * 1000 > nowMs) continue;
      this.left.add(name);
      this.held.delete(name);
      for (const envelope of envelopes) await this.admit(envelope);
    }
  }

  /** Stores an envelope as a node does: first write wins. */
  store(json: unknown): void {
    const envelope = parseEnvelope(JSON.parse(JSON.stringify(json)));
    const mailbox = this.mailboxes.get(envelope.recipient_pub) ?? new Map<string, Envelope>();
    if (mailbox.has(envelope.id) || this.loses(envelope)) return;
    if (mailbox.size >= MAILBOX_LIMIT) throw new CodedError("MAILBOX_FULL", "The recipient's mailbox is full");
    mailbox.set(envelope.id, envelope);
    this.seqOf(envelope);
    this.mailboxes.set(envelope.recipient_pub, mailbox);
    this.history.push(envelope);
    for (const listener of this.listeners.get(envelope.recipient_pub) ?? []) listener();
  }

  /** Position of an envelope in the order of arrival. */
  seqOf({ recipient_pub, id }: Envelope): number {
    const key = `${recipient_pub} ${id}`;
    const known = this.#seqs.get(key) ?? this.#seqs.size + 1;
    this.#seqs.set(key, known);
    return known;
  }

  /** True for an envelope that this device has sealed. */
  isFrom({ account }: Pick<TestDevice, "account">, { id }: Pick<Envelope, "id">): boolean {
    return this.sealers.get(id) === account.devicePub;
  }

  count(recipient: string): number {
    return this.mailboxes.get(recipient)?.size ?? 0;
  }

  contactsOf(master: string): ContactLists {
    const entry = (peer: string, { status }: Contact): ContactEntry => ({ peer, status });
    return {
      received: this.contacts.filter(({ recipient }) => recipient === master).map((contact) => entry(contact.requester, contact)),
      sent: this.contacts.filter(({ requester }) => requester === master).map((contact) => entry(contact.recipient, contact)),
    };
  }
}

/** Calls of a node that a test may hold up or refuse. */
export type NodeCall = (typeof NODE_CALLS)[number];
const NODE_CALLS = [
  "publishedKeys",
  "keyPublication",
  "ownerTransfer",
  "contacts",
  "broadcast",
  "hold",
  "withdraw",
  "listInbox",
  "deleteEnvelope",
  "deleteSigned",
  "openBox",
  "publishCard",
  "publicCard",
  "listBoxes",
  "newestBlock",
  "blockHash",
] as const;

/** A device's connection to the relay. */
export class TestNode implements MessengerNode, LinkNode {
  readonly chainId = TEST_CHAIN;
  readonly previousChainId = TEST_PREVIOUS_CHAIN;
  readonly #relay: TestRelay;
  readonly #onlineListeners = new Set<(isOnline: boolean) => void>();
  readonly #databases: StoreDatabase[] = [];
  #isOnline = true;
  /** Refuses a call with what it returns; undefined lets it pass. */
  refuse: (call: NodeCall, argument: string) => CodedError | undefined = () => undefined;
  /** Calls that never return after having taken effect (`after`) or before (`before`). */
  readonly hang = new Map<NodeCall, "before" | "after">();
  readonly calls: NodeCall[] = [];
  /** Mailboxes of each list. */
  readonly listedBoxes: (readonly string[])[] = [];
  /** Mailboxes that may be subscribed to. */
  watchable = 512;
  /** Lists of which the node says that some may be missing. */
  readonly incomplete = new Set<"listInbox" | "listBoxes">();
  /** Every list begins at the beginning of a mailbox. */
  ignoresAfter = false;
  /** Room of the stores of programs that use this connection; undefined where the host does not know of it. */
  room: EngineHost["room"];
  /** The chain that this node is shown. */
  blocks: ReadonlyMap<number, string>;
  /** What other own devices have handed over beside messages. */
  readonly keepsakes: string[] = [];

  constructor(relay: TestRelay) {
    this.#relay = relay;
    this.blocks = relay.blocks;
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    for (const listener of this.#onlineListeners) listener(isOnline);
  }

  publishedKeys(master: string): Promise<PublishedKeys> {
    return this.#call("publishedKeys", master, () => this.#relay.published.get(master) ?? { devices: [], identityKey: "" });
  }

  keyPublication(master: string, key: string): Promise<KeyPublication> {
    return this.#call("keyPublication", key, () => this.#relay.publications.get(`${master} ${key}`) ?? "unknown");
  }

  ownerTransfer({ owner, logId, after }: WantedTransfer): Promise<TransferSearch> {
    return this.#call("ownerTransfer", owner, () => {
      const later = this.#relay.transfers.filter(({ from, to, height }) => from === owner && to === owner && height > after);
      const first = later.find(({ memo }) => entryOfMemo({ logId, owner }, memo) !== undefined);
      const seen = later.at(-1)?.height ?? after;
      const found = first && { entry: entryOfMemo({ logId, owner }, first.memo) ?? "", height: first.height };
      return { found, seen, hasMore: false };
    });
  }

  contacts(master: string): Promise<ContactLists> {
    return this.#call("contacts", master, () => this.#relay.contactsOf(master));
  }

  broadcast(envelope: SealedEnvelope): Promise<void> {
    return this.#call("broadcast", envelope.recipient_pub, () => this.#relay.admit(envelope));
  }

  hold(mail: HeldMail): Promise<HeldState<"held" | "left">> {
    return this.#call("hold", mail.name, () => ({ status: this.#relay.hold(mail), relayPub: this.#relay.publicKey }));
  }

  withdraw(name: string): Promise<HeldState<"withdrawn" | "left" | "unknown">> {
    return this.#call("withdraw", name, () => ({ status: this.#relay.withdraw(name), relayPub: this.#relay.publicKey }));
  }

  openBox(opening: BoxOpening): Promise<void> {
    return this.#call("openBox", opening.mailbox, () => this.#relay.openBox(opening));
  }

  publishCard(device: string, card: Uint8Array): Promise<void> {
    return this.#call("publishCard", device, () => this.#relay.publishCard(device, card));
  }

  publicCard({ device }: PublicCardOwner): Promise<Uint8Array | undefined> {
    return this.#call("publicCard", device, () => this.#relay.cards.get(device));
  }

  listBoxes(boxes: Parameters<MessengerNode["listBoxes"]>[0], limit: number): Promise<BoxPage> {
    return this.#call("listBoxes", "", () => {
      this.listedBoxes.push(boxes.map(({ mailbox }) => mailbox));
      const listed = boxes.map(({ mailbox, after }) => ({ mailbox, ...this.#listed(mailbox, after, limit) }));
      const isComplete = !this.incomplete.has("listBoxes");
      return { boxes: listed.filter(({ items }) => items.length > 0), listed: listed.length, watchable: this.watchable, isComplete };
    });
  }

  listInbox(
    recipient: string,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): ReturnType<MessengerNode["listInbox"]> {
    const isComplete = !this.incomplete.has("listInbox");
    return this.#call("listInbox", recipient, () => ({ ...this.#listed(recipient, after, limit), isComplete }));
  }

  #listed(recipient: string, after: number, limit: number): InboxPage {
    const all = [...(this.#relay.mailboxes.get(recipient)?.values() ?? [])]
      .map((envelope) => ({ ...envelope, seq: this.#relay.seqOf(envelope) }))
      .filter(({ seq }) => seq > after || this.ignoresAfter)
      .sort((a, b) => a.seq - b.seq);
    return { items: all.slice(0, limit), hasMore: all.length > limit || (this.ignoresAfter && all.length > 0) };
  }

  deleteEnvelope(recipient: string, id: string): Promise<void> {
    return this.#call("deleteEnvelope", id, () => void this.#relay.mailboxes.get(recipient)?.delete(id));
  }

  deleteSigned(deletion: BoxDeletion): Promise<void> {
    return this.#call("deleteSigned", deletion.mailbox, async () => {
      if (!(await isSignedDeletion(TEST_CHAIN, deletion, verifyZip215))) throw new CodedError("FORBIDDEN", "The deletion is not signed");
      for (const id of deletion.ids) this.#relay.mailboxes.get(deletion.mailbox)?.delete(id);
    });
  }

  async list(mailbox: BoxKeyPair, limit: number): ReturnType<LinkNode["list"]> {
    return (await this.listInbox(toHex(mailbox.publicKey), { after: 0, limit })).items;
  }

  remove(mailbox: BoxKeyPair, id: string): Promise<void> {
    return this.deleteEnvelope(toHex(mailbox.publicKey), id);
  }

  subscribeInbox(recipient: string, listener: () => void): () => void {
    const listeners = this.#relay.listeners.get(recipient) ?? new Set();
    const whenOnline = (): void => {
      if (this.#isOnline) listener();
    };
    listeners.add(whenOnline);
    this.#relay.listeners.set(recipient, listeners);
    const stopOnline = this.onOnline((isOnline) => {
      if (isOnline) listener();
    });
    return (): void => {
      listeners.delete(whenOnline);
      stopOnline();
    };
  }

  newestBlock(): ReturnType<MessengerNode["newestBlock"]> {
    return this.#call("newestBlock", "", () => {
      const height = Math.max(...this.blocks.keys());
      const { blockS: timeS } = this.#relay;
      return { height, hash: this.blocks.get(height) ?? "", ...(timeS !== undefined && { timeS }) };
    });
  }

  blockHash(height: number): ReturnType<MessengerNode["blockHash"]> {
    return this.#call("blockHash", String(height), () => this.blocks.get(height));
  }

  sendTyping(to: string, from: string): void {
    if (this.#isOnline) for (const listener of this.#relay.typingListeners.get(to) ?? []) listener(from);
  }

  subscribeTyping(recipient: string, listener: (from: string) => void): () => void {
    const listeners = this.#relay.typingListeners.get(recipient) ?? new Set();
    listeners.add(listener);
    this.#relay.typingListeners.set(recipient, listeners);
    return (): void => {
      listeners.delete(listener);
    };
  }

  isOnline(): boolean {
    return this.#isOnline;
  }

  onOnline(listener: (isOnline: boolean) => void): () => void {
    this.#onlineListeners.add(listener);
    return (): void => {
      this.#onlineListeners.delete(listener);
    };
  }

  /** Opens a store for the program that uses this connection. */
  readonly openDatabase: OpenDatabase = async (storeName, onLost) => {
    const database = await openMessageDatabase(storeName, onLost);
    this.#databases.push(database);
    return database;
  };

  /** The program that uses this connection has crashed: nothing ever returns to it, and it writes nothing more. */
  kill(): void {
    for (const call of NODE_CALLS) this.hang.set(call, "before");
    for (const database of this.#databases) database.close();
    // What still runs of it here sends nothing, and so writes nothing into the store of the next run.
    this.#isOnline = false;
  }

  async #call<T>(call: NodeCall, argument: string, effect: () => T | Promise<T>): Promise<T> {
    this.calls.push(call);
    const hang = this.hang.get(call);
    if (hang === "before") return new Promise(() => undefined);
    if (!this.#isOnline) throw new CodedError("UNAVAILABLE", "The node cannot be reached");
    const refusal = this.refuse(call, argument);
    if (refusal !== undefined) throw refusal;
    const result = structuredClone(await effect());
    return hang === "after" ? new Promise(() => undefined) : result;
  }
}

/** Web Locks of one browser. */
export function createLocks(): LockRequester {
  const waiting = new Map<string, (() => void)[]>();
  const held = new Set<string>();
  const hold = async (name: string, callback: (lock: unknown) => Promise<void>): Promise<void> => {
    held.add(name);
    await callback({ name });
    held.delete(name);
    waiting.get(name)?.shift()?.();
  };
  return {
    request: async (name, { ifAvailable = false, signal }, callback): Promise<void> => {
      if (!held.has(name)) return hold(name, callback);
      if (ifAvailable) return callback(null);
      await new Promise<void>((resolve, reject) => {
        waiting.set(name, [...(waiting.get(name) ?? []), resolve]);
        signal?.addEventListener("abort", () => {
          waiting.set(name, waiting.get(name)?.filter((other) => other !== resolve) ?? []);
          reject(new Error("aborted"));
        });
      });
      return hold(name, callback);
    },
  };
}

/** One browser profile of a person. */
export interface TestDevice {
  readonly keyring: Keyring;
  readonly client: KeyringClient<CryptoKey>;
  readonly account: KeyringAccount;
  readonly time: ManualTime;
  node: TestNode;
  locks: LockRequester;
  messenger: Messenger;
  /** Random waits of its next start; without them nothing waits. */
  cover?: CoverWaits;
}

/** A messenger on the same profile: another tab, or the next start. */
export function createTestMessenger(
  device: Pick<TestDevice, "client" | "time" | "locks" | "cover">,
  node: TestNode,
  settings?: MessengerSettings,
): Messenger {
  return createMessenger({
    node,
    keyring: device.client,
    clock: device.time,
    timers: device.time,
    random: systemRandom,
    cover: device.cover ?? NO_WAITS,
    openDatabase: node.openDatabase,
    openSearch: openMessageSearch,
    locks: device.locks,
    sweepItems: () => Promise.resolve(true),
    ...(node.room !== undefined && { room: node.room }),
    linkNode: node,
    restoreSavedNotes: async (keepsakes): Promise<void> => void node.keepsakes.push(keepsakes),
    ...(settings === undefined ? {} : { settings }),
  });
}

/** A fresh device: of a new person, or of the one whose phrase is given. Its keys are published unless the options say otherwise. */
export async function createDevice(
  relay: TestRelay,
  options: {
    readonly phrase?: string;
    readonly isPublished?: boolean;
    readonly settings?: MessengerSettings;
    readonly cover?: CoverWaits;
  } = {},
): Promise<TestDevice & { readonly phrase: string; readonly storage: MemoryVault }> {
  const { keyring, time, storage } = createTestKeyring(undefined, new ManualTime(), KEM);
  await keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null });
  const password = TEST_PASSWORD;
  let phrase = options.phrase;
  if (phrase === undefined) phrase = (await keyring.create({ password })).words.join(" ");
  else await keyring.importPhrase({ phrase, password });
  const { account } = await keyring.status();
  if (account === null) throw new Error("no account");
  const { transaction } = await keyring.sign({ intent: { kind: "linkDevice", deviceName: "Laptop" }, chainId: TEST_CHAIN });
  relay.publications.set(`${account.masterPub} ${account.devicePub}`, transaction);
  // A node lists a device once it has the transaction, never before.
  if (options.isPublished !== false) relay.link(account.masterPub, account.devicePub);
  const [near, far] = portPair();
  serveKeyring(far, keyring, importStoreKey);
  const client = createKeyringClient<CryptoKey>(near);
  realBackupKeys.set(client, client.backupKey);
  const { seal } = client;
  const noted: typeof seal = async (input) => {
    const envelopes = await seal(input);
    for (const { id } of envelopes) relay.sealers.set(id, account.devicePub);
    return envelopes;
  };
  Object.assign(client, { backupKey: cheapBackupKey, seal: noted });
  const { cover } = options;
  const base = { keyring, client, account, time, locks: createLocks(), phrase, storage, ...(cover && { cover }) };
  const node = new TestNode(relay);
  return { ...base, node, messenger: createTestMessenger(base, node, options.settings) };
}

const realBackupKeys = new WeakMap<object, KeyringClient<CryptoKey>["backupKey"]>();

/** Keys of backups by Argon2id at its cheapest, others for other costs: those of a backup take a third of a second. */
const cheapBackupKey: KeyringClient<CryptoKey>["backupKey"] = ({ password, salt, ...cost }) =>
  passwordKey(`${password} ${JSON.stringify(cost)}`, salt, CHEAP_ARGON2);

/** These devices ask their keyrings for keys of backups, as all do in a browser. */
export function withRealBackupKeys(...devices: readonly Pick<TestDevice, "client">[]): void {
  for (const { client } of devices) Object.assign(client, { backupKey: realBackupKeys.get(client) });
}

/** Devices show no cards from now on and are written to in version 1, as programs that know no other; gives the way to end that. */
export function withoutCards(...devices: readonly Pick<TestDevice, "client">[]): () => void {
  const draw = devices.map(({ client }) => client.drawCards);
  for (const { client } of devices) Object.assign(client, { drawCards: async () => null });
  return () => {
    for (const [at, { client }] of devices.entries()) Object.assign(client, { drawCards: draw[at] });
  };
}

/** Ends the profile's program at once, as a crash does: nothing is finished, the browser frees the lock. Then starts it again. */
export async function restartAfterCrash(device: TestDevice, relay: TestRelay): Promise<void> {
  device.node.kill();
  device.locks = createLocks();
  device.node = new TestNode(relay);
  device.messenger = createTestMessenger(device, device.node);
  await device.messenger.start();
}
