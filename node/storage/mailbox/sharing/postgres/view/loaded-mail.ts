// What a transaction has read of the mailboxes, and what may be asked of it that was not read yet.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Usage } from "../../../mailbox-usage.ts";
import type { OpenCounts } from "../../../opened-box-repository.ts";
import type { BoxRow, EnvelopeRow, OpenedBoxRow } from "./mail-rows.ts";

/** Figures of all mailboxes. */
export interface Totals {
  readonly count: number;
  readonly bytes: number;
  readonly openBytes: number;
}

/** Which mail of a source: what waits, or what is in open boxes. */
export type SourceKind = "waiting" | "open";

/** Something that was asked for and has not been read. */
export type Lack =
  | { readonly type: "waiting" | "open-usage"; readonly recipientPub: X25519KeyHex }
  | { readonly type: "opened-counts"; readonly party: string; readonly nowSec: number }
  | { readonly type: "largest"; readonly kind: SourceKind; readonly parties: readonly string[] }
  | { readonly type: "oldest"; readonly kind: SourceKind; readonly party: string; readonly tag: string }
  | { readonly type: "oldest-read" }
  | { readonly type: "day"; readonly party: string; readonly day: number; readonly bytes: number; readonly most: number };

/** Thrown by a view; the transaction reads what is lacking, and runs the work again. */
export class LackingMail extends Error {
  readonly lack: Lack;

  constructor(lack: Lack) {
    super(`Not read: ${lack.type}`);
    this.lack = lack;
  }
}

/** Bytes by tag and party. */
export type Sources = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Read so far. */
export interface LoadedMail {
  /** True when no other transaction changes mailboxes: only then is mail of other mailboxes displaced. */
  readonly isAlone: boolean;
  readonly totals: Totals;
  readonly boxes: Map<X25519KeyHex, BoxRow>;
  /** Envelopes by their names; undefined for those that are not there. */
  readonly envelopes: Map<string, EnvelopeRow | undefined>;
  /** Names of deleted envelopes, of those that were asked for. */
  readonly deleted: Set<string>;
  readonly openings: Map<X25519KeyHex, OpenedBoxRow>;
  readonly openedCounts: Map<string, OpenCounts>;
  /** What waits in a mailbox, in order of arrival. */
  readonly waiting: Map<X25519KeyHex, readonly EnvelopeRow[]>;
  readonly openUsage: Map<X25519KeyHex, Usage>;
  /** The parties that have most, and those that were asked for. */
  readonly sources: Map<SourceKind, Sources>;
  /** The first that came, by kind, party and tag. */
  readonly oldest: Map<string, readonly EnvelopeRow[]>;
  oldestRead: readonly EnvelopeRow[] | undefined;
}

/** Nothing but figures. */
export function nothingLoaded(totals: Totals, isAlone = false): LoadedMail {
  return {
    isAlone,
    totals,
    boxes: new Map(),
    envelopes: new Map(),
    deleted: new Set(),
    openings: new Map(),
    openedCounts: new Map(),
    waiting: new Map(),
    openUsage: new Map(),
    sources: new Map(),
    oldest: new Map(),
    oldestRead: undefined,
  };
}

/** Key of {@link LoadedMail.oldest}. */
export function oldestKey(kind: SourceKind, party: string, tag: string): string {
  return `${kind}\n${party}\n${tag}`;
}
