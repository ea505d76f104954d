// Envelopes that their recipients deleted, in mailbox.db: other nodes still hold them, and must not bring them back.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { DeletionMarks } from "./deletion-marks.ts";
import { HiddenEnvelopeRepository } from "./hidden-envelope-repository.ts";
import { MAX_SIGNED_DELETION_BYTES, SignedDeletionRepository } from "./signed-deletion-repository.ts";

/** Most deletions that are remembered by a node without `--mail-disk`: an eighth of 4 GiB by the bytes that one takes. */
export const MAX_DELETED_ENVELOPES = 11_184_810;

/** What is remembered at most. */
export interface DeletionRoom {
  /** Marks. Beyond that those who had brought most of what was deleted lose their oldest. */
  readonly marks: number;
  /** Bytes of what mailbox keys have signed. */
  readonly signedBytes: number;
}

/** Part of the disk for mail that marks may take beside it, and signed deletions; bytes of a mark in the file. */
const MARKS_PART = 8;
const SIGNED_PART = 16;
const BYTES_A_MARK = 48;

/** Room by the disk that a node gives its mail, bytes. */
export function deletionRoom(mailDiskBytes: number): DeletionRoom {
  return {
    marks: Math.floor(mailDiskBytes / MARKS_PART / BYTES_A_MARK),
    signedBytes: Math.max(MAX_SIGNED_DELETION_BYTES, Math.floor(mailDiskBytes / SIGNED_PART)),
  };
}

/** Marks of deleted envelopes. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class DeletedEnvelopeRepository {
  /** What callers deleted who did not prove the key. */
  readonly hidden: HiddenEnvelopeRepository;
  /** What mailbox keys have signed. */
  readonly signed: SignedDeletionRepository;
  readonly #marks: DeletionMarks;

  constructor(database: SqliteDatabase, { marks, signedBytes }: Partial<DeletionRoom> = {}) {
    this.hidden = new HiddenEnvelopeRepository(database);
    this.#marks = new DeletionMarks(database, marks ?? MAX_DELETED_ENVELOPES);
    this.signed = new SignedDeletionRepository(database, this.#marks, signedBytes);
  }

  /** `party`: who had brought the envelope; empty where that is not known, as of one that is not here. */
  add(recipientPub: X25519KeyHex, id: string, atSec: number, party = ""): void {
    this.#marks.add(recipientPub, id, atSec, party);
  }

  has(recipientPub: X25519KeyHex, id: string): boolean {
    return this.#marks.has(recipientPub, id);
  }

  /** The envelope was sent again. */
  remove(recipientPub: X25519KeyHex, id: string): void {
    this.#marks.remove(recipientPub, id);
  }

  /** Forgets what was deleted on days before a time, unix seconds. */
  prune(beforeSec: number): void {
    this.#marks.prune(beforeSec);
    this.signed.prune(beforeSec);
  }
}
