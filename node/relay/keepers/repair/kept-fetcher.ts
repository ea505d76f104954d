// What a repair moves: envelopes of another keeper come into this node's mailbox, and that keeper is told which of its envelopes their
// owners have deleted.
import { LRUCache } from "lru-cache";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import type { MailSource } from "#node/storage/mailbox/mail-sources.ts";
import type { MailboxRepository } from "#node/storage/mailbox/mailbox-repository.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { DeletionNotice, MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { Relay } from "../../relay.ts";
import { DeletionSearch } from "../deletion-search.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import { type MailEntry, positionOf } from "./mail-entries.ts";
import type { EntryJudgement } from "./repair-session.ts";

export interface KeptFetcherDependencies {
  readonly relay: Pick<Relay, "receiveKept" | "boxes" | "deletions">;
  readonly store: Pick<MailboxRepository, "sizeOf" | "deleted">;
  /** How long an envelope is kept, ms. */
  readonly retentionMs: number;
  readonly sourceOf: (keeper: PublicKeyHex) => MailSource;
  /** A keeper said what no honest one says. */
  readonly onLie: (keeper: PublicKeyHex) => void;
  readonly clock: Clock;
  readonly limits: KeeperLimits;
  /** @throws CodedError UPSTREAM_FAILED */
  readonly ask: (keeper: PublicKeyHex, request: MailRequest) => Promise<MailResponse>;
}

/** Entries of a fetch that came, and those of them that are in the mailbox now. */
export interface FetchedEntries {
  readonly came: readonly MailEntry[];
  readonly stored: readonly MailEntry[];
}

/** Fetches. */
export class KeptFetcher {
  stored = 0;
  readonly #dependencies: KeptFetcherDependencies;
  /** Positions of what this node did not take: there was no room, or nothing that it takes. */
  readonly #left: LRUCache<string, true>;

  constructor(dependencies: KeptFetcherDependencies) {
    this.#dependencies = dependencies;
    const { limits, clock } = dependencies;
    const perf = { now: (): number => clock.monotonicMs() };
    this.#left = new LRUCache({ max: limits.leftEntries, ttl: limits.leftMs, perf });
  }

  /** What to do about an entry of another keeper. */
  judge(entry: MailEntry): EntryJudgement {
    const { store, clock, retentionMs, limits } = this.#dependencies;
    const { box, id, receivedSec } = entry;
    if (store.deleted.has(box, id)) return "deleted";
    // Its time is as good as over, also where its time here would begin again.
    const leftMs = receivedSec * 1_000 + retentionMs - clock.nowMs();
    if (leftMs < limits.leastKeptMs || store.sizeOf(box, id) !== undefined) return "leave";
    return this.#left.has(positionOf(entry)) ? "leave" : "fetch";
  }

  /** As much as one response holds at a time. @throws CodedError UPSTREAM_FAILED */
  async fetch(keeper: PublicKeyHex, entries: readonly MailEntry[]): Promise<FetchedEntries> {
    const { store } = this.#dependencies;
    const open = new Map(entries.map((entry) => [placeOf(entry), entry]));
    const came: MailEntry[] = [];
    for (let isMore = true; isMore && open.size > 0; ) {
      const places = await this.#fetchSome(keeper, open);
      isMore = places.length > 0;
      for (const place of places) {
        const entry = open.get(place);
        if (entry !== undefined) came.push(entry);
        open.delete(place);
      }
    }
    const stored = came.filter(({ box, id }) => store.sizeOf(box, id) !== undefined);
    this.stored += stored.length;
    const taken = new Set(stored);
    for (const entry of came) if (!taken.has(entry)) this.#left.set(positionOf(entry), true);
    return { came, stored };
  }

  /** Tells what owners have signed. What was deleted here without that stays there. */
  async tellDeleted(keeper: PublicKeyHex, entries: readonly MailEntry[]): Promise<void> {
    const { ask, store } = this.#dependencies;
    const search = new DeletionSearch(store);
    for (const { box, id } of entries) search.find(box, id);
    const notices = search.found.map(
      ({ mailbox, ids, height, signature }): DeletionNotice => ({ mailbox, ids, proof: { height, signature } }),
    );
    if (notices.length > 0) await ask(keeper, { type: "delete", notices });
  }

  /** Places of what came, deleted ones among them. */
  async #fetchSome(keeper: PublicKeyHex, open: ReadonlyMap<string, MailEntry>): Promise<readonly string[]> {
    const { ask, relay, sourceOf } = this.#dependencies;
    const found = await ask(keeper, { type: "fetch", places: [...open.values()].map(({ box, id }) => ({ box, id })) });
    if (found.type !== "mail") throw new CodedError("UPSTREAM_FAILED", "The keeper gives no mail");
    const { openings, deletions, items } = found;
    const source = sourceOf(keeper);
    const isProven = (await relay.boxes.learn(openings, source)) && (await relay.deletions.learn(deletions));
    const arrivals = items.flatMap((item) => {
      const entry = open.get(placeOf({ box: item.envelope.recipient_pub, id: item.envelope.id }));
      return entry !== undefined && isAuthenticEnvelope(item.envelope) ? [{ ...item, receivedAtSec: entry.receivedSec }] : [];
    });
    if (!isProven || (await relay.receiveKept(arrivals, source)) === "reject") {
      this.#dependencies.onLie(keeper);
      throw new CodedError("UPSTREAM_FAILED", "A keeper gave what no honest one has");
    }
    const deleted = deletions.flatMap(({ mailbox, ids }) => ids.map((id) => placeOf({ box: mailbox, id })));
    const brought = items.map(({ envelope }) => placeOf({ box: envelope.recipient_pub, id: envelope.id }));
    return [...brought, ...deleted.filter((place) => open.has(place))];
  }
}

function placeOf({ box, id }: Pick<MailEntry, "box" | "id">): string {
  return `${box} ${id}`;
}
