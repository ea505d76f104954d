// The only entry for calls of the interface: sender and argument are checked before anything happens.
import type { IpcMain, IpcMainInvokeEvent } from "electron";
import type { Static } from "typebox";
import { Value } from "typebox/value";
import { CALL_CHANNEL } from "#shared/desktop/channels.ts";
import { DESKTOP_CALLS, type DesktopCall, type DesktopResults } from "#shared/desktop/desktop-api.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { isAppUrl } from "../security/trusted-url.ts";

/** What the shell does for each call; the argument has been checked. */
export type DesktopHandlers = {
  readonly [Name in DesktopCall]: (input: Static<(typeof DESKTOP_CALLS)[Name]>) => Promise<DesktopResults[Name]> | DesktopResults[Name];
};

/** What the page gets back: errors cross as words, never as stack traces; what was declined in the shell's window as its code. */
export type CallResult = { readonly value: unknown } | { readonly error: string };

/** Answers the calls of the interface. `onFailure` receives what the interface does not get. */
export function routeCalls(ipc: Pick<IpcMain, "handle">, handlers: DesktopHandlers, onFailure: (error: unknown) => void): void {
  ipc.handle(CALL_CHANNEL, (event, name: unknown, input: unknown) => handleCall(event, { name, input }, handlers, onFailure));
}

/** Gives a channel of another window its handler, which looks at the sender itself. */
export function routeChannel(
  ipc: Pick<IpcMain, "handle">,
  channel: string,
  handler: (event: IpcMainInvokeEvent, input: unknown) => unknown,
): void {
  ipc.handle(channel, (event, input: unknown) => handler(event, input));
}

async function handleCall(
  event: Pick<IpcMainInvokeEvent, "senderFrame">,
  { name, input }: { readonly name: unknown; readonly input: unknown },
  handlers: DesktopHandlers,
  onFailure: (error: unknown) => void,
): Promise<CallResult> {
  if (!isTrustedFrame(event.senderFrame)) return { error: "Refused: not the interface" };
  if (typeof name !== "string" || !Object.hasOwn(DESKTOP_CALLS, name)) return { error: "Refused: no such call" };
  const call = name as DesktopCall;
  if (!Value.Check(DESKTOP_CALLS[call], input)) return { error: `Refused: the argument of ${call} has the wrong shape` };
  try {
    return { value: await (handlers[call] as (argument: unknown) => unknown)(input) };
  } catch (error) {
    if (isCodedError(error, "CONFIRMATION_DECLINED")) return { error: error.code };
    if (isCodedError(error)) return { error: error.message };
    onFailure(error);
    return { error: "The desktop app failed; its log says why" };
  }
}

/** True for the top frame of a page of the interface; embedded frames and frames that are gone may ask nothing. */
export function isTrustedFrame(frame: IpcMainInvokeEvent["senderFrame"]): boolean {
  return frame !== null && frame.parent === null && isAppUrl(frame.url);
}
