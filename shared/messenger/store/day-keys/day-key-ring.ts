// The day keys of an open store: which of them takes what is written, and which are to go. A key is made in the vault before anything lies
// under it, and goes from there after nothing does: a crash between leaves a key too many, never a row that no key opens.
import pLimit from "p-limit";
import type { KeyringApi } from "#shared/keyring/keyring-api.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { RenewableCipher } from "../sealing/record-cipher.ts";

/** Where day keys are made and destroyed. */
export interface DayKeyHost {
  readonly keyring: Pick<KeyringApi<CryptoKey>, "storeKeys" | "makeDayKey" | "dropDayKeys">;
  readonly clock: Clock;
}

/** Key of what is noted of day keys. */
export const DAY_KEYS_KEY = "day keys";

/** Says which keys a store has. */
export type KeySource = Pick<KeyringApi<CryptoKey>, "storeKeys">;

/** What is noted of them in the store, by their ids. */
export interface DayKeyNotes {
  /** Something that is gone, or lies elsewhere now, lay under these since then, milliseconds since 1970. */
  readonly stained: Readonly<Record<string, number>>;
  /** Nothing lies under these any more, and nothing ever will. */
  readonly leaving: readonly string[];
}

/** A day key without what it opens. */
export interface NamedDayKey {
  readonly id: string;
  readonly until: number;
}

/** Keys of one store. */
export class DayKeyRing {
  readonly #cipher: RenewableCipher;
  readonly #host: DayKeyHost | undefined;
  #keys: readonly NamedDayKey[];
  #notes: DayKeyNotes = { stained: {}, leaving: [] };
  /** Answers of the keyring are taken in the order in which it was asked: an earlier one lacks keys of a later one. */
  readonly #asking = pLimit(1);
  /** What is being put under other keys takes nothing new. */
  readonly #closed = new Set<string>();
  #isFull = false;

  /** Without a host no key is made, and what disappears lies under the key of the records alone. */
  constructor(cipher: RenewableCipher, keys: readonly NamedDayKey[], host: DayKeyHost | undefined) {
    this.#cipher = cipher;
    this.#keys = keys;
    this.#host = host;
  }

  get all(): readonly NamedDayKey[] {
    return this.#keys;
  }

  get notes(): DayKeyNotes {
    return this.#notes;
  }

  setNotes(notes: DayKeyNotes): void {
    this.#notes = notes;
  }

  /** Id of the key that takes what is in a window; undefined where there is none. */
  idFor(until: number): string | undefined {
    const isOpen = ({ id }: NamedDayKey): boolean => !this.#closed.has(id) && !this.#notes.leaving.includes(id);
    return this.#keys.findLast((key) => key.until === until && isOpen(key))?.id;
  }

  /** Nothing more is put under a key. */
  close(id: string): void {
    this.#closed.add(id);
  }

  /** Sees that there is a key for each window, as far as the vault has room. @throws CodedError KEYRING_LOCKED, LOCAL_STORE_FAILED. */
  async require(windows: Iterable<number>): Promise<void> {
    for (const until of new Set(windows)) {
      if (this.#host === undefined || this.#isFull || this.idFor(until) !== undefined) continue;
      const isMade = await this.#host.keyring.makeDayKey({ until });
      await this.follow(this.#host.keyring);
      this.#isFull = !isMade;
    }
  }

  /** Destroys keys under which nothing lies. @throws CodedError KEYRING_LOCKED, LOCAL_STORE_FAILED. */
  async drop(ids: readonly string[]): Promise<void> {
    if (this.#host === undefined) return;
    await this.#host.keyring.dropDayKeys({ ids });
    await this.follow(this.#host.keyring);
  }

  /** The notes with further keys under which something lay that is gone; undefined where that is known of all. */
  stainedWith(ids: readonly string[]): DayKeyNotes | undefined {
    const { stained } = this.#notes;
    const added = ids.filter((id) => stained[id] === undefined);
    if (added.length === 0 || this.#host === undefined) return undefined;
    const nowMs = this.#host.clock.nowMs();
    return { ...this.#notes, stained: { ...stained, ...Object.fromEntries(added.map((id) => [id, nowMs])) } };
  }

  /** All keys of the store are those that the keyring has now. @throws CodedError KEYRING_LOCKED. */
  follow(keyring: KeySource): Promise<void> {
    return this.#asking(async () => {
      const keys = await keyring.storeKeys();
      this.#cipher.renew(keys);
      this.#keys = keys.dayKeys;
      this.#isFull = false;
    });
  }
}
