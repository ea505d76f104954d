// Checks the entries of a group's log that came with a content, before the store is changed: their signatures, and for what a group does
// not know yet the device at the chain. Loaded with the first such content.

import type { GroupId } from "#shared/content/group-content.ts";
import { decodeSignedEntry, isGenuineEntry, type SignedEntry } from "#shared/protocol/groups/signed-entry.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupConversation } from "../model/conversation-id.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Devices that are looked up for one content. */
const MAX_LOOKUPS = 64;

type VerifyContext = Pick<EngineContext, "account" | "node" | "directory" | "registry">;

/**
 * Hashes of the entries that a person has sent whose devices the chain does not list; undefined when one is no entry, or not genuine.
 * @throws the directory's error when a device cannot be looked up now: the envelope then stays in the mailbox.
 */
export async function verifyLog(
  context: VerifyContext,
  { id, from }: { readonly id: GroupId; readonly from: PublicKeyHex },
  texts: readonly string[],
): Promise<readonly string[] | undefined> {
  const { node, registry } = context;
  const { group } = registry.get(groupConversation(id));
  const known = new Set(group?.log?.entries);
  const doubted = new Set(group?.log?.unlisted);
  const fresh = texts.map(decodeSignedEntry).filter((entry) => entry === undefined || !known.has(entry.text) || doubted.has(entry.hash));
  const chainIds = [node.chainId, ...(node.previousChainId === undefined ? [] : [node.previousChainId])];
  const certified = new Set<string>();
  // One that is wrong ends the work: nobody makes a device check hundreds of signatures that are none.
  if (!fresh.every((entry) => entry !== undefined && isGenuineEntry(entry, chainIds, certified))) return undefined;
  return from === context.account.masterPub ? [] : unlistedOf(context, fresh as readonly SignedEntry[]);
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
