// What is missing on the chain of this identity, and whether it can be paid.

import { useQuery } from "@tanstack/react-query";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useWasListed } from "#renderer/lib/profile/profile-store.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { missingRegistration, type RegistrationStep } from "./registration-store.ts";

/** Missing steps with their cost. */
export interface MissingRegistration {
  readonly steps: readonly RegistrationStep[];
  readonly costUt: AmountUt;
  /** Undefined until the balance is known. */
  readonly canPay: boolean | undefined;
  readonly isListed: boolean;
}

/** What is missing now. */
export function useMissingRegistration(): MissingRegistration {
  const { masterPub, devicePub } = useAccount();
  const queries = useNodeQueries();
  const leastFeeUt = useLeastFee();
  const wasListed = useWasListed(devicePub);
  const identity = useQuery(queries.identity(masterPub)).data;
  const devices = useQuery(queries.devices(masterPub)).data;
  const balance = useQuery(queries.balance(masterPub)).data;
  const steps = missingRegistration({ identity, devices, devicePub, wasListed });
  const costUt = leastFeeUt * steps.length;
  return {
    steps,
    costUt,
    canPay: balance === undefined ? undefined : balance.balanceUt >= costUt,
    isListed: devices?.some((device) => device.x25519_pub_key === devicePub) ?? false,
  };
}
