// Orders of the test to the stand-in, over the channel that started this process.
import { app, emitAppEvent, systemState } from "./app.ts";
import { firstWindow, lastWindow } from "./browser-window.ts";
import { dialogAnswers, emitPowerEvent, type MenuTemplate, permissions, shown } from "./desktop-parts.ts";
import { runningProcesses } from "./utility-process.ts";

/** What can be seen of the app from outside. */
export interface DesktopState {
  readonly isWindowVisible: boolean | null;
  readonly isWindowFocused: boolean;
  /** Time from the start of the shell's process until its window was shown, ms. */
  readonly shownAfterMs: number | null;
  readonly mainPid: number;
  readonly tooltip: string;
  readonly trayLabels: readonly string[];
  readonly notifications: readonly { readonly title: string; readonly body: string }[];
  readonly badge: number;
  readonly loginItem: boolean;
  readonly isSpellingChecked: boolean;
  readonly externals: readonly string[];
  readonly dialogCount: number;
  readonly processes: readonly { readonly name: string; readonly pid: number | undefined }[];
}

/** An order. */
export type Order =
  | { readonly type: "state" }
  | { readonly type: "power"; readonly event: "suspend" | "resume" | "lock-screen" | "shutdown" }
  | { readonly type: "openUrl"; readonly url: string }
  | { readonly type: "clickNotification"; readonly index: number }
  | { readonly type: "clickTray"; readonly label: string }
  | { readonly type: "closeWindow" }
  | { readonly type: "blurWindow" }
  /** The window that was opened last moves. */
  | { readonly type: "moveLastWindow" }
  | { readonly type: "answerDialog"; readonly answer: unknown }
  | { readonly type: "checkPermission"; readonly permission: string; readonly origin: string; readonly mediaType?: string }
  | { readonly type: "quit" };

/** Takes orders from now on. */
export function takeOrders(): void {
  process.on("message", (message) => {
    const { id, order } = message as { readonly id: number; readonly order: Order };
    process.send?.({ id, value: obey(order) });
  });
  process.on("disconnect", () => app.exit(1));
}

function obey(order: Order): unknown {
  switch (order.type) {
    case "state":
      return stateOfDesktop();
    case "power":
      return emitPowerEvent(order.event);
    case "openUrl":
      return emitAppEvent("open-url", { preventDefault: () => undefined }, order.url);
    case "clickNotification":
      return shown.notifications[order.index]?.emit("click");
    case "clickTray":
      return click(shown.trayMenu, order.label);
    case "closeWindow":
      return firstWindow()?.close();
    case "blurWindow":
      return firstWindow()?.blur();
    case "moveLastWindow":
      return lastWindow()?.emit("move");
    case "answerDialog":
      return dialogAnswers.push(order.answer);
    case "checkPermission":
      return permissions.check?.(null, order.permission as never, order.origin, { mediaType: order.mediaType } as never);
    case "quit":
      return app.quit();
  }
}

function stateOfDesktop(): DesktopState {
  const window = firstWindow();
  return {
    isWindowVisible: window === undefined ? null : window.isVisible(),
    isWindowFocused: window?.isFocused() === true,
    shownAfterMs: window?.shownAfterMs ?? null,
    mainPid: process.pid,
    tooltip: shown.tooltip,
    trayLabels: shown.trayMenu.flatMap(({ label }) => (label === undefined ? [] : [label])),
    notifications: shown.notifications.map(({ title, body }) => ({ title, body })),
    badge: systemState.badge,
    loginItem: systemState.loginItem,
    isSpellingChecked: shown.isSpellingChecked,
    externals: shown.externals,
    dialogCount: shown.dialogs.length,
    processes: runningProcesses(),
  };
}

function click(menu: MenuTemplate, label: string): void {
  const item = menu.find((line) => line.label === label);
  if (item === undefined) throw new Error(`The menu has no line ${label}`);
  (item.click as (() => void) | undefined)?.();
}
