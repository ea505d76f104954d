// Transfer of history and notes to another own device, and backups: the view and input of the interface.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { MessengerProblem } from "./message.ts";

export interface DeviceTransferScope {
  readonly keepsakes: string;
  /** Messages from this time on, milliseconds since 1970; null for none. */
  readonly sinceMs: number | null;
}

/** What the old device transfers, and under which key. */
export interface DeviceTransferInput extends DeviceTransferScope {
  /** 32 bytes of the linking. */
  readonly session: Uint8Array;
  readonly deviceName: string;
  readonly devicePub: X25519KeyHex;
}

/** Handing history over between two own devices. */
export interface DeviceTransferView {
  readonly role: "sending" | "receiving";
  readonly phase: "running" | "done" | "cancelled";
  /** The new device, where this one sends. */
  readonly deviceName: string | null;
  /** Messages and chunks of files; the total is 0 while it is unknown, and where only notes are transferred. */
  readonly done: number;
  readonly total: number;
  /** Milliseconds until it is done, as fast as it was lately; null while that is not known. */
  readonly leftMs: number | null;
  /** Why the last attempt did not work; it continues automatically. */
  readonly problem: MessengerProblem | null;
}

/** A device that was let in and then left its linking before it had a password. */
export interface UnfinishedLink {
  readonly devicePub: X25519KeyHex;
  readonly name: string;
}

/** What goes into a backup besides conversations and messages. */
export interface BackupContents {
  readonly withFiles: boolean;
  /** Whatever the app wants to have back, as JSON holds it. */
  readonly app: unknown;
}

/** What came from a backup. */
export interface RestoredBackup {
  /** Messages that were added. */
  readonly messages: number;
  /** Parts of attached files that were added. */
  readonly chunks: number;
  /** What the app had put in; undefined when it had not. */
  readonly app: unknown;
}
