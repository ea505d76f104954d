// When the keyring locks by itself: the choice is in the vault, where a page cannot reach it alone.
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { AutoLockSettings, AutoLockState } from "#shared/keyring/keyring-api.ts";
import { useConfirmed } from "./confirm-context.tsx";
import { useKeyring } from "./keyring-context.tsx";

/** Choices for the idle times, minutes; 0 never. */
export const AUTO_LOCK_MINUTES = [1, 5, 15, 60, 240, 0] as const;

const KEY = ["autoLock"];
const MINUTE_MS = 60_000;

/** Idle time of a choice. */
export function idleMsOf(minutes: number): number | null {
  return minutes === 0 ? null : minutes * MINUTE_MS;
}

/** Choice of an idle time. */
export function minutesOf(idleMs: number | null): number {
  return idleMs === null ? 0 : Math.round(idleMs / MINUTE_MS);
}

/** The idle times in force, and the way to change them: locking later asks for the password. */
export function useAutoLockChoice(): {
  readonly current: UseQueryResult<AutoLockState>;
  readonly change: (next: AutoLockSettings) => void;
  readonly error: Error | null;
} {
  const keyring = useKeyring();
  const confirmed = useConfirmed();
  const queryClient = useQueryClient();
  const current = useQuery({ queryKey: KEY, queryFn: () => keyring.autoLock() });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (next: AutoLockSettings) =>
      confirmed((password) => keyring.setAutoLock({ ...next, ...(password !== undefined && { password }) })),
    onSuccess: (state) => queryClient.setQueryData(KEY, state),
  });
  // Nothing is switched off meanwhile: the focus returns to the choice when the question for the password goes.
  const change = (next: AutoLockSettings): void => {
    if (!isPending) mutate(next);
  };
  return { current, change, error };
}
