// Checks the entries of a group's log that came with a content, before the store is changed: their signatures, and for what a group does
// not know yet the device at the chain. Loaded with the first such content.

import type { GroupId } from "#shared/content/group-content.ts";
import { beginLog, type StoredEntry, withEntries } from "#shared/protocol/groups/group-log.ts";
import { logIdOf } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import { decodeSignedEntry, isGenuineEntry, type SignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupConversation } from "../model/conversation-id.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Devices that are looked up for one content. */
const MAX_LOOKUPS = 64;

type VerifyContext = Pick<EngineContext, "account" | "node" | "directory" | "registry">;

/** What was found out about entries that a person has sent. */
export interface VerifiedLog {
  /** Hashes of those whose devices the chain does not list. */
  readonly unlisted: readonly string[];
  /** What the chain says of the owners of a group that is not known yet; later every device looks for that in its own time. */
  readonly transfers: readonly OwnerTransfer[];
}

/** Where entries come from. */
export interface LogOrigin {
  readonly id: GroupId;
  readonly from: PublicKeyHex;
  /** Entries that came beside those from a base on. */
  readonly kept?: readonly string[] | undefined;
  /** True while their envelope may wait for what a node cannot say. */
  readonly mayWait: () => boolean;
}

/**
 * Checks entries; undefined when one is no entry, or not genuine.
 * @throws the directory's or the node's error when something cannot be looked up now: the envelope then stays in the mailbox. But not for
 *   long when it is the owners: a light node may never learn of them, and strangers would decide how often it tries.
 */
export async function verifyLog(
  context: VerifyContext,
  { id, from, kept = [], mayWait }: LogOrigin,
  sent: readonly string[],
): Promise<VerifiedLog | undefined> {
  const { node, registry } = context;
  const { group } = registry.get(groupConversation(id));
  const known = new Set(group?.log?.entries);
  const doubted = new Set(group?.log?.unlisted);
  const texts = [...kept, ...sent];
  const fresh = texts.map(decodeSignedEntry).filter((entry) => entry === undefined || !known.has(entry.text) || doubted.has(entry.hash));
  const chainIds = [node.chainId, ...(node.previousChainId === undefined ? [] : [node.previousChainId])];
  const certified = new Set<string>();
  // One that is wrong ends the work: no one makes a device check hundreds of signatures that are none.
  if (!fresh.every((entry) => entry !== undefined && isGenuineEntry(entry, chainIds, certified))) return undefined;
  const entries = fresh as readonly SignedEntry[];
  const unlisted = from === context.account.masterPub ? [] : await unlistedOf(context, entries);
  // Where a log comes that begins at a base, the group may have been passed on without this device.
  const isMoved = entries.some(({ text, entry }) => kept.includes(text) && entry.change.op === "owner");
  if (group !== undefined && !isMoved) return { unlisted, transfers: [] };
  const transfers = await transfersIn(node, { id, isPart: kept.length > 0 }, entries).catch((error: unknown) => {
    if (mayWait()) throw error;
    return [];
  });
  return { unlisted, transfers };
}

interface PartOfLog {
  readonly id: GroupId;
  /** Entries between its beginning and these are not there. */
  readonly isPart: boolean;
}

/** What the chain says of the owners of a new group. */
async function transfersIn(
  node: VerifyContext["node"],
  { id, isPart }: PartOfLog,
  entries: readonly SignedEntry[],
): Promise<readonly OwnerTransfer[]> {
  const all = entries.map((entry): StoredEntry => ({ ...entry, isListed: true }));
  const create = isPart ? undefined : all.find(({ hash }) => logIdOf(hash) === id);
  const begun = create && beginLog(create);
  const log = begun && withEntries(begun, all).log;
  const mayBePassed = log === undefined ? all.some(({ entry }) => entry.change.op === "owner") : log.fold.group.pending !== undefined;
  if (!mayBePassed) return [];
  const { transfersOf, transfersOfPart } = await import("../node/transfers-of-log.ts");
  return log === undefined ? transfersOfPart(node, id, all) : transfersOf(node, log);
}

/** Hashes of entries whose devices the chain does not list; of very many devices the ones of the last entries are looked up. */
async function unlistedOf({ account, directory }: VerifyContext, entries: readonly SignedEntry[]): Promise<readonly string[]> {
  const answers = new Map<string, boolean>([[`${account.masterPub} ${account.devicePub}`, true]]);
  const unlisted: string[] = [];
  for (const { hash, entry } of [...entries].reverse()) {
    const { author, device } = entry;
    const name = `${author} ${device}`;
    const isListed = answers.get(name) ?? (answers.size < MAX_LOOKUPS && (await directory.holds(author, device)));
    answers.set(name, isListed);
    if (!isListed) unlisted.push(hash);
  }
  return unlisted;
}
