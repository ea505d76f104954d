// Whether the user may be looking at the window: it is shown and has the focus.
import { useSyncExternalStore } from "react";

const EVENTS = ["focus", "blur", "pageshow"] as const;

/** True while the window is shown and focused. */
export function useWindowActive(): boolean {
  return useSyncExternalStore(subscribe, isActive);
}

function isActive(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

function subscribe(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  for (const event of EVENTS) window.addEventListener(event, listener);
  return () => {
    document.removeEventListener("visibilitychange", listener);
    for (const event of EVENTS) window.removeEventListener(event, listener);
  };
}
