// Puts the security policies in force: own protocol, permissions, navigation, links that leave.
import { app, dialog, net, protocol, session, shell } from "electron";
import { type AppProtocolOptions, handleAppProtocol } from "./protocol/app-protocol.ts";
import { isPermissionAllowed } from "./security/permissions.ts";
import { isExternalUrl } from "./security/trusted-url.ts";
import { confineNavigation } from "./windows/create-window.ts";

/** Call once, before the first window. */
export function installSecurity(options: Omit<AppProtocolOptions, "fetch">): void {
  session.defaultSession.setPermissionRequestHandler((_, permission, allow, details) =>
    allow(isPermissionAllowed(permission, details.requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler((_, permission, origin) => isPermissionAllowed(permission, `${origin}/`));
  session.defaultSession.setDevicePermissionHandler(() => false);
  handleAppProtocol(protocol, {
    ...options,
    fetch: (url, init) => net.fetch(url, { ...init, bypassCustomProtocolHandlers: true }),
  });
  app.on("web-contents-created", (_, contents) => confineNavigation(contents, (url) => void openExternal(url)));
}

/** Asks before anything opens outside, and shows the whole address. */
async function openExternal(url: string): Promise<void> {
  if (!isExternalUrl(url)) return;
  const { response } = await dialog.showMessageBox({
    type: "question",
    message: "Open this address in your browser?",
    detail: url,
    buttons: ["Open", "Cancel"],
    defaultId: 1,
    cancelId: 1,
  });
  if (response === 0) await shell.openExternal(url);
}
