// The memo of the TRANSFER to oneself by which an owner passes a group on. It names the log by a mark that says nothing to those who do not
// know its id, so that members find all such transfers of an owner: an entry that was prepared in secret cannot come before another one.
// Each owner of a log has another mark: with one for all, everyone could see that these accounts owned the same group.

import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import type { EntryHash } from "./log-entry.ts";

const PREFIX = "parley-log:";
/** Bytes of the mark of a log. */
const MARK_BYTES = 8;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

/** A log, and who passes it on. */
export interface OwnedLog {
  /** 16 bytes in hex. */
  readonly logId: string;
  readonly owner: PublicKeyHex;
}

/** The memo that names an entry: `parley-log:<mark>:<hash>`, 92 characters. */
export function ownerMemo(log: OwnedLog, entry: EntryHash): string {
  return `${startOf(log)}${entry}`;
}

/** The hash that such a memo names; undefined for one of another log or owner, and for anything else. */
export function entryOfMemo(log: OwnedLog, memo: string): EntryHash | undefined {
  const start = startOf(log);
  const hash = memo.startsWith(start) ? memo.slice(start.length) : "";
  return HASH_PATTERN.test(hash) ? hash : undefined;
}

function startOf({ logId, owner }: OwnedLog): string {
  return `${PREFIX}${toHex(sha256(utf8(`parley-log\n${logId}\n${owner}`)).subarray(0, MARK_BYTES))}:`;
}
