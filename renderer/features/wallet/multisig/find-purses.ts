// Finding the multisigs of an account: contracts with their interface, the newest first, that name it among their members. Anyone can deploy
// as many of those as they pay for, so those of oneself and of contacts are asked first, and the others so many at a time.
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { type Older, useOlder } from "#renderer/lib/node/lists/use-older.ts";
import { usePaged } from "#renderer/lib/node/lists/use-paged.ts";
import { query } from "#renderer/lib/node/queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import { nearestFirst } from "#renderer/lib/people/contacts/nearest-first.ts";
import { useContactKeys } from "#renderer/lib/people/contacts/use-is-contact.ts";
import type { CallOptions, NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { methodNames, readMembers } from "./purses.ts";

/** Contracts of a page, and pages that are looked through by themselves. */
const PAGE = 500;
const FIRST_PAGES = 4;
/** Contracts with that interface that are asked for their members at once. */
const MAX_PURSES = 50;
/** Members of one are asked for again after this time at the earliest; those that are shown are followed live. */
const MEMBERS_STALE_MS = 60_000;

interface Candidate {
  readonly id: ContractId;
  readonly deployer: PublicKeyHex;
}

interface CandidatePage {
  readonly candidates: readonly Candidate[];
  readonly next_after?: string | undefined;
}

/** What was found, and how to look further. */
export interface FoundPurses {
  /** Of oneself first, then of contacts, then the newest. */
  readonly ids: readonly ContractId[];
  /** The list of contracts. */
  readonly query: Pick<UseQueryResult, "data" | "error" | "refetch" | "isFetching">;
  readonly isLoading: boolean;
  readonly older: Older;
}

/** Multisigs of which an account is a member. */
export function useFoundPurses(account: PublicKeyHex): FoundPurses {
  const { client } = useNode();
  const contacts = useContactKeys();
  const pages = usePaged([...queryKeys.allContracts, "multisigs"], (after, call) => readPage(client, after, call));
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = pages;
  const read = data?.pages.length ?? 0;
  const wantsMore = read > 0 && read < FIRST_PAGES && hasNextPage && !isFetchingNextPage && !isError;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  const all = (data?.pages ?? []).flatMap(({ candidates }) => candidates);
  const candidates = nearestFirst(all, ({ deployer }) => deployer, { me: account, contacts });
  const { most, older } = useOlder(pages, candidates.length, MAX_PURSES);
  const asked = candidates.slice(0, most);
  const members = useQueries({
    // Under a key of its own: a call of any contract would have all of them be asked again.
    queries: asked.map(({ id }) => ({
      ...query(["multisig-members", id], (call) => readMembers(client, id, call)),
      staleTime: MEMBERS_STALE_MS,
    })),
  });
  const ids = asked.filter((_, index) => members[index]?.data?.includes(account) === true).map(({ id }) => id);
  const isLoading = pages.isPending || wantsMore || members.some(({ isPending }) => isPending);
  return { ids, query: pages, isLoading, older };
}

async function readPage(client: NodeClient, after: { readonly after?: string }, call: CallOptions): Promise<CandidatePage> {
  const { abiJson } = await import("virtual:contracts/multisig");
  const methods = methodNames(JSON.parse(abiJson));
  const { contracts, next_after } = await client.listContracts({ limit: PAGE, order: "desc", ...after }, call);
  const alike = contracts.filter(({ abi }) => methodNames(abi) === methods);
  return { candidates: alike.map(({ contract_id: id, deployer_pub: deployer }) => ({ id, deployer })), next_after };
}
