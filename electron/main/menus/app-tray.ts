// The tray icon over its pure description. Systems without a tray get none, and the window then closes for good.
import type { Menu, NativeImage, Tray } from "electron";
import { type TrayItem, type TrayState, trayItems, trayTooltip } from "./tray-menu.ts";

/** What the tray needs of Electron. */
export interface AppTrayOptions {
  readonly create: (icon: NativeImage) => Tray;
  readonly icon: NativeImage;
  readonly buildMenu: typeof Menu.buildFromTemplate;
  readonly act: (id: TrayItem["id"]) => void;
  readonly setBadge: (count: number) => void;
}

/** Shows the tray; the returned function draws a state, and only what changed. */
export function createAppTray({ create, icon, buildMenu, act, setBadge }: AppTrayOptions): (state: TrayState) => void {
  const tray = create(icon);
  let drawn = "";
  tray.on("click", () => act("toggle"));
  return (state) => {
    const key = JSON.stringify(state);
    if (key === drawn) return;
    drawn = key;
    tray.setToolTip(trayTooltip(state));
    tray.setContextMenu(
      buildMenu(
        trayItems(state).map(({ id, label, isEnabled }) =>
          id === "separator" ? { type: "separator" as const } : { label, enabled: isEnabled, click: (): void => act(id) },
        ),
      ),
    );
    setBadge(state.unread);
  };
}
