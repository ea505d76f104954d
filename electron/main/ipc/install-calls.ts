// The raw channel between shell and interface.
import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from "electron";
import {
  APPROVAL_CLOSE_CHANNEL,
  APPROVAL_READY_CHANNEL,
  CONFIRMATION_ANSWER_CHANNEL,
  CONFIRMATION_CONTENT_CHANNEL,
  EVENT_CHANNEL,
} from "#shared/desktop/channels.ts";
import type { DesktopEvent } from "#shared/desktop/desktop-api.ts";
import type { ApprovalWindow } from "../apps/approval-window.ts";
import type { ConfirmationDesk } from "../confirmation/confirmation-desk.ts";
import { type DesktopHandlers, routeCalls, routeChannel } from "./call-router.ts";

/** Takes the calls of the interface from now on. */
export function installCalls(handlers: DesktopHandlers, onFailure: (error: unknown) => void): void {
  routeCalls(ipcMain, handlers, onFailure);
}

/** Takes what the confirmation window says from now on; the desk looks at who says it. */
export function installConfirmations(desk: ConfirmationDesk): void {
  const channels = {
    [CONFIRMATION_CONTENT_CHANNEL]: (event: IpcMainInvokeEvent): unknown => desk.content(event),
    [CONFIRMATION_ANSWER_CHANNEL]: (event: IpcMainInvokeEvent, isAgreed: unknown): void => desk.answer(event, isAgreed),
  };
  for (const [channel, handler] of Object.entries(channels)) routeChannel(ipcMain, channel, handler);
}

/** The same of the approval window; it looks at who says it. */
export function installApprovals(approvals: ApprovalWindow): void {
  routeChannel(ipcMain, APPROVAL_READY_CHANNEL, (event) => approvals.ready(event));
  routeChannel(ipcMain, APPROVAL_CLOSE_CHANNEL, (event) => approvals.closedBy(event));
}

/** Notifies the interface of a window. */
export function sendEvent(window: BrowserWindow, event: DesktopEvent): void {
  if (!window.isDestroyed()) window.webContents.send(EVENT_CHANNEL, event);
}
