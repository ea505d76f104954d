// Puts the security policies in force: own protocol, permissions, navigation, links that leave.
import { app, dialog, net, protocol, session, shell } from "electron";
import { APPROVAL_PARTITION, isApprovalUrl, serveApproval } from "./confirmation/approval-page.ts";
import { type AppProtocolOptions, handleAppProtocol } from "./protocol/app-protocol.ts";
import { isPermissionAllowed } from "./security/permissions.ts";
import { isExternalUrl } from "./security/trusted-url.ts";
import { confineNavigation } from "./windows/create-window.ts";

/** Call once, before the first window. */
export function installSecurity(options: Omit<AppProtocolOptions, "fetch">): void {
  session.defaultSession.setPermissionRequestHandler((_, permission, allow, details) =>
    allow(isPermissionAllowed(permission, details.requestingUrl, "mediaTypes" in details ? details.mediaTypes : [])),
  );
  session.defaultSession.setPermissionCheckHandler((_, permission, origin, { mediaType }) =>
    isPermissionAllowed(permission, `${origin}/`, mediaType === undefined ? [] : [mediaType]),
  );
  session.defaultSession.setDevicePermissionHandler(() => false);
  handleAppProtocol(protocol, {
    ...options,
    fetch: (url, init) => net.fetch(url, { ...init, bypassCustomProtocolHandlers: true }),
  });
  confineApprovals();
  app.on("web-contents-created", (_, contents) => confineNavigation(contents, (url) => void openExternal(url)));
}

/** The approval window's session: its document and its style, no network, no permission. */
function confineApprovals(): void {
  const approvals = session.fromPartition(APPROVAL_PARTITION);
  approvals.protocol.handle("app", ({ url }) => serveApproval(url));
  approvals.webRequest.onBeforeRequest(({ url }, respond) => respond({ cancel: !isApprovalUrl(url) }));
  approvals.setPermissionRequestHandler((_contents, _permission, allow) => allow(false));
  approvals.setPermissionCheckHandler(() => false);
  approvals.setDevicePermissionHandler(() => false);
  approvals.setSpellCheckerEnabled(false);
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
