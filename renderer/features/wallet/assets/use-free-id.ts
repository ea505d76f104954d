// Whether the id of a new token or NFT may be had; the chain is asked once one pauses.
import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type NodeQuery, unlessUnknown } from "#renderer/lib/node/queries.ts";
import { isAssetId } from "#shared/protocol/primitives/asset-rules.ts";

const DEBOUNCE_MS = 250;

/** A typed id: free, or what is wrong with it. Neither while the chain is asked. */
export interface TypedId {
  readonly isFree: boolean;
  readonly problem: string | undefined;
}

/** Checks an id; `queryOf` asks for what has it, which fails with NOT_FOUND for a free one. */
export function useFreeId(id: string, queryOf: (id: string) => NodeQuery<unknown>): TypedId {
  const t = useMessages();
  const asked = useDebounced(id, DEBOUNCE_MS);
  const { queryKey, queryFn } = queryOf(asked);
  const { data } = useQuery({
    queryKey: [...queryKey, "is-free"],
    queryFn: async (context) => (await unlessUnknown(queryFn(context))) === undefined,
    enabled: isAssetId(asked),
  });
  if (id === "") return { isFree: false, problem: undefined };
  if (!isAssetId(id)) return { isFree: false, problem: t("assets.idWrong") };
  if (asked !== id || data === undefined) return { isFree: false, problem: undefined };
  return { isFree: data, problem: data ? undefined : t("assets.idTaken", { id }) };
}
