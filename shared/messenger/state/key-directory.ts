// Which device keys belong to which master key, as the node says it. Sending always asks again; checking senders may use a fresh cache.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { MessengerNode, PublishedKeys } from "../model/node-port.ts";
import { isFinal } from "../model/problem.ts";

/** A key that is found in a response of this age is taken as listed. */
const POSITIVE_MS = 60_000;
/** A key that is not found in a response of this age is asked for again: it may just have been linked. */
const NEGATIVE_MS = 3_000;
/** Keys that were asked for because they would be needed are taken for as long as that; then they are asked for again. */
const EXPECTED_MS = 3_000;
/** Until they are that old they are not asked for again. */
const EXPECTED_AGAIN_MS = 2_000;
/** Identities that are expected at once: those of one chat. */
const MAX_EXPECTED = 8;
/** Identities remembered. */
const MAX_CACHED = 2_048;

interface ExpectedKeys {
  readonly keys: Promise<PublishedKeys>;
  readonly atMs: number;
  /** The same once they have come. */
  arrived?: PublishedKeys;
}

interface CachedKeys extends PublishedKeys {
  readonly atMs: number;
}

/**
 * Keys to seal for: every linked device, else the identity's own key.
 * @throws CodedError NO_ENCRYPTION_KEY when there is neither.
 */
export function recipientKeys({ devices, identityKey }: PublishedKeys): readonly X25519KeyHex[] {
  if (devices.length > 0) return [...new Set(devices)];
  if (identityKey !== "") return [identityKey];
  throw new CodedError("NO_ENCRYPTION_KEY", "The recipient has not published an encryption key");
}

/** True when the identity has published the key, as a device or as its own. */
export function holdsKey({ devices, identityKey }: PublishedKeys, key: X25519KeyHex): boolean {
  return devices.includes(key) || identityKey === key;
}

/** The keys of a list that something vouches for. */
export type Vouch = (master: PublicKeyHex, keys: PublishedKeys) => Promise<PublishedKeys>;

/** Looks keys up and remembers the answers for a short while. */
export class KeyDirectory {
  readonly #node: Pick<MessengerNode, "publishedKeys">;
  readonly #clock: Clock;
  readonly #vouch: Vouch;
  readonly #cache = new Map<PublicKeyHex, CachedKeys>();
  readonly #expected = new Map<PublicKeyHex, ExpectedKeys>();
  /** Look-ups under way of those that are checked. */
  readonly #looking = new Map<PublicKeyHex, Promise<PublishedKeys>>();

  constructor(node: Pick<MessengerNode, "publishedKeys">, clock: Clock, vouch: Vouch = (_master, keys) => Promise.resolve(keys)) {
    this.#node = node;
    this.#clock = clock;
    this.#vouch = vouch;
  }

  /**
   * Begins to ask for the keys of identities to whom something may soon be sent, unless that was done a moment ago: the next {@link fetch}
   * takes what comes.
   */
  expect(masters: readonly PublicKeyHex[]): void {
    this.#expectAll(masters, EXPECTED_AGAIN_MS);
  }

  /** The same for what is sent now: what was asked for is taken as long as it may be. */
  expectNow(masters: readonly PublicKeyHex[]): void {
    this.#expectAll(masters, EXPECTED_MS);
  }

  /** What {@link fetch} would take, where that has come for all of these; undefined where one is still to be waited for. */
  arrivedOf(masters: readonly PublicKeyHex[]): ReadonlyMap<PublicKeyHex, PublishedKeys> | undefined {
    const arrived = new Map<PublicKeyHex, PublishedKeys>();
    for (const master of new Set(masters)) {
      const expected = this.#expected.get(master);
      if (expected?.arrived === undefined || this.#ageMs(expected) >= EXPECTED_MS) return undefined;
      arrived.set(master, expected.arrived);
    }
    return arrived;
  }

  #expectAll(masters: readonly PublicKeyHex[], againMs: number): void {
    for (const master of new Set(masters)) {
      const expected = this.#expected.get(master);
      if (expected !== undefined && this.#ageMs(expected) < againMs) continue;
      if (this.#expected.size >= MAX_EXPECTED) this.#expected.clear();
      const keys = this.#ask(master);
      const asked: ExpectedKeys = { keys, atMs: this.#clock.monotonicMs() };
      this.#expected.set(master, asked);
      keys.then(
        (arrived) => {
          asked.arrived = arrived;
        },
        // Who has taken them sees why they did not come; others ask again.
        () => this.#expected.get(master) === asked && this.#expected.delete(master),
      );
    }
  }

  /** Keys of an identity as the node says now, without those that nothing vouches for. */
  fetch(master: PublicKeyHex): Promise<PublishedKeys> {
    const expected = this.#expected.get(master);
    this.#expected.delete(master);
    return expected !== undefined && this.#ageMs(expected) < EXPECTED_MS ? expected.keys : this.#ask(master);
  }

  async #ask(master: PublicKeyHex): Promise<PublishedKeys> {
    const keys = await this.#vouch(master, await this.#node.publishedKeys(master));
    this.#cache.delete(master);
    this.#cache.set(master, { ...keys, atMs: this.#clock.monotonicMs() });
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
    return keys;
  }

  /** Keys of an identity, a minute old at most. */
  async get(master: PublicKeyHex): Promise<PublishedKeys> {
    const cached = this.#cache.get(master);
    return cached !== undefined && this.#ageMs(cached) < POSITIVE_MS ? cached : this.fetch(master);
  }

  /** Whether an identity has published a key. A master key that the node refuses has published none: it may be any bytes of a stranger. */
  async holds(master: PublicKeyHex, key: X25519KeyHex): Promise<boolean> {
    const cached = this.#cache.get(master);
    if (cached !== undefined && this.#ageMs(cached) < (holdsKey(cached, key) ? POSITIVE_MS : NEGATIVE_MS)) return holdsKey(cached, key);
    try {
      return holdsKey(await this.#lookUp(master), key);
    } catch (error) {
      if (isFinal(error) || isCodedError(error, "NOT_FOUND")) return false;
      throw error;
    }
  }

  /** Many contents of one person that are checked at once share a request. */
  #lookUp(master: PublicKeyHex): Promise<PublishedKeys> {
    const known = this.#looking.get(master);
    if (known !== undefined) return known;
    const keys = this.fetch(master).finally(() => this.#looking.delete(master));
    this.#looking.set(master, keys);
    return keys;
  }

  /** Identity that was last seen with a key; only those looked up since start are known. */
  ownerOf(key: X25519KeyHex): PublicKeyHex | undefined {
    for (const [master, keys] of this.#cache) if (holdsKey(keys, key)) return master;
    return undefined;
  }

  #ageMs({ atMs }: Pick<CachedKeys, "atMs">): number {
    return this.#clock.monotonicMs() - atMs;
  }
}
