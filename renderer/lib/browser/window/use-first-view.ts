// Reports when the window has something to look at: what is not needed for it comes after it.
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** A view whose code is slow to come holds nothing else up for longer. */
const AT_LATEST_MS = 1_000;

/** False until the first view is drawn. */
export function useFirstView(): boolean {
  const isDrawn = useRouterState({ select: ({ status, resolvedLocation }) => status === "idle" && resolvedLocation !== undefined });
  const [hasBegun, setBegun] = useState(false);
  if (isDrawn && !hasBegun) setBegun(true);
  useEffect(() => {
    const timer = setTimeout(() => setBegun(true), AT_LATEST_MS);
    return (): void => clearTimeout(timer);
  }, []);
  return hasBegun;
}
