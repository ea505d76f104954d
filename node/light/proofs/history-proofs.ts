// Histories of accounts through peers: from a hash that is proven down to the page that is wanted, part by part. Each part proves the hash
// before it, and where a history was proven once, the next page may begin there.
import { decodeRecord } from "#node/ledger/record-codec.ts";
import { accountCodec } from "#node/ledger/records/records.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { ProvenHistory, ProvenRecords, StateKey } from "../light-source.ts";
import { checkHistory } from "../peers/check-responses.ts";
import type { PeerResponses } from "../peers/peer-responses.ts";

export interface HistoryProofsDependencies {
  readonly responses: PeerResponses;
  readonly records: (keys: readonly StateKey[]) => Promise<ProvenRecords>;
  readonly hash: Sha256;
  readonly limits?: Readonly<Record<"entriesPerRequest" | "responsesPerPage" | "provenPositions", number>>;
}

/** The hash after so many entries of a history. */
interface HistoryPosition {
  readonly number: number;
  readonly after: Uint8Array;
}

/** Pages of histories. */
export class HistoryProofs {
  readonly #dependencies: HistoryProofsDependencies;
  readonly #limits: NonNullable<HistoryProofsDependencies["limits"]>;
  /** Proven positions by account and number; the one used longest ago is first. A history only grows: they stay true. */
  readonly #positions = new Map<string, { readonly account: PublicKeyHex } & HistoryPosition>();

  constructor(dependencies: HistoryProofsDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? LIGHT_LIMITS;
  }

  /** Entries of an account, newest first, all of them proven. */
  async page(account: PublicKeyHex, { limit, offset }: { readonly limit: number; readonly offset: number }): Promise<ProvenHistory> {
    const { at, values } = await this.#dependencies.records([{ namespace: "account", key: fromHex(account) }]);
    const [record] = values;
    if (record === undefined) return { at, count: 0, entryIds: [] };
    const { historyCount: count, historyHash: after } = decodeRecord(accountCodec, record);
    const last = count - offset;
    const first = Math.max(1, last - limit + 1);
    const entryIds = first > last ? [] : await this.#collect(account, { first, last }, { number: count, after });
    return { at, count, entryIds };
  }

  /**
   * From the nearest proven place at or above the page down to its first entry. What lies above it is passed on in parts of bounded
   * length: `BUSY` says that it is not there yet, and the next request continues where this one ended.
   */
  async #collect(
    account: PublicKeyHex,
    { first, last }: { readonly first: number; readonly last: number },
    end: HistoryPosition,
  ): Promise<string[]> {
    const { entriesPerRequest, responsesPerPage } = this.#limits;
    let position = this.#nearest(account, last, end);
    let responsesAbove = 0;
    const entryIds: string[] = [];
    while (position.number >= first) {
      if (position.number > last && ++responsesAbove > responsesPerPage) throw notThereYet(position.number - last);
      // What is above the page is passed on its own, so that the place at its end is known from then on.
      const floor = position.number > last ? last + 1 : first;
      const count = Math.min(entriesPerRequest, position.number - floor + 1);
      const { before, ids } = await this.#part(account, position, count);
      if (position.number <= last) entryIds.push(...ids.toReversed());
      position = { number: position.number - count, after: before };
      this.#remember(account, position);
    }
    return entryIds;
  }

  #part(
    account: PublicKeyHex,
    { number: last, after }: HistoryPosition,
    count: number,
  ): Promise<{ before: Uint8Array; ids: readonly string[] }> {
    const { responses, hash } = this.#dependencies;
    const segment = { account, last, count };
    return responses.first(async (peer) => {
      const response = await responses.fetch<"history">(peer, { kind: "history", ...segment });
      return { before: response.before, ids: responses.unwrap(peer, checkHistory(after, segment, response, hash)) };
    });
  }

  #nearest(account: PublicKeyHex, last: number, end: HistoryPosition): HistoryPosition {
    let nearest: HistoryPosition = end;
    for (const position of this.#positions.values())
      if (position.account === account && position.number >= last && position.number < nearest.number) nearest = position;
    return nearest;
  }

  #remember(account: PublicKeyHex, position: HistoryPosition): void {
    const name = `${account} ${position.number}`;
    this.#positions.delete(name);
    this.#positions.set(name, { account, ...position });
    const oldest = this.#positions.size > this.#limits.provenPositions ? this.#positions.keys().next() : undefined;
    if (oldest !== undefined && oldest.done !== true) this.#positions.delete(oldest.value);
  }
}

function notThereYet(left: number): CodedError {
  return new CodedError(
    "BUSY",
    `This page lies deep in the history: ${left} entries above it are still to be proven. Ask again to continue`,
  );
}
