// Gives the gateway for programs a port to this page's messenger while both run. A gateway that starts again, and a page that reloads, get
// a new one. Renders nothing.
import { useEffect } from "react";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useAppsState } from "#renderer/lib/desktop/use-apps-state.ts";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";

/** Does nothing in a browser. */
export function ProgramMessages(): null {
  const messenger = useMessenger();
  const gateway = useAppsState().data?.gateway.kind;
  useEffect(() => {
    const desktop = desktopApi();
    if (desktop === undefined || messenger === undefined || gateway !== "ready") return undefined;
    let isOver = false;
    let stop = (): void => undefined;
    // Loaded where programs may ask alone.
    import("./serve-program-messages.ts").then(
      ({ serveProgramMessages }) => {
        if (!isOver) stop = serveProgramMessages(desktop, messenger);
      },
      () => undefined,
    );
    return (): void => {
      isOver = true;
      stop();
    };
  }, [messenger, gateway]);
  return null;
}
