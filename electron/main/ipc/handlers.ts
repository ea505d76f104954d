// What each call of the interface does.
import { statfs } from "node:fs/promises";
import type { App, BrowserWindow, Dialog } from "electron";
import type { DesktopState } from "#shared/desktop/desktop-api.ts";
import type { DesktopSettings, DesktopSettingsChange } from "#shared/desktop/desktop-settings.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { AppsDesk } from "../apps/apps-desk.ts";
import type { NodeWork, ShellDecision } from "../confirmation/confirmation-types.ts";
import type { DesktopApp } from "../desktop-app.ts";
import { diagnosticsReport } from "../files/diagnostics-report.ts";
import { moveDataFolder } from "../files/move-data-folder.ts";
import type { RotatingLog } from "../files/rotating-log.ts";
import type { PdfFiles } from "../files/save-pdf.ts";
import type { SettingsFile } from "../files/settings-file.ts";
import type { MachineBinding } from "../machine/machine-binding.ts";
import type { KeyringProcess } from "../processes/keyring-process.ts";
import { askNodeForDuty } from "../processes/node-duties.ts";
import type { NodeHost } from "../processes/node-host.ts";
import { type Fetch, isNodeOrigin, probeNode } from "../processes/other-node.ts";
import type { UpdateControl } from "../updates/update-control.ts";
import type { NotificationCenter } from "../windows/notification-center.ts";
import { createAppHandlers } from "./app-calls.ts";
import type { DesktopHandlers } from "./call-router.ts";

/** Lines of the log in the diagnostics. */
const DIAGNOSTIC_LINES = 100;

/** What the calls work on. */
export interface HandlerDependencies {
  readonly app: Pick<App, "getVersion" | "setLoginItemSettings" | "getAppMetrics">;
  readonly dialog: Pick<Dialog, "showOpenDialog" | "showMessageBox">;
  readonly pdfs: Pick<PdfFiles, "save">;
  readonly fetch: Fetch;
  readonly checkSpelling: (isWanted: boolean) => void;
  readonly desktop: DesktopApp;
  readonly settings: SettingsFile;
  readonly node: NodeHost;
  readonly keyring: KeyringProcess;
  readonly apps: AppsDesk;
  readonly notifications: NotificationCenter;
  readonly updates: UpdateControl;
  readonly log: RotatingLog;
  readonly window: () => BrowserWindow | undefined;
  /** Folder of the node's data in use. */
  readonly dataFolder: () => string;
  readonly machine: MachineBinding;
  /** Port of the settings that another program has. */
  readonly takenPort: number | null;
  readonly startedAtMs: number;
  /** Asks the person in a window of the shell. */
  readonly confirm: (decision: ShellDecision) => Promise<boolean>;
}

export function createHandlers(dependencies: HandlerDependencies): DesktopHandlers {
  const { app, desktop, settings, node, keyring, apps, notifications, updates } = dependencies;
  return {
    ...createAppHandlers(apps, dependencies.window),
    state: (): DesktopState => ({
      version: app.getVersion(),
      platform: process.platform,
      dataFolder: dependencies.dataFolder(),
      settings: settings.settings,
      settingsSetAside: settings.setAside ?? null,
      node: node.state,
      takenPort: dependencies.takenPort,
      isCopiedNode: dependencies.machine.isCopied(dependencies.dataFolder()),
      update: updates.state,
      window: desktop.sight,
    }),
    connectKeyring: (): null => {
      const window = dependencies.window();
      if (window !== undefined) keyring.connect(window.webContents);
      return null;
    },
    changeSettings: async (change): Promise<DesktopSettings> => {
      for (const decision of decisionsOf(settings.settings, change)) await requireAgreement(dependencies, decision);
      const next = settings.change(change);
      if (change.startAtLogin !== undefined) app.setLoginItemSettings({ openAtLogin: change.startAtLogin, args: ["--hidden"] });
      if (change.spellCheck !== undefined) dependencies.checkSpelling(change.spellCheck);
      desktop.tell({ type: "settings", settings: next });
      // Ends before the answer: what is switched off serves no program any more.
      if (change.programsMayAsk !== undefined) await apps.setWanted(next.programsMayAsk);
      return next;
    },
    restartNode: async (): Promise<null> => {
      await node.restart();
      return null;
    },
    takeNode: async (): Promise<null> => {
      await requireAgreement(dependencies, { kind: "takeNode", dataFolder: dependencies.dataFolder() });
      dependencies.machine.take(dependencies.dataFolder());
      await node.restart();
      return null;
    },
    nodeDuty: (duty) => askNodeForDuty({ fetch: dependencies.fetch, confirm: dependencies.confirm, serving: () => node.serving }, duty),
    useNode: (choice) => useNode(dependencies, choice),
    notify: (notice): null => {
      notifications.notify(notice);
      return null;
    },
    clearNotices: ({ conversation }): null => {
      if (conversation === null) notifications.clearAll();
      else notifications.clear(conversation);
      return null;
    },
    setUnread: ({ count }): null => {
      desktop.setUnread(count);
      return null;
    },
    savePdf: ({ name }) => dependencies.pdfs.save(name),
    diagnostics: () => diagnostics(dependencies),
    moveDataFolder: () => moveData(dependencies),
    checkForUpdate: () => updates.check(),
    installUpdate: async (): Promise<null> => {
      await updates.install();
      return null;
    },
  };
}

/** What of a change gives lasting power over what the node does, or takes updates away. */
function decisionsOf(settings: DesktopSettings, change: DesktopSettingsChange): readonly ShellDecision[] {
  const before = { nodeMode: settings.nodeMode, nodeCheckpoint: settings.nodeCheckpoint };
  const { nodeMode = before.nodeMode, nodeCheckpoint = before.nodeCheckpoint } = change;
  const isSame = nodeMode === before.nodeMode && nodeCheckpoint === before.nodeCheckpoint;
  const work = workOf(settings);
  const nextWork = workOf({ ...settings, ...change });
  return [
    ...(isSame ? [] : [{ kind: "nodeMode", before, after: { nodeMode, nodeCheckpoint } } as const]),
    ...(isWorkConfirmed(work, nextWork) ? [{ kind: "nodeWork", before: work, after: nextWork } as const] : []),
    ...(change.updateCheck === false && settings.updateCheck ? [{ kind: "updatesOff" } as const] : []),
  ];
}

function workOf({ relayFeeUt, heartbeatMinutes, nodeRetain, apiPrivate, updateSource }: DesktopSettings): NodeWork {
  return { relayFeeUt, heartbeatMinutes, nodeRetain, apiPrivate, updateSource };
}

/** Closing the node to others, and asking no source any more, needs no one's agreement. */
function isWorkConfirmed(before: NodeWork, after: NodeWork): boolean {
  return (
    after.relayFeeUt !== before.relayFeeUt ||
    after.heartbeatMinutes !== before.heartbeatMinutes ||
    after.nodeRetain !== before.nodeRetain ||
    (before.apiPrivate && !after.apiPrivate) ||
    (after.updateSource !== null && after.updateSource !== before.updateSource)
  );
}

/** @throws CodedError CONFIRMATION_DECLINED. */
async function requireAgreement({ confirm }: HandlerDependencies, decision: ShellDecision): Promise<void> {
  if (!(await confirm(decision))) throw new CodedError("CONFIRMATION_DECLINED", "This was not confirmed in Parley's own window");
}

async function diagnostics({ app, node, settings, log, dataFolder, startedAtMs }: HandlerDependencies): Promise<string> {
  const space = await statfs(dataFolder()).catch(() => undefined);
  return diagnosticsReport({
    versions: { Parley: app.getVersion(), Electron: process.versions.electron ?? "none", Node: process.versions.node },
    platform: `${process.platform} ${process.arch}`,
    uptimeMs: Date.now() - startedAtMs,
    node: node.state,
    restarts: node.restarts,
    settings: settings.settings,
    freeBytes: space === undefined ? undefined : space.bavail * space.bsize,
    processes: app
      .getAppMetrics()
      .map(({ name, serviceName, type, memory }) => ({ name: name ?? serviceName ?? type, memoryKib: memory.workingSetSize })),
    logLines: log.tail(DIAGNOSTIC_LINES),
  });
}

/** The shell asks itself: a page that was taken over must not open its own way out. */
async function useNode(
  { dialog, settings, fetch }: HandlerDependencies,
  { origin, token }: { readonly origin: string | null; readonly token: string },
): Promise<boolean> {
  if (origin !== null) {
    if (!isNodeOrigin(origin)) throw new CodedError("CONFIG_INVALID", "A node has an address like https://node.example:8080");
    const { response } = await dialog.showMessageBox({
      type: "question",
      message: "Use this node instead of your own?",
      detail: `${origin}\n\nIt learns which accounts you look up. Your keys and messages stay on this computer.`,
      buttons: ["Use this node", "Cancel"],
      defaultId: 1,
      cancelId: 1,
    });
    if (response !== 0) return false;
    await probeNode(fetch, origin, token);
  }
  settings.change({ otherNode: origin });
  return true;
}

/** The settings follow first: after a crash in between the node finds no chain, says so and creates none. */
async function moveData({ dialog, node, settings, dataFolder }: HandlerDependencies): Promise<string> {
  const { canceled, filePaths } = await dialog.showOpenDialog({ properties: ["openDirectory", "createDirectory"] });
  const [target] = filePaths;
  if (canceled || target === undefined) return dataFolder();
  const from = dataFolder();
  const before = settings.settings.dataFolder;
  await node.stop();
  try {
    settings.change({ dataFolder: target });
    await moveDataFolder(from, target);
  } catch (error) {
    settings.change({ dataFolder: before });
    throw error;
  } finally {
    node.start();
  }
  return target;
}
