// The first block of a time or later, found by halving.
import type { NodeClient } from "#shared/api/client.ts";
import type { Height } from "#shared/protocol/chain/header.ts";

/** Height of that block; the one after the newest when all are older. Blocks below `from`, or not held by the node, are not looked at. */
export async function firstHeightSince(client: NodeClient, timeMs: number, from: Height = 0): Promise<Height> {
  const { history } = await client.getStatus({});
  return await firstIn(client, timeMs, Math.max(from, history?.from_height ?? 0));
}

async function firstIn(client: NodeClient, timeMs: number, from: Height): Promise<Height> {
  const timeOf = async (index: Height): Promise<number> => Date.parse((await client.getBlock({ index })).time);
  const [newest] = await client.listBlocks({ limit: 1 });
  if (newest === undefined || from > newest.index) return from;
  if (Date.parse(newest.time) < timeMs) return newest.index + 1;
  if ((await timeOf(from)) >= timeMs) return from;
  // `low` is older, `high` is not.
  let [low, high] = [from, newest.index];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((await timeOf(middle)) >= timeMs) high = middle;
    else low = middle;
  }
  return high;
}
