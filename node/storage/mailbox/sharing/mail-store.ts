// What the rules for arriving mail, deletions and openings need of a mailbox, whatever it lies in: SQLite, or what was read of PostgreSQL.
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { DeletedEnvelopeRepository } from "../deleted-envelope-repository.ts";
import type { HiddenEnvelopeRepository } from "../hidden-envelope-repository.ts";
import type { MailSources } from "../mail-sources.ts";
import type { MailboxRepository } from "../mailbox-repository.ts";
import type { OpenMail } from "../open-mail.ts";
import type { OpenedBoxRepository } from "../opened-box-repository.ts";
import type { RelayClaimRepository } from "../relay-claim-repository.ts";
import type { ServedRecipientRepository } from "../served-recipient-repository.ts";
import type { WaitingEnvelopes } from "../waiting-envelopes.ts";

/** Part of a mailbox. Synchronous; what a transaction does in it is durable as a whole. */
export interface MailStore
  extends Pick<
    MailboxRepository,
    "put" | "sizeOf" | "usage" | "waitingOf" | "postageOf" | "totalBytes" | "delete" | "evict" | "hide" | "inTransaction"
  > {
  readonly served: Pick<ServedRecipientRepository, "has">;
  readonly claims: Pick<RelayClaimRepository, "add">;
  readonly boxes: Pick<OpenedBoxRepository, "find" | "isHeld" | "counts" | "put" | "prune">;
  readonly deleted: Pick<DeletedEnvelopeRepository, "has" | "add" | "remove"> & {
    readonly hidden: Pick<HiddenEnvelopeRepository, "has" | "oldest">;
    readonly signed: {
      has(deletion: Pick<BoxDeletion, "mailbox" | "signature">): boolean;
      add(deletion: BoxDeletion, atSec: number): void;
    };
  };
  readonly waiting: Pick<WaitingEnvelopes, "takeDay" | "oldestOf" | "placeOf"> & {
    readonly sources: Pick<MailSources, "partyOf" | "find" | "largestParty" | "bytesOf">;
  };
  readonly open: Pick<OpenMail, "bytes" | "usageOf" | "oldestOf"> & {
    readonly sources: Pick<MailSources, "largestParty" | "bytesOf">;
  };
  /** Another node says that an envelope was read. False when it did not wait. */
  markRead(recipientPub: X25519KeyHex, id: string): boolean;
}
