// ipcMain: handlers by channel.
import type * as Electron from "electron";

type Handler = (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown;

const handlers = new Map<string, Handler>();

/** Stands for `ipcMain`. */
export const ipcMain: Pick<Electron.IpcMain, "handle"> = {
  handle: (channel, handler) => {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler as Handler);
  },
};

/** Response to a call of the page. */
export async function answerInvoke(event: Electron.IpcMainInvokeEvent, channel: string, args: readonly unknown[]): Promise<unknown> {
  const handler = handlers.get(channel);
  if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
  return await handler(event, ...args);
}
