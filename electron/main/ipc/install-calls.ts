// The raw channel between shell and interface.
import { type BrowserWindow, ipcMain } from "electron";
import { EVENT_CHANNEL } from "#shared/desktop/channels.ts";
import type { DesktopEvent } from "#shared/desktop/desktop-api.ts";
import { type DesktopHandlers, routeCalls } from "./call-router.ts";

/** Takes the calls of the interface from now on. */
export function installCalls(handlers: DesktopHandlers, onFailure: (error: unknown) => void): void {
  routeCalls(ipcMain, handlers, onFailure);
}

/** Notifies the interface of a window. */
export function sendEvent(window: BrowserWindow, event: DesktopEvent): void {
  if (!window.isDestroyed()) window.webContents.send(EVENT_CHANNEL, event);
}
