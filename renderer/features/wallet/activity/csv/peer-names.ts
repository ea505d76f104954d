// Names that the people of many entries have published, for files: of all of them, also of those whose rows were never drawn.
import { readNames } from "#renderer/lib/node/access/names-text.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import type { ActivityItem } from "../activity-item.ts";

/**
 * Names by key, safe to show; "" for a person without one. `readText` gives them as {@link readNames} takes them.
 * @throws whatever `readText` throws
 */
export async function readPeerNames(
  items: readonly Pick<ActivityItem, "peer">[],
  readText: (peers: readonly PublicKeyHex[]) => Promise<string>,
): Promise<ReadonlyMap<PublicKeyHex, string>> {
  const peers = [...new Set(items.flatMap(({ peer }) => peer ?? []))];
  if (peers.length === 0) return new Map();
  return new Map(readNames(await readText(peers)).map(([key, name]) => [key, visibleText(name)]));
}
