// Work that is not due before the view is there, loaded apart: what becomes of transactions, publishing one's keys, storing names, loading
// views ahead, and what the lock screen may show.
import { useStoreNames } from "#renderer/lib/people/names/use-store-names.ts";
import { useFollowPending } from "#renderer/lib/transactions/use-pending.ts";
import { useLockFace } from "./use-lock-face.ts";
import { useOutcomes } from "./use-outcomes.ts";
import { usePreloadedViews } from "./use-preloaded-views.ts";
import { useRegistration } from "./use-registration.ts";

/** Shows nothing. */
export function LaterWork(): null {
  useFollowPending();
  useOutcomes();
  useRegistration();
  useStoreNames();
  usePreloadedViews();
  useLockFace();
  return null;
}
