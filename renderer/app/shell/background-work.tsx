// Work that goes on behind every view: live updates, submitted transactions, publishing one's keys, locking when idle, loading views ahead.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { followChain } from "#renderer/lib/node/live-updates.ts";
import { useNode } from "#renderer/lib/node/node-context.tsx";
import { useKeepNames } from "#renderer/lib/people/use-keep-names.ts";
import { useOpenNotes } from "#renderer/lib/people/use-open-notes.ts";
import { useFollowPending } from "#renderer/lib/transactions/use-pending.ts";
import { useAutoLock } from "./use-auto-lock.ts";
import { useOutcomes } from "./use-outcomes.ts";
import { usePreloadedViews } from "./use-preloaded-views.ts";
import { useRegistration } from "./use-registration.ts";

/** Renders nothing. */
export function BackgroundWork(): null {
  const { live } = useNode();
  const queryClient = useQueryClient();
  useEffect(() => followChain(live, queryClient), [live, queryClient]);
  useFollowPending();
  useOutcomes();
  useRegistration();
  useOpenNotes();
  useKeepNames();
  useAutoLock();
  usePreloadedViews();
  return null;
}
