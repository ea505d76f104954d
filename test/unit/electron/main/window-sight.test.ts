import { EventEmitter } from "node:events";
import type { BrowserWindow } from "electron";
import { beforeEach, describe, expect, it } from "vitest";
import { DesktopApp, type DesktopAppDependencies } from "#electron/main/desktop-app.ts";
import { createConfirmationWindow, createWindow } from "#electron/main/windows/create-window.ts";
import type { DesktopEvent } from "#shared/desktop/desktop-api.ts";
import { DEFAULT_DESKTOP_SETTINGS } from "#shared/desktop/desktop-settings.ts";

/** A window as the system moves it. */
class TestWindow extends EventEmitter {
  isShown = false;
  isSmall = false;
  hasFocus = false;
  isVisible = (): boolean => this.isShown;
  isMinimized = (): boolean => this.isSmall;
  isFocused = (): boolean => this.hasFocus;
  change(event: string, state: Partial<Pick<TestWindow, "isShown" | "isSmall" | "hasFocus">>): void {
    Object.assign(this, state);
    this.emit(event);
  }
}

let window: TestWindow;
let sent: DesktopEvent[];
let app: DesktopApp;

beforeEach(() => {
  window = new TestWindow();
  sent = [];
  app = new DesktopApp({
    node: { start: () => undefined },
    apps: { gateway: { setWanted: async () => undefined } },
    settings: () => DEFAULT_DESKTOP_SETTINGS,
    createWindow: () => window as unknown as BrowserWindow,
    send: (_: BrowserWindow, event: DesktopEvent) => void sent.push(event),
    onChange: () => undefined,
  } as unknown as DesktopAppDependencies);
  app.start(true, undefined);
});

const watchedAt = (): readonly boolean[] => sent.flatMap((event) => (event.type === "window" ? [event.window.isWatched] : []));

describe("what the page hears of its window", () => {
  it("is watched only while it is shown, not small, and in front", () => {
    expect(app.sight).toEqual({ isVisible: false, isWatched: false });
    window.change("show", { isShown: true });
    window.change("focus", { hasFocus: true });
    window.change("blur", { hasFocus: false });
    expect(app.sight).toEqual({ isVisible: true, isWatched: false });
    window.change("focus", { hasFocus: true });
    // Some systems leave the focus where it was.
    window.change("minimize", { isSmall: true });
    expect(app.sight).toEqual({ isVisible: false, isWatched: false });
    window.change("restore", { isSmall: false });
    window.change("hide", { isShown: false });
    expect(watchedAt()).toEqual([false, true, false, true, false, true, false]);
  });
});

describe("the page of a hidden window", () => {
  const optionsOf = (create: (Window: typeof BrowserWindow) => unknown): unknown[] => {
    const given: unknown[] = [];
    class Recorded extends EventEmitter {
      constructor(options: unknown) {
        super();
        given.push(options);
      }
      loadURL = async (): Promise<void> => undefined;
    }
    create(Recorded as unknown as typeof BrowserWindow);
    return given;
  };

  it("runs at full speed in the main window alone, sandboxed as ever", () => {
    const main = optionsOf((Window) => createWindow(Window, { preload: "p", state: undefined, isShown: false, path: "/" }));
    expect(main).toMatchObject([{ webPreferences: { backgroundThrottling: false, sandbox: true, contextIsolation: true, preload: "p" } }]);
    const own = optionsOf((Window) => createConfirmationWindow(Window, "p"));
    expect(own).toMatchObject([{ webPreferences: { sandbox: true } }]);
    expect(own).not.toMatchObject([{ webPreferences: { backgroundThrottling: false } }]);
  });
});
