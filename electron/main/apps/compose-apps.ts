// Builds what the shell has for programs.
import { app, BrowserWindow, MessageChannelMain, utilityProcess } from "electron";
import { APPS_PATH, type DesktopAppsEvent } from "#shared/desktop/desktop-apps.ts";
import { hostClock, hostTimers } from "#shared/util/host.ts";
import type { WindowLanguage } from "../confirmation/confirmation-types.ts";
import { windowLanguage } from "../confirmation/window-language.ts";
import type { EndpointFile } from "../files/endpoint-file.ts";
import { gatewayEnvironment, sessionFolder } from "../files/environment.ts";
import { PROGRAM } from "../files/paths.ts";
import type { RotatingLog } from "../files/rotating-log.ts";
import type { SettingsFile } from "../files/settings-file.ts";
import type { KeyringProcess } from "../processes/keyring-process.ts";
import { createApprovalWindow } from "../windows/create-window.ts";
import { AppNotices, type AppNoticesOptions } from "./app-notices.ts";
import { ApprovalWindow } from "./approval-window.ts";
import { AppsDesk } from "./apps-desk.ts";
import { GatewayHost } from "./gateway-host.ts";
import { startGatewayProcess } from "./gateway-process.ts";
import { KeyringApps } from "./keyring-apps.ts";

export interface AppsParts {
  readonly log: RotatingLog;
  readonly settings: SettingsFile;
  readonly endpoint: EndpointFile;
  readonly keyring: KeyringProcess;
  readonly showNotification: AppNoticesOptions["show"];
  /** Where the interface is notified, and shown. */
  readonly desktop: () => { tell(event: DesktopAppsEvent): void; show(path: string): void };
}

/** Nothing is started yet. */
export function composeApps({ log, settings, endpoint, keyring, showNotification, desktop }: AppsParts): AppsDesk {
  const createChannel = (): MessageChannelMain => new MessageChannelMain();
  const language = (): WindowLanguage => windowLanguage(settings.settings, app.getLocale());
  const watched: KeyringApps = new KeyringApps({
    createChannel,
    startKeyring: () => keyring.start(),
    connectKeyring: (port) => keyring.connectApps("watch", port),
    onChange: (overview) => apps.changed(overview),
    clock: hostClock,
    timers: hostTimers,
  });
  const gateway: GatewayHost = new GatewayHost({
    createChannel,
    start: () =>
      startGatewayProcess({
        utilityProcess,
        entry: PROGRAM.gateway,
        profile: app.getPath("userData"),
        sessionFolder: sessionFolder(),
        environment: gatewayEnvironment(),
        log: (text) => log.write(text),
      }),
    connectKeyring: (port) => keyring.connectApps("gateway", port),
    onServing: (served) => endpoint.setApps(served ?? null),
    onState: () => apps.changed(),
    timers: hostTimers,
  });
  const window: ApprovalWindow = new ApprovalWindow({
    openWindow: () => createApprovalWindow(BrowserWindow, PROGRAM.approvalPreload),
    createChannel,
    connectKeyring: (port) => keyring.connectApps("approval", port),
    language,
    read: () => watched.read(),
    last: () => watched.overview,
    clock: hostClock,
  });
  const notices: AppNotices = new AppNotices({
    show: showNotification,
    preview: () => settings.settings.notifications,
    language,
    open: () => desktop().show(APPS_PATH),
  });
  const onChange = (state: AppsDesk["state"]): void => desktop().tell({ type: "apps", state });
  const apps: AppsDesk = new AppsDesk({ gateway, keyring: watched, window, notices, onChange });
  return apps;
}
