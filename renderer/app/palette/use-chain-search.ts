// What the node finds for the text of the palette: asked once one pauses typing, and shown for the very text that was asked.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowRightLeft, AtSign, Blocks, Coins, FileCode2, Gem, UserRound } from "lucide-react";
import { useMemo } from "react";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import type { Command } from "#renderer/lib/commands/command-store.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { dataOfInvite } from "#renderer/lib/people/group-invite.ts";
import type { SearchResult } from "#shared/api/schemas/search.ts";

/** Hits of each group. */
const LIMIT = 4;
/** Shorter than between two keys of a quick hand: a request costs the node a millisecond. */
const DEBOUNCE_MS = 50;
const MAX_CHARS = 128;
const NOTHING: readonly Command[] = [];

type Navigate = ReturnType<typeof useNavigate>;

/** Commands that lead to what the node found; none without a text. */
export function useChainSearch(text: string): readonly Command[] {
  const t = useMessages();
  const navigate = useNavigate();
  const { client } = useNode();
  // What is behind the # of an invite link is for no node.
  const wanted = dataOfInvite(text) === undefined ? text.trim().slice(0, MAX_CHARS) : "";
  const query = useDebounced(wanted, DEBOUNCE_MS);
  const { data } = useQuery({
    queryKey: ["search", query],
    queryFn: ({ signal }) => client.search({ q: query, limit: LIMIT }, { signal }),
    enabled: query !== "",
    retry: false,
    staleTime: 5_000,
  });
  const isOfText = query !== "" && query === wanted;
  return useMemo(() => (isOfText && data !== undefined ? searchCommands(data, t, navigate) : NOTHING), [isOfText, data, t, navigate]);
}

/** Hits as commands, in the order in which they are likeliest meant. */
export function searchCommands(result: SearchResult, t: Translate, navigate: Navigate): readonly Command[] {
  return [
    ...people(result, t, navigate),
    ...result.blocks.map(
      ({ index, hash }): Command => ({
        id: `found:block:${index}`,
        group: "chain",
        label: t("explorer.blockTitle", { height: index }),
        detail: shorten(hash),
        icon: Blocks,
        run: () => void navigate({ to: "/explorer/block/$height", params: { height: String(index) } }),
      }),
    ),
    ...result.transactions.map(
      ({ id, amount }): Command => ({
        id: `found:tx:${id}`,
        group: "chain",
        label: t("explorer.transactionTitle", { id: shorten(id) }),
        detail: amount,
        icon: ArrowRightLeft,
        run: () => void navigate({ to: "/explorer/tx/$id", params: { id } }),
      }),
    ),
    ...contracts(result, t, navigate),
  ];
}

function people(result: SearchResult, t: Translate, navigate: Navigate): readonly Command[] {
  const open = (account: string): void => void navigate({ to: "/explorer/address/$account", params: { account } });
  return [
    ...result.usernames.map(
      ({ username, address, pub_key: key }): Command => ({
        id: `found:username:${username}`,
        group: "chain",
        label: `@${username}`,
        detail: shorten(address),
        icon: AtSign,
        run: () => open(key),
      }),
    ),
    ...result.accounts.map(
      ({ address, nickname, pub_key: key }): Command => ({
        id: `found:account:${key}`,
        group: "chain",
        label: nickname.trim() === "" ? t("shell.jumpAddress", { address: shorten(address) }) : nickname,
        detail: shorten(address),
        icon: UserRound,
        run: () => open(key),
      }),
    ),
  ];
}

function contracts(result: SearchResult, t: Translate, navigate: Navigate): readonly Command[] {
  return [
    ...result.contracts.map(
      ({ contract_id: id, name }): Command => ({
        id: `found:contract:${id}`,
        group: "chain",
        label: t("explorer.contractTitle", { name }),
        detail: id,
        icon: FileCode2,
        run: () => void navigate({ to: "/explorer/contract/$id", params: { id } }),
      }),
    ),
    ...result.tokens.map(
      ({ token_id: id, name, symbol }): Command => ({
        id: `found:token:${id}`,
        group: "chain",
        label: t("explorer.tokenTitle", { name }),
        detail: symbol,
        icon: Coins,
        run: () => void navigate({ to: "/explorer/token/$id", params: { id } }),
      }),
    ),
    ...result.nfts.map(
      ({ nft_id: id, name }): Command => ({
        id: `found:nft:${id}`,
        group: "chain",
        label: t("explorer.nftTitle", { name }),
        detail: id,
        icon: Gem,
        run: () => void navigate({ to: "/explorer/nft/$id", params: { id } }),
      }),
    ),
  ];
}
