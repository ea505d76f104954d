// The right side while no conversation is chosen. Coming back from another view, the chat that was open is opened again.
import { Navigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { Blank } from "./model/blank/blank.tsx";
import { useInboxStore } from "./model/inbox-store.ts";
import { NotRunning } from "./model/not-running.tsx";

/** A friendly blank, or the way back. */
export function NothingChosen(): ReactElement {
  const open = useInboxStore((store) => store.open);
  const phase = useMessengerValue((messenger) => messenger.phase);
  if (open !== null) return <Navigate to="/inbox/$conversation" params={{ conversation: open }} replace />;
  return phase === "otherTab" || phase === "failed" ? <NotRunning /> : <Blank />;
}
