// What vouches for the devices that a node lists: a signature of the wallet's key that this device has checked itself, whichever node it
// uses. Keys that nothing vouches for are left out of every list, so nothing is sealed to them and nothing they send counts as the person's.
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MessengerNode, PublishedKeys } from "../model/node-port.ts";
import type { TheirPublicCards } from "../node/their-public-cards.ts";
import type { SlowerClock } from "./clocks/slower-clock.ts";
import { type DeviceEvent, type JudgedKey, type KnownDevices, type Voucher, withCopied, withList } from "./devices/known-devices.ts";
import type { EpochRegistry } from "./epoch-registry.ts";

/** Key of the known devices in the store. */
export const DEVICES_KEY = "devices";
/** Key of the devices without a card in the store. */
export const OPEN_DEVICES_KEY = "open to theft";
/** People whose devices are remembered: those looked up longest ago make room. Of strangers nothing is stored. */
const MAX_PEOPLE = 2_048;
/** A key that nothing vouches for is asked about again after this time. */
const ASK_AGAIN_MS = 600_000;
/** Mail of a device that was unlinked counts so long after this one has learned of it. */
const LATE_MS = 86_400_000;
/** People of whom it is known that a device of theirs has no card. */
const MAX_OPEN = 1_024;
/** Answers in memory, those about strangers' keys too. */
const MAX_ANSWERS = 4_096;
/** Strangers of whom is known in memory that nothing proves their devices. */
const MAX_UNCHECKED = 256;

/** Known devices by person. */
export type DevicesByPerson = Readonly<Record<PublicKeyHex, KnownDevices>>;

/** Devices to which something was sealed last without a card, by person; whose devices changed last stands at the end. */
export type OpenDevices = Readonly<Record<PublicKeyHex, readonly X25519KeyHex[]>>;

/** What the registry needs. */
export interface DeviceRegistryContext {
  readonly node: Pick<MessengerNode, "chainId" | "previousChainId" | "keyPublication">;
  readonly clock: Clock;
  /** Time by which mail of an unlinked device does not count any more. */
  readonly slower: Pick<SlowerClock, "nowMs">;
  readonly epochs: Pick<EpochRegistry, "prekeys">;
  /** Loaded with the first device that nothing else vouches for. */
  readonly publicCards: () => Promise<Pick<TheirPublicCards, "isCertified">>;
  /** Master key and device of this profile: it needs no one to vouch for it. */
  readonly account: { readonly masterPub: PublicKeyHex; readonly devicePub: X25519KeyHex };
  /** True for contacts, people of shared groups and oneself. */
  readonly isKnown: (person: PublicKeyHex) => boolean;
}

/** A change of what is known of a person's devices. */
export interface DeviceChange {
  readonly person: PublicKeyHex;
  readonly after: KnownDevices;
  readonly events: readonly DeviceEvent[];
}

/** A look at what the node lists of a person; `isAgain`: what was answered before is asked for again, unless it was a proof. */
interface Look {
  readonly keys: PublishedKeys;
  readonly isAgain: boolean;
}

/** The known devices of one run. */
export class DeviceRegistry {
  readonly #context: DeviceRegistryContext;
  readonly #people: Map<PublicKeyHex, KnownDevices>;
  /** What was last found to vouch for a key, by person and key. */
  readonly #answers = new Map<string, { readonly atMs: number; readonly voucher: Voucher }>();
  /** Strangers whose devices nothing proves, those looked up last at the end. */
  readonly #unchecked = new Set<PublicKeyHex>();
  #open: OpenDevices;
  /** What of that the store has. */
  #storedOpen: OpenDevices;
  #onChange: (change: DeviceChange) => void = () => undefined;
  #onUnchecked: () => void = () => undefined;

  constructor(context: DeviceRegistryContext, people: DevicesByPerson, open: OpenDevices = {}) {
    this.#context = context;
    this.#open = open;
    this.#storedOpen = open;
    this.#people = new Map(Object.entries(people));
  }

  /** Calls back for every change; one listener. */
  onChange(listener: (change: DeviceChange) => void): void {
    this.#onChange = listener;
  }

  /** Calls back when it changes whose devices are {@link unchecked}, of strangers; one listener. */
  onUnchecked(listener: () => void): void {
    this.#onUnchecked = listener;
  }

  /** Everything, to be stored. */
  get all(): DevicesByPerson {
    return Object.fromEntries(this.#people);
  }

  of(person: PublicKeyHex): KnownDevices | undefined {
    return this.#people.get(person);
  }

  /** The person whose listed device it is, of those whose devices are remembered. */
  personOf(device: X25519KeyHex): PublicKeyHex | undefined {
    for (const [person, { signed, first }] of this.#people) if (signed.includes(device) || first.includes(device)) return person;
    return undefined;
  }

  /**
   * True for something that a device wrote before it was unlinked, and that arrives within a day of the moment at which this device learned
   * of that, by the slower of two clocks: mail that was on its way is not lost.
   */
  wasListed(
    person: PublicKeyHex,
    device: X25519KeyHex,
    { writtenAt, cameAt }: { readonly writtenAt: number; readonly cameAt: number },
  ): boolean {
    const gone = this.#people.get(person)?.gone.find(({ key }) => key === device);
    const atMs = Math.min(cameAt, this.#context.slower.nowMs());
    return gone !== undefined && writtenAt <= gone.learnedAt && atMs <= gone.learnedAt + LATE_MS;
  }

  /** True for a device that was unlinked so long ago that nothing of it counts any more. */
  isGoneForGood(person: PublicKeyHex, device: X25519KeyHex): boolean {
    const gone = this.#people.get(person)?.gone.find(({ key }) => key === device);
    return gone !== undefined && this.#context.slower.nowMs() > gone.learnedAt + LATE_MS;
  }

  /** Other people whose devices changed since their user last saw to it. */
  get changed(): readonly { readonly person: PublicKeyHex; readonly at: number }[] {
    const { account } = this.#context;
    return [...this.#people].flatMap(([person, { changedAt }]) =>
      changedAt === null || person === account.masterPub ? [] : [{ person, at: changedAt }],
    );
  }

  /** Something is sealed to a device: to a card, of the pair or for everyone, or without one. */
  noteSealed(person: PublicKeyHex, device: X25519KeyHex, isUnderCard: boolean): void {
    const { [person]: before = [] } = this.#open;
    if (before.includes(device) !== isUnderCard) return;
    const others = before.filter((other) => other !== device);
    this.#setOpen(person, isUnderCard ? others : [...others, device]);
  }

  #setOpen(person: PublicKeyHex, devices: readonly X25519KeyHex[]): void {
    const { [person]: _, ...others } = this.#open;
    const people = Object.entries(devices.length > 0 ? { ...others, [person]: devices } : others);
    this.#open = Object.fromEntries(people.slice(-MAX_OPEN));
  }

  /** Writes with a change to which devices something was sealed last without a card, where that is news. Call the result once it is stored. */
  fillOpen(batch: { putMeta(key: string, value: OpenDevices): void }): () => void {
    const open = this.#open;
    if (open !== this.#storedOpen) batch.putMeta(OPEN_DEVICES_KEY, open);
    return (): void => {
      this.#storedOpen = open;
    };
  }

  /** Other people with a device to which something was sealed last without a card. */
  get openToTheft(): readonly PublicKeyHex[] {
    return Object.keys(this.#open).filter((person) => person !== this.#context.account.masterPub);
  }

  /** Other people with a listed device that counts though nothing has proven that it is theirs. */
  get unchecked(): readonly PublicKeyHex[] {
    const known = [...this.#people].flatMap(([person, { first }]) => (first.length > 0 && this.#context.isKnown(person) ? [person] : []));
    const people = new Set([...known, ...this.#unchecked]);
    people.delete(this.#context.account.masterPub);
    return [...people];
  }

  /** Own devices that are listed and were copied or set back. */
  get ownCopied(): readonly X25519KeyHex[] {
    return this.#people.get(this.#context.account.masterPub)?.copied ?? [];
  }

  /** A device has shown a prekey that it cannot have made beside the one that is known. */
  noteCopied(person: PublicKeyHex, device: X25519KeyHex): void {
    const before = this.#people.get(person);
    if (before === undefined) return;
    const { known, events } = withCopied(before, device, this.#context.clock.nowMs());
    if (events.length === 0) return;
    this.#people.set(person, known);
    this.#onChange({ person, after: known, events });
  }

  /** A device that was left out shows a prekey: with the person's certificate it is proven, and counts once it is looked up again. */
  async noteShown(person: PublicKeyHex, device: X25519KeyHex, prekey: SignedPrekey): Promise<void> {
    if (this.#people.get(person)?.refused.includes(device) !== true) return;
    // Verifies signatures: loaded late, as below.
    const { isCertified } = await import("#shared/protocol/mail/device-certificate.ts");
    if (isCertified(this.#context.node.chainId, person, { ...prekey, devicePub: device })) this.#noteAnswer(person, device, "signature");
  }

  /** Its user has seen the change. */
  acknowledge(person: PublicKeyHex): void {
    const known = this.#people.get(person);
    if (known !== undefined) this.#people.set(person, { ...known, changedAt: null });
  }

  /** The keys of a list that something vouches for. @throws the failure of a look-up. */
  async vouched(person: PublicKeyHex, keys: PublishedKeys): Promise<PublishedKeys> {
    const all = new Set([...keys.devices, ...(keys.identityKey === "" ? [] : [keys.identityKey])]);
    const judge = (isAgain: boolean): Promise<readonly JudgedKey[]> =>
      Promise.all([...all].map((key) => this.#judge(person, key, { keys, isAgain })));
    let judged = await judge(false);
    const { first = [] } = this.#people.get(person) ?? {};
    const isOneProven = judged.some(({ voucher }) => voucher === "signature");
    // They are about to count no more: what could not be proven when they were taken may be by now.
    if (isOneProven && judged.some(({ key, voucher }) => voucher === "unknown" && first.includes(key))) judged = await judge(true);
    // The key of an identity that is no device any more is no device that someone added.
    const { length } = keys.devices;
    if (isOneProven && length > 0) judged = judged.filter(({ key, voucher }) => voucher !== "unknown" || keys.devices.includes(key));
    const known = this.#take(person, judged);
    const isVouched = (key: X25519KeyHex): boolean => known.signed.includes(key) || known.first.includes(key);
    const { [person]: open = [] } = this.#open;
    // Nothing is sealed any more to one that is not listed.
    if (judged.length > 0 && !open.every(isVouched)) this.#setOpen(person, open.filter(isVouched));
    const { devices, identityKey } = keys;
    return {
      ...keys,
      devices: devices.filter(isVouched),
      identityKey: identityKey !== "" && isVouched(identityKey) ? identityKey : "",
    };
  }

  #take(person: PublicKeyHex, judged: readonly JudgedKey[]): KnownDevices {
    const before = this.#people.get(person);
    const { known, events } = withList(before, judged, this.#context.clock.nowMs());
    if (judged.length === 0) return known;
    const isKnown = this.#context.isKnown(person);
    this.#noteUnchecked(person, !isKnown && known.first.length > 0);
    if (known === before || !isKnown) return known;
    this.#people.delete(person);
    this.#people.set(person, known);
    const [oldest] = this.#people.keys();
    if (this.#people.size > MAX_PEOPLE && oldest !== undefined) this.#people.delete(oldest);
    this.#onChange({ person, after: known, events });
    return known;
  }

  #noteUnchecked(person: PublicKeyHex, isUnchecked: boolean): void {
    const was = this.#unchecked.delete(person);
    if (isUnchecked) this.#unchecked.add(person);
    const [oldest] = this.#unchecked;
    if (this.#unchecked.size > MAX_UNCHECKED && oldest !== undefined) this.#unchecked.delete(oldest);
    if (was !== isUnchecked) this.#onUnchecked();
  }

  async #judge(person: PublicKeyHex, key: X25519KeyHex, look: Look): Promise<JudgedKey> {
    const { account, clock } = this.#context;
    const { devices, linkedAt } = look.keys;
    if (key === account.devicePub && person === account.masterPub) return { key, voucher: "signature" };
    const isSigned = this.#people.get(person)?.signed.includes(key) === true || (await this.#hasCertificate(person, key));
    if (isSigned) return { key, voucher: "signature" };
    const name = `${person} ${key}`;
    const answer = this.#answers.get(name);
    const isYoung = answer !== undefined && !look.isAgain && clock.monotonicMs() - answer.atMs < ASK_AGAIN_MS;
    if (isYoung || answer?.voucher === "signature") return { key, voucher: answer.voucher };
    const voucher = await this.#ask(person, key, devices.includes(key) ? (linkedAt?.[key] ?? 0) : undefined);
    this.#noteAnswer(person, key, voucher);
    return { key, voucher };
  }

  #noteAnswer(person: PublicKeyHex, key: X25519KeyHex, voucher: Voucher): void {
    const name = `${person} ${key}`;
    this.#answers.delete(name);
    this.#answers.set(name, { atMs: this.#context.clock.monotonicMs(), voucher });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
  }

  async #ask(person: PublicKeyHex, key: X25519KeyHex, linkedAt: number | undefined): Promise<Voucher> {
    const { node, publicCards } = this.#context;
    const found = await node.keyPublication(person, key, linkedAt);
    if (typeof found === "object") {
      // Loaded with the first device that nothing else vouches for.
      const { isKeyPublication } = await import("./key-publication.ts");
      return isKeyPublication(found, { chainId: node.chainId, masterPub: person, key }) ? "signature" : "nothing";
    }
    // A chain that began with the state of another one lists devices whose transactions are there.
    if (found === "absent" && node.previousChainId === undefined) return "nothing";
    // Whichever node shows the card, the master key's signature is in it.
    if (await (await publicCards()).isCertified({ person, device: key })) return "signature";
    return "unknown";
  }

  /** The device has shown a prekey with a certificate of the master key. */
  async #hasCertificate(masterPub: PublicKeyHex, devicePub: X25519KeyHex): Promise<boolean> {
    const { node, epochs } = this.#context;
    const prekey = epochs.prekeys[devicePub];
    if (prekey === undefined) return false;
    // Verifies signatures: loaded late, as above.
    const { isCertified } = await import("#shared/protocol/mail/device-certificate.ts");
    return isCertified(node.chainId, masterPub, { devicePub, ...prekey });
  }
}
