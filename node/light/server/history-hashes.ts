// The rolling hash before any entry of an account's history. The state holds only the last one, so that the way there is hashed from the
// nearest place whose hash is known: places are marked at equal distances, and no call walks further than a limit.
import { historyHashAfter } from "#node/ledger/records/history.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ZERO_HASH } from "#shared/protocol/primitives/hash.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";

/** Where histories are read: ids from one number up to another one, which begin with 1. */
export interface StoredHistories {
  historyIds(publicKey: PublicKeyHex, first: number, last: number): readonly string[];
}

const { markEntries, markedAccounts, hashedEntries } = LIGHT_LIMITS;

/** Hashes of histories. Blocks are final: what was marked stays true. */
export class HistoryHashes {
  readonly #histories: StoredHistories;
  /** Hashes after entries 0, 1 × distance, 2 × distance … by account; the account requested last is last. */
  readonly #marks = new Map<PublicKeyHex, Uint8Array[]>();

  constructor(histories: StoredHistories) {
    this.#histories = histories;
  }

  /** The hash after so many entries, which the history must have. @throws CodedError BUSY when one call does not reach it. */
  after(account: PublicKeyHex, entries: number): Uint8Array {
    const marks = this.#marksOf(account);
    const target = Math.floor(entries / markEntries);
    for (let walked = 0; marks.length <= target; walked += markEntries) {
      if (walked >= hashedEntries) throw new CodedError("BUSY", "The history is being hashed: ask again");
      const first = (marks.length - 1) * markEntries + 1;
      marks.push(this.#hashed(account, marks.at(-1), first, first + markEntries - 1));
    }
    return this.#hashed(account, marks[target], target * markEntries + 1, entries);
  }

  #hashed(account: PublicKeyHex, from: Uint8Array | undefined, first: number, last: number): Uint8Array {
    const ids = last < first ? [] : this.#histories.historyIds(account, first, last);
    return historyHashAfter(from ?? ZERO_HASH, ids, nativeSha256);
  }

  #marksOf(account: PublicKeyHex): Uint8Array[] {
    const marks = this.#marks.get(account) ?? [ZERO_HASH];
    this.#marks.delete(account);
    const oldest = this.#marks.size >= markedAccounts ? this.#marks.keys().next() : undefined;
    if (oldest !== undefined && oldest.done !== true) this.#marks.delete(oldest.value);
    this.#marks.set(account, marks);
    return marks;
  }
}
