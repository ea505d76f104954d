// Remembers where the window is, in a file of its own: losing it costs nothing, so it is written without ceremony.
import { readFileSync, writeFileSync } from "node:fs";
import type { BrowserWindow, Screen } from "electron";
import { usableWindowState, type WindowState } from "./window-state.ts";

/** What is remembered at `path`, when it can be used on the screens of now. */
export function recallWindowState(path: string, screen: Pick<Screen, "getAllDisplays">): WindowState | undefined {
  try {
    return usableWindowState(
      JSON.parse(readFileSync(path, "utf8")),
      screen.getAllDisplays().map(({ workArea }) => workArea),
    );
  } catch {
    return undefined;
  }
}

/** Remembers the window whenever it is hidden or closed. */
export function rememberWindow(path: string, window: BrowserWindow): void {
  const remember = (): void => {
    const state: WindowState = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() };
    try {
      writeFileSync(path, JSON.stringify(state), { mode: 0o600 });
    } catch {
      // The next start opens in the middle of the screen.
    }
  };
  window.on("hide", remember);
  window.on("close", remember);
}
