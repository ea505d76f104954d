// Test tokens of development networks.
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { UT_PER_T } from "#shared/protocol/limits.ts";
import { useNode } from "./node-context.tsx";
import { queryKeys } from "./query-keys.ts";

/** What one press gives, µT. */
export const FAUCET_AMOUNT_UT = 100 * UT_PER_T;

/** Asks the faucet to pay an account. Offer it only where `networkInfo.development` is true. */
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
