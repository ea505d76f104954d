// The account's transactions, for connections that may see its history.
import type { NodeClient } from "#shared/api/client.ts";
import type { AppResponse } from "#shared/apps/api/apps-endpoints.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { entriesOfBlock, type FeedEntry } from "../chain/chain-reads.ts";
import type { ChainWatch } from "../chain/chain-watch.ts";
import { ownAccount, unixSeconds } from "../chain/own-account.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { AppHandlers, AppReply } from "../http/app-handlers.ts";
import type { GatewayServices } from "../services.ts";

const DEFAULT_ENTRIES = 50;

/** Handler of `/apps/v1/history`. */
export function historyHandlers(
  { keyring, node }: GatewayServices,
  watch: ChainWatch,
  { feedPage }: Pick<GatewayLimits, "feedPage">,
): Pick<AppHandlers, "getHistory"> {
  return {
    getHistory: async ({ query }): Promise<AppReply<"getHistory">> => {
      const { masterPub } = await ownAccount(keyring, watch);
      const { limit = DEFAULT_ENTRIES, before } = query;
      const { entries, hasMore } = await readBlocks(node.client, masterPub, { feedPage, ...(before === undefined ? {} : { before }) });
      const last = entries[limit - 1]?.block_index;
      const page = last === undefined ? entries : entries.filter(({ block_index: height }) => height >= last);
      const next = page.length < entries.length || hasMore ? page.at(-1)?.block_index : undefined;
      return { body: { entries: page.map(describe), next_before: next ?? null } };
    },
  };
}

/** The newest transactions below a block, in whole blocks. */
async function readBlocks(
  client: NodeClient,
  account: PublicKeyHex,
  { feedPage, before }: { readonly feedPage: number; readonly before?: number },
): Promise<{ readonly entries: readonly FeedEntry[]; readonly hasMore: boolean }> {
  const below = before === undefined ? {} : { before_block: before };
  const { transactions } = await client.getAccountFeed({ account_id: account, limit: feedPage, order: "desc", ...below });
  const last = transactions.at(-1);
  if (last === undefined || transactions.length < feedPage) return { entries: transactions, hasMore: false };
  const whole = transactions.filter(({ block_index: height }) => height > last.block_index);
  // A single block holds more than a page.
  return { entries: whole.length > 0 ? whole : (await entriesOfBlock(client, account, last.block_index)).toReversed(), hasMore: true };
}

function describe(entry: FeedEntry): AppResponse<"getHistory">["entries"][number] {
  const { id, block_index: height, time, type, from, to, amount_ut, fee_ut, memo, status } = entry;
  const at = unixSeconds(Date.parse(time));
  return { id, height, at, type, from, to, amount_ut, fee_ut, memo, state: status === "failed" ? "failed" : "committed" };
}
