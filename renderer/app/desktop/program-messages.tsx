// Gives the gateway for programs a port to this page's messenger while both run. A gateway that starts again, and a page that reloads, get
// a new one. Renders nothing.
import { useEffect } from "react";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useAppsState } from "#renderer/lib/desktop/use-apps-state.ts";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { serveProgramMessages } from "./serve-program-messages.ts";

/** Does nothing in a browser. */
export function ProgramMessages(): null {
  const messenger = useMessenger();
  const gateway = useAppsState().data?.gateway.kind;
  useEffect(() => {
    const desktop = desktopApi();
    if (desktop === undefined || messenger === undefined || gateway !== "ready") return undefined;
    return serveProgramMessages(desktop, messenger);
  }, [messenger, gateway]);
  return null;
}
