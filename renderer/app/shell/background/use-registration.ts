// Publishes this identity's keys as soon as the fees can be paid: REGISTER_KEY once, LINK_DEVICE for this device unless it was unlinked.
// Runs while the wallet is unlocked; what is missing is read from the chain, so nothing is paid twice.
import { useEffect } from "react";
import { useAccount, useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { deviceNameOf } from "#renderer/lib/profile/device-name.ts";
import { useChosenName, useProfiles } from "#renderer/lib/profile/profile-store.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import { useRegistrationStore } from "./registration-store.ts";
import { useMissingRegistration } from "./use-missing-registration.ts";

/** Keeps publishing what is missing. */
export function useRegistration(): void {
  const { masterPub, devicePub } = useAccount();
  const { status } = useKeyringValue();
  const name = useChosenName(masterPub);
  const send = useSendIntent();
  const markListed = useProfiles((profiles) => profiles.markListed);
  const { submitted, attempt } = useRegistrationStore();
  const { steps, canPay, isListed } = useMissingRegistration();
  const next = steps.find((step) => !submitted.includes(`${devicePub}:${step}`));
  const isReady = next !== undefined && canPay === true && status?.state === "unlocked";
  useEffect(() => {
    if (isListed) markListed(devicePub);
  }, [isListed, markListed, devicePub]);
  useEffect(() => {
    if (!isReady || next === undefined) return;
    const intent: Intent =
      next === "registerKey"
        ? { kind: "registerKey", ...(name !== undefined && name !== "" && { nickname: name }) }
        : { kind: "linkDevice", deviceName: deviceNameOf(navigator.userAgent) };
    void attempt(`${devicePub}:${next}`, () => send(intent));
  }, [isReady, next, name, send, attempt, devicePub]);
}
