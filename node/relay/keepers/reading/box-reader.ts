// A box as its keepers list it together: what each of them says is merged, and what one of them lacks is noticed. Pure data; the caller
// checks envelopes and stores them before it steps on.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import type { Finding } from "./doubted-keepers.ts";

/** What is known of one keeper's list. */
interface KeeperList {
  /** Ids that it has listed and not taken back. */
  readonly ids: ReadonlySet<string>;
  /** It has listed everything that it had, at this time; undefined while more pages follow. */
  readonly completeAtMs: number | undefined;
  /** It listed more than any box holds. */
  readonly isLying: boolean;
}

/** An envelope of the box. */
interface ListedEnvelope {
  /** Position in the order of arrival here. */
  readonly seq: number;
  readonly firstSeenMs: number;
}

/** A box in the eyes of a node that reads it. */
export interface BoxReader {
  readonly startedAtMs: number;
  readonly keepers: ReadonlyMap<PublicKeyHex, KeeperList>;
  readonly envelopes: ReadonlyMap<string, ListedEnvelope>;
  /** Ids that the owner has deleted, the newest ones. */
  readonly deleted: ReadonlySet<string>;
  readonly nextSeq: number;
}

/** A page of a keeper's list. */
export interface KeeperPage {
  readonly from: PublicKeyHex;
  /** Ids of envelopes in its order; each was checked. */
  readonly ids: readonly string[];
  /** Ids whose deletion the owner has signed; each was checked. */
  readonly deleted: readonly string[];
  readonly isLast: boolean;
}

/** What came of a page. */
export interface PageOutcome {
  readonly reader: BoxReader;
  /** Ids that no keeper had listed before, in order. */
  readonly fresh: readonly string[];
  readonly isLie: boolean;
}

/** A box that is read from now on at these keepers. */
export function startReading(keepers: readonly PublicKeyHex[], nowMs: number): BoxReader {
  const lists = new Map(keepers.map((keeper) => [keeper, { ids: new Set<string>(), completeAtMs: undefined, isLying: false }]));
  return { startedAtMs: nowMs, keepers: lists, envelopes: new Map(), deleted: new Set(), nextSeq: 1 };
}

/** Takes a page. What one keeper lists is bounded by what a box holds: beyond that it lies, and its pages count no more. */
export function takePage(reader: BoxReader, page: KeeperPage, nowMs: number, limits: KeeperLimits): PageOutcome {
  const list = reader.keepers.get(page.from);
  if (list === undefined || list.isLying) return { reader, fresh: [], isLie: list?.isLying === true };
  const ids = new Set([...list.ids, ...page.ids]);
  const keepers = new Map(reader.keepers);
  const isLie = ids.size > limits.boxEntries || page.deleted.length > limits.boxEntries;
  if (isLie) {
    keepers.set(page.from, { ...list, isLying: true });
    return { reader: { ...reader, keepers }, fresh: [], isLie };
  }
  const deleted = new Set([...reader.deleted, ...page.deleted].slice(-limits.readDeletions));
  const envelopes = new Map(reader.envelopes);
  for (const id of page.deleted) {
    envelopes.delete(id);
    ids.delete(id);
  }
  const fresh: string[] = [];
  for (const id of page.ids) {
    if (envelopes.has(id) || deleted.has(id)) continue;
    envelopes.set(id, { seq: reader.nextSeq + fresh.length, firstSeenMs: nowMs });
    fresh.push(id);
  }
  keepers.set(page.from, { ids, completeAtMs: page.isLast ? nowMs : list.completeAtMs, isLying: false });
  forgetUnlisted(envelopes, keepers, limits);
  return { reader: { ...reader, keepers, envelopes, deleted, nextSeq: reader.nextSeq + fresh.length }, fresh, isLie };
}

/** A keeper that lists again may name others each time: beyond what all lists hold, what none of them names is forgotten. */
function forgetUnlisted(envelopes: Map<string, ListedEnvelope>, keepers: BoxReader["keepers"], { boxEntries }: KeeperLimits): void {
  if (envelopes.size <= keepers.size * boxEntries) return;
  for (const id of [...envelopes.keys()]) if (![...keepers.values()].some(({ ids }) => ids.has(id))) envelopes.delete(id);
}

/** Whether a list may be shown: enough keepers have answered, or a first read has waited long enough and is incomplete. */
export function readStatus(reader: BoxReader, nowMs: number, limits: KeeperLimits): "waiting" | "incomplete" | "complete" {
  const answered = [...reader.keepers.values()].filter(({ completeAtMs, isLying }) => completeAtMs !== undefined && !isLying).length;
  if (answered >= Math.min(limits.readersAnswers, reader.keepers.size)) return "complete";
  return nowMs - reader.startedAtMs >= limits.firstReadMs ? "incomplete" : "waiting";
}

/** What others have listed for longer than repair takes, and a keeper does not. */
export interface Missing {
  /** It has confirmed these to this node: it drops mail. */
  readonly dropped: readonly Finding[];
  /**
   * This node hands it these, and remembers what it confirms. They say nothing against it before: others may list what they sent no one, so
   * that two of them could otherwise discredit a third.
   */
  readonly toGive: readonly Finding[];
}

/** Envelopes that keepers do not list, and should. */
export function findMissing(
  reader: BoxReader,
  limits: KeeperLimits,
  confirmed: (keeper: PublicKeyHex, id: string) => boolean = () => false,
): Missing {
  const missing = [...reader.keepers].flatMap(([keeper, { ids, completeAtMs }]) => {
    if (completeAtMs === undefined) return [];
    const late = [...reader.envelopes].filter(([id, { firstSeenMs }]) => !ids.has(id) && completeAtMs - firstSeenMs >= limits.lateMs);
    return late.map(([id]) => ({ keeper, id }));
  });
  return {
    dropped: missing.filter(({ keeper, id }) => confirmed(keeper, id)),
    toGive: missing.filter(({ keeper, id }) => !confirmed(keeper, id)),
  };
}

/** A keeper lists again from its beginning: what it lists no more, it lacks. */
export function listAgain(reader: BoxReader, keeper: PublicKeyHex): BoxReader {
  if (!reader.keepers.has(keeper)) return reader;
  const keepers = new Map(reader.keepers);
  keepers.set(keeper, { ids: new Set(), completeAtMs: undefined, isLying: keepers.get(keeper)?.isLying === true });
  return { ...reader, keepers };
}
