// Test tokens of development networks.
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { UT_PER_T } from "#shared/protocol/primitives/limits.ts";
import { useNode } from "./access/node-context.tsx";
import { useNodeQueries } from "./queries.ts";
import { queryKeys } from "./query-keys.ts";

/** What one press gives, µT. */
export const FAUCET_AMOUNT_UT = 100 * UT_PER_T;

/** True where the node gives test tokens: on development networks, when it has blocks of its own. */
export function useOffersFaucet(): boolean {
  const queries = useNodeQueries();
  const { data: network } = useQuery(queries.networkInfo());
  const { data: status } = useQuery(queries.status());
  return network?.development === true && status !== undefined && status.light === undefined;
}

/** Asks the faucet to pay an account. Offer it only where {@link useOffersFaucet} says so. */
export function useFaucet(): UseMutationResult<void, Error, PublicKeyHex> {
  const { client } = useNode();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (publicKey: PublicKeyHex): Promise<void> => {
      await client.requestFaucet({ body: { to: publicKey, amount_ut: FAUCET_AMOUNT_UT } });
    },
    onSuccess: (_, publicKey) => queries.invalidateQueries({ queryKey: queryKeys.account(publicKey) }),
  });
}
