// What a view has changed, for the statements that write it.
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { OpeningSource } from "../../../opened-box-repository.ts";
import type { StoredProof } from "../../../used-proof-repository.ts";
import type { EnvelopeRow } from "./mail-rows.ts";

/** An envelope that came. */
export interface NewEnvelope {
  readonly row: EnvelopeRow;
  readonly number: string;
  readonly envelope: Envelope;
  readonly receivedAtSec: number;
  readonly admit: string | undefined;
}

/** What the network of nodes is to be told, in the order in which it happened. */
export interface Notice {
  readonly kind: "envelope" | "deletion" | "opening";
  /** JSON of the request to a node. */
  readonly body: string;
  /** Address of the client that handed it in, as limits know it; null where it is not known. Deletions have none. */
  readonly client: string | null;
}

/** An opening that holds from now on. */
export interface NewOpening {
  readonly opening: BoxOpening;
  readonly source: OpeningSource;
  /** True when the box was held before: it stays with who brought it. */
  readonly isUpdate: boolean;
}

/** Everything. */
export interface ViewChanges {
  readonly added: readonly NewEnvelope[];
  /** Envelopes that were there, and go. */
  readonly removed: readonly EnvelopeRow[];
  /** Envelopes that wait no more, with whether they are hidden. */
  readonly read: readonly { readonly row: EnvelopeRow; readonly isHidden: boolean }[];
  /** Names of envelopes that count as deleted from now on, and of those that do no more. */
  readonly deleted: ReadonlyMap<string, boolean>;
  readonly openings: readonly NewOpening[];
  readonly proofs: readonly StoredProof[];
  readonly notices: readonly Notice[];
  /** Bytes that parties handed in, by party. */
  readonly days: ReadonlyMap<string, number>;
}
