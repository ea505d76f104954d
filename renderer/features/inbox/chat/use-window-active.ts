// Whether the user may be looking at the window: it is shown and has the focus. In the desktop app the shell says so; the page itself
// counts as visible there even behind a hidden window.
import { useEffect, useState, useSyncExternalStore } from "react";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";

const EVENTS = ["focus", "blur", "pageshow"] as const;

/** True while the window is shown and focused. */
export function useWindowActive(): boolean {
  const isPageActive = useSyncExternalStore(subscribe, isActive);
  return useWatched(desktopApi()) && isPageActive;
}

/** What the shell says; false until it has said something, and true where there is no shell. */
function useWatched(desktop: DesktopApi | undefined): boolean {
  const [isWatched, setWatched] = useState(desktop === undefined);
  useEffect(() => {
    if (desktop === undefined) return undefined;
    let hasChanged = false;
    const stop = desktop.onEvent((event) => {
      if (event.type !== "window") return;
      hasChanged = true;
      setWatched(event.window.isWatched);
    });
    // An event is newer than an answer that was on its way.
    desktop.call("state", null).then(
      (state) => {
        if (!hasChanged) setWatched(state.window.isWatched);
      },
      () => undefined,
    );
    return stop;
  }, [desktop]);
  return isWatched;
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
