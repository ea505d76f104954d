// The memo of the TRANSFER to oneself by which an owner passes a group on. It names the log by a mark that says nothing to those who do not
// know its id, so that members find all such transfers of an owner: an entry that was prepared in secret cannot come before another one.
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import type { EntryHash } from "./log-entry.ts";

const PREFIX = "parley-log:";
/** Bytes of the mark of a log. */
const MARK_BYTES = 8;
const HASH_PATTERN = /^[0-9a-f]{64}$/;

/**
 * The memo that names an entry: `parley-log:<mark>:<hash>`, 92 characters.
 * @param logId id of the log, 16 bytes in hex
 */
export function ownerMemo(logId: string, entry: EntryHash): string {
  return `${startOf(logId)}${entry}`;
}

/** The hash that such a memo names; undefined for one of another log, and for anything else. */
export function entryOfMemo(logId: string, memo: string): EntryHash | undefined {
  const start = startOf(logId);
  const hash = memo.startsWith(start) ? memo.slice(start.length) : "";
  return HASH_PATTERN.test(hash) ? hash : undefined;
}

function startOf(logId: string): string {
  return `${PREFIX}${toHex(sha256(utf8(`parley-log\n${logId}`)).subarray(0, MARK_BYTES))}:`;
}
