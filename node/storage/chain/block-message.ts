// A block to write on its way to another thread: texts and numbers are copied, all bytes travel in one buffer that changes its owner. What
// tree pages were before is not written, so it stays behind.
import type { Namespace } from "#node/ledger/state-view.ts";
import type { StoredBlock } from "./stored-block.ts";

/** What the thread gets. `lengths` are those of the parts in `bytes`, −1 for one that is missing. */
export interface BlockMessage extends Pick<StoredBlock, "summary" | "newValidators" | "index"> {
  readonly namespaces: readonly Namespace[];
  readonly prefixes: readonly string[];
  /** Number of groups of records. */
  readonly groups: number;
  readonly lengths: Int32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const MISSING = -1;

/** The message of a block; `bytes` and `lengths` may be transferred. */
export function blockMessage(stored: StoredBlock): BlockMessage {
  const { summary, newValidators, index, changes, pages, groups } = stored;
  const parts: (Uint8Array | undefined)[] = [stored.front, stored.tail, stored.commitRecord, ...groups];
  for (const { key, before, value } of changes) parts.push(key, before, value);
  for (const { after } of pages) parts.push(after);
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0));
  const lengths = new Int32Array(parts.length);
  let at = 0;
  for (const [position, part] of parts.entries()) {
    lengths[position] = part?.length ?? MISSING;
    if (part === undefined) continue;
    bytes.set(part, at);
    at += part.length;
  }
  const namespaces = changes.map(({ namespace }) => namespace);
  const prefixes = pages.map(({ prefix }) => prefix);
  return { summary, newValidators, index, namespaces, prefixes, groups: groups.length, lengths, bytes };
}

/** The block of a message; its bytes are parts of the message's. */
export function blockOfMessage(message: BlockMessage): StoredBlock {
  const { summary, newValidators, index, namespaces, prefixes, lengths, bytes } = message;
  let [position, at] = [0, 0];
  const next = (): Uint8Array | undefined => {
    const length = lengths[position] ?? MISSING;
    position += 1;
    if (length === MISSING) return undefined;
    at += length;
    return bytes.subarray(at - length, at);
  };
  const present = (): Uint8Array => next() ?? new Uint8Array(0);
  const [front, tail, commitRecord] = [present(), present(), present()];
  const groups = Array.from({ length: message.groups }, present);
  const changes = namespaces.map((namespace) => {
    const [key, before, value] = [present(), next(), next()];
    return { namespace, key, before, value };
  });
  const pages = prefixes.map((prefix) => ({ prefix, before: undefined, after: next() }));
  return { summary, newValidators, index, front, tail, commitRecord, groups, changes, pages };
}
