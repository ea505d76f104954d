// Public memos of the listed payments, a page at a time as the list grows. The history itself has none.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ActivityItem } from "../activity-item.ts";
import { memoInRow } from "./memo-in-row.ts";
import { readMemos } from "./read-memos.ts";

const NONE: ReadonlyMap<string, string> = new Map();

/** Memos by transaction, safe to show; none of entries without one, and none at all where the node does not have them. */
export function useMemos(account: PublicKeyHex, items: readonly ActivityItem[]): ReadonlyMap<string, string> {
  const { client } = useNode();
  // A memo never changes: what was read is not read again.
  const read = useRef(new Map<string, string>());
  const payments = items.filter(({ kind, state }) => kind === "transfer" && (state.kind === "inBlock" || state.kind === "failed"));
  const { data } = useQuery({
    queryKey: [...queryKeys.account(account), "memos", payments.length, payments[0]?.id, payments.at(-1)?.id],
    queryFn: async (): Promise<ReadonlyMap<string, string>> => {
      const fresh = payments.filter(({ id }) => !read.current.has(id));
      const memos = await readMemos(client, account, fresh);
      for (const { id } of fresh) read.current.set(id, memoInRow(memos.get(id) ?? ""));
      return new Map([...read.current].filter(([, memo]) => memo !== ""));
    },
    enabled: payments.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return data ?? NONE;
}
