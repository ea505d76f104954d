// Gives a new vault its idle times, and reports that the user is present.
import { useEffect } from "react";
import { type AppKeyring, useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { idleMsOf } from "#renderer/lib/keyring/use-auto-lock-choice.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";

/** Of the wallet. */
const DEFAULT_MINUTES = 15;
/** Presence is reported at most this often. */
const TOUCH_INTERVAL_MS = 10_000;
const EVENTS = ["pointerdown", "keydown", "wheel"] as const;

/** Chooses once and reports activity. */
export function useAutoLock(): void {
  const keyring = useKeyring();
  useEffect(() => {
    void chooseOnce(keyring);
  }, [keyring]);
  useEffect(() => {
    let lastMs = 0;
    const touch = (): void => {
      const now = performance.now();
      if (now - lastMs < TOUCH_INTERVAL_MS) return;
      lastMs = now;
      void keyring.touch();
    };
    for (const event of EVENTS) window.addEventListener(event, touch, { passive: true });
    return (): void => {
      for (const event of EVENTS) window.removeEventListener(event, touch);
    };
  }, [keyring]);
}

/** A vault without a choice gets the default, or what an earlier version stored in the browser, as far as no one has to be asked. */
async function chooseOnce(keyring: AppKeyring): Promise<void> {
  const { isChosen } = await keyring.autoLock();
  if (isChosen) return;
  const { walletLockMinutes, fullLockMinutes } = useSettings.getState() as { walletLockMinutes?: unknown; fullLockMinutes?: unknown };
  const wallet = typeof walletLockMinutes === "number" && walletLockMinutes > 0 ? walletLockMinutes : DEFAULT_MINUTES;
  const full = typeof fullLockMinutes === "number" ? fullLockMinutes : 0;
  await keyring.setAutoLock({ walletIdleMs: idleMsOf(Math.min(wallet, DEFAULT_MINUTES)), fullIdleMs: idleMsOf(full) });
}
