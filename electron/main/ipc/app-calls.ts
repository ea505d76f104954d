// What each call of the interface about programs does: it shows, ends and exports. Nothing here grants or approves.
import type { BrowserWindow } from "electron";
import { formatJournalCsv } from "#shared/apps/messages/journal-csv.ts";
import type { DesktopAppsState } from "#shared/desktop/desktop-apps.ts";
import type { AppsDesk } from "../apps/apps-desk.ts";
import type { DesktopHandlers } from "./call-router.ts";

/** Handlers of the calls about programs. */
export type AppHandlers = Pick<
  DesktopHandlers,
  "appsState" | "openApprovals" | "endConnection" | "appsLog" | "appsLogCsv" | "connectAppMessages"
>;

export function createAppHandlers(apps: AppsDesk, window: () => BrowserWindow | undefined): AppHandlers {
  const { keyring, gateway } = apps;
  return {
    appsState: async (): Promise<DesktopAppsState> => {
      await keyring.read();
      return apps.state;
    },
    openApprovals: ({ people }) => apps.window.open(people),
    endConnection: async ({ connection }): Promise<null> => {
      await keyring.end(connection);
      return null;
    },
    appsLog: ({ before, limit }) => keyring.log({ ...(before === null ? {} : { before }), limit }),
    appsLogCsv: async (): Promise<string> => {
      const { connections, ended } = await keyring.read();
      return formatJournalCsv(await keyring.wholeLog(), new Map([...ended, ...connections].map(({ id, name }) => [id, name])));
    },
    connectAppMessages: (): null => {
      const page = window();
      if (page !== undefined) gateway.connectPage(page.webContents);
      return null;
    },
  };
}
