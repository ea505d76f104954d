// Publishes this identity's keys as soon as the fees can be paid: REGISTER_KEY once, LINK_DEVICE for this device. Runs while the wallet
// is unlocked; what is missing is read from the chain, so nothing is paid twice.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAccount, useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { deviceNameOf } from "#renderer/lib/profile/device-name.ts";
import { useChosenName } from "#renderer/lib/profile/profile-store.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { Intent } from "#shared/keyring/intents.ts";
import { MIN_FEE_UT } from "#shared/protocol/limits.ts";
import { missingRegistration, useRegistrationStore } from "./registration-store.ts";

/** Keeps publishing what is missing. */
export function useRegistration(): void {
  const account = useAccount();
  const { status } = useKeyringValue();
  const queries = useNodeQueries();
  const name = useChosenName(account.masterPub);
  const send = useSendIntent();
  const identity = useQuery(queries.identity(account.masterPub)).data;
  const devices = useQuery(queries.devices(account.masterPub)).data;
  const balance = useQuery(queries.balance(account.masterPub)).data;
  const { submitted, attempt } = useRegistrationStore();
  const missing = missingRegistration(identity, devices, account.devicePub);
  const next = missing.find((step) => !submitted.includes(`${account.devicePub}:${step}`));
  const canPay = balance !== undefined && balance.balanceUt >= MIN_FEE_UT * missing.length;
  const isReady = next !== undefined && canPay && status?.state === "unlocked";
  useEffect(() => {
    if (!isReady || next === undefined) return;
    const intent: Intent =
      next === "registerKey"
        ? { kind: "registerKey", ...(name !== undefined && name !== "" && { nickname: name }) }
        : { kind: "linkDevice", deviceName: deviceNameOf(navigator.userAgent) };
    void attempt(`${account.devicePub}:${next}`, () => send(intent));
  }, [isReady, next, name, send, attempt, account.devicePub]);
}
