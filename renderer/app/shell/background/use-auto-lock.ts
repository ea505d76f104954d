// Sets when the keyring locks by itself, and reports that the user is present.
import { useEffect } from "react";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";

const MINUTE_MS = 60_000;
/** Presence is reported at most this often. */
const TOUCH_INTERVAL_MS = 10_000;
const EVENTS = ["pointerdown", "keydown", "wheel"] as const;

/** Applies the settings and reports activity. */
export function useAutoLock(): void {
  const keyring = useKeyring();
  const walletMinutes = useSettings((settings) => settings.walletLockMinutes);
  const fullMinutes = useSettings((settings) => settings.fullLockMinutes);
  useEffect(() => {
    void keyring.setAutoLock({ walletIdleMs: idleMs(walletMinutes), fullIdleMs: idleMs(fullMinutes) });
  }, [keyring, walletMinutes, fullMinutes]);
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

function idleMs(minutes: number): number | null {
  return minutes === 0 ? null : minutes * MINUTE_MS;
}
