// What the chain says of the owners of a group whose log one gets: who follows an owner may be the one who has let one in.
import { isCodedError } from "#shared/errors/coded-error.ts";
import { compareEntries, type LogItem } from "#shared/protocol/groups/entry-graph.ts";
import { type GroupLog, withTransfer } from "#shared/protocol/groups/group-log.ts";
import type { EntryHash } from "#shared/protocol/groups/log-entry.ts";
import type { OwnerTransfer } from "#shared/protocol/groups/owner-terms.ts";
import { decodeSignedEntry, isGenuineEntry } from "#shared/protocol/groups/signed-entry.ts";
import type { MessengerNode } from "../model/node-port.ts";

/** Looks for one log. */
const MAX_LOG_LOOKS = 32;

type TransferNode = Pick<MessengerNode, "chainId" | "ownerTransfer">;

/**
 * Height above which the TRANSFER of the last owner lies: that of the one before, or what the creation of the group states. On a chain that
 * continues that one heights begin again.
 */
export function heightBefore({ entries, transfers }: GroupLog, { chainId }: Pick<TransferNode, "chainId">): number {
  const last = transfers.at(-1);
  if (last !== undefined) return last.chainId === chainId ? last.height : 0;
  const create = decodeSignedEntry(entries[0]?.text ?? "");
  return create !== undefined && isGenuineEntry(create, [chainId]) ? create.entry.height : 0;
}

/** All that the chain says; nothing where the node does not hold those blocks. @throws CodedError when it cannot be asked now. */
export async function transfersOf(node: TransferNode, log: GroupLog): Promise<readonly OwnerTransfer[]> {
  let known = log;
  let after = heightBefore(known, node);
  for (let look = 0; look < MAX_LOG_LOOKS && known.fold.group.pending !== undefined; look += 1) {
    const { owner } = known.fold.group;
    const { found, seen, hasMore } = await looked(node, { owner, logId: known.id, after });
    if (found === undefined && !hasMore) break;
    known = found === undefined ? known : withTransfer(known, { owner, chainId: node.chainId, ...found });
    after = found === undefined ? seen : heightBefore(known, node);
  }
  return known.transfers;
}

/**
 * The same of entries of a log that begins in another part of it. Which of those who name an owner was one, the other parts say: any member
 * can write such entries, so each of them is looked up.
 */
export async function transfersOfPart(node: TransferNode, logId: string, entries: readonly LogItem[]): Promise<readonly OwnerTransfer[]> {
  const items = [...entries].sort(compareEntries).filter(({ entry }) => entry.change.op === "owner");
  const named = new Map(items.map((item) => [item.hash, item.entry]));
  const transfers = new Map<EntryHash, OwnerTransfer>();
  const open = [...new Set(items.map(({ entry }) => entry.author))].map((owner) => ({ owner, logId, after: 0 })).reverse();
  for (let look = 0; look < MAX_LOG_LOOKS; look += 1) {
    const wanted = open.pop();
    if (wanted === undefined) break;
    const { found, seen, hasMore } = await looked(node, wanted);
    if (found === undefined && hasMore) open.push({ ...wanted, after: seen });
    // What is known was followed before.
    if (found === undefined || transfers.has(found.entry)) continue;
    transfers.set(found.entry, { owner: wanted.owner, chainId: node.chainId, ...found });
    const change = named.get(found.entry)?.change;
    if (change?.op === "owner") open.push({ owner: change.people[0] ?? "", logId, after: found.height });
  }
  return [...transfers.values()];
}

async function looked(node: TransferNode, wanted: Parameters<TransferNode["ownerTransfer"]>[0]): ReturnType<TransferNode["ownerTransfer"]> {
  try {
    return await node.ownerTransfer(wanted);
  } catch (error) {
    if (!isCodedError(error, "HISTORY_PRUNED")) throw error;
    return { found: undefined, seen: wanted.after, hasMore: false };
  }
}
