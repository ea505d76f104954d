// electron-updater, loaded only where there is something to update: it costs time at start.
import type { Updater } from "./update-control.ts";

/** The updater of an installed app. Outside of one, an updater that never finds anything. */
export async function createUpdater(isInstalled: boolean): Promise<Updater> {
  if (!isInstalled) return NOTHING_TO_UPDATE;
  const { default: electronUpdater } = await import("electron-updater");
  return electronUpdater.autoUpdater as unknown as Updater;
}

const NOTHING_TO_UPDATE: Updater = {
  autoDownload: false,
  autoInstallOnAppQuit: false,
  allowDowngrade: false,
  checkForUpdates: () => Promise.resolve(null),
  downloadUpdate: () => Promise.resolve(null),
  quitAndInstall: () => undefined,
  on: () => undefined,
};
