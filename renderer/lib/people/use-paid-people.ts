// Whom an account has paid, for views.
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useNode } from "../node/access/node-context.tsx";
import { queryKeys } from "../node/query-keys.ts";
import { NOBODY_PAID, type PaidPeople, readPaidPeople } from "./paid-people.ts";

/** All people whom the account has paid, latest first. Fails closed: without a response no person is known. */
export function usePaidPeople(account: PublicKeyHex): UseQueryResult<PaidPeople> {
  const { client } = useNode();
  const cache = useQueryClient();
  const queryKey = [...queryKeys.account(account), "paid"];
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => readPaidPeople(client, account, cache.getQueryData<PaidPeople>(queryKey) ?? NOBODY_PAID, { signal }),
  });
}
