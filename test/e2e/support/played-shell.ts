// A desktop shell around a page in a browser, played by the page itself: what it reports is given, what it is asked for is noted. It is put
// there after the page has opened its keyring, which is the browser's.
import type { Page } from "playwright-core";
import { DESKTOP_GLOBAL } from "#shared/desktop/channels.ts";
import type { DesktopEvent, DesktopState } from "#shared/desktop/desktop-api.ts";
import type { DesktopAppsState } from "#shared/desktop/desktop-apps.ts";
import { DEFAULT_DESKTOP_SETTINGS } from "#shared/desktop/desktop-settings.ts";

/** What the shell was asked for: name of the call and its input. */
export type ShellCall = readonly [name: string, input: unknown];

/** Responses by call; a function of the page's own is not possible, so each is a value. */
export interface PlayedShell {
  readonly apps: DesktopAppsState;
  readonly answers?: Readonly<Record<string, unknown>>;
}

/** No program is connected, and none asks. */
export const NO_APPS: DesktopAppsState = {
  gateway: { kind: "ready" },
  lock: "unlocked",
  request: null,
  approvals: [],
  connections: [],
  ended: [],
};

/** What the played shell keeps in the page. */
interface ShellMemory {
  readonly calls: ShellCall[];
  emit(event: unknown): void;
}

const MEMORY = "playedShell";

/** Puts the shell around the page. */
export async function playShell(page: Page, { apps, answers = {} }: PlayedShell): Promise<void> {
  const state: DesktopState = {
    version: "0.0.0",
    platform: "linux",
    dataFolder: "",
    settings: DEFAULT_DESKTOP_SETTINGS,
    settingsSetAside: null,
    node: { kind: "ready", port: 1 },
    takenPort: null,
    isCopiedNode: false,
    update: { kind: "none" },
    window: { isVisible: true, isWatched: true },
  };
  await page.evaluate(
    ({ global, memory, given }) => {
      const listeners = new Set<(event: unknown) => void>();
      const calls: [string, unknown][] = [];
      const emit = (event: unknown): void => {
        for (const listener of [...listeners]) listener(event);
      };
      const responses: Record<string, unknown> = { ...given };
      const call = async (name: string, input: unknown): Promise<unknown> => {
        calls.push([name, input]);
        if (name === "changeSettings") {
          const { settings } = responses.state as { readonly settings: object };
          const next = { ...settings, ...(input as object) };
          responses.state = { ...(responses.state as object), settings: next };
          emit({ type: "settings", settings: next });
          return next;
        }
        return responses[name] ?? null;
      };
      const onEvent = (listener: (event: unknown) => void): (() => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      };
      Object.assign(globalThis, { [global]: { call, onEvent }, [memory]: { calls, emit } });
    },
    { global: DESKTOP_GLOBAL, memory: MEMORY, given: { state, appsState: apps, ...answers } },
  );
}

/** Reports another state of programs. */
export function reportApps(page: Page, state: DesktopAppsState): Promise<void> {
  return reportEvent(page, { type: "apps", state });
}

/** Reports an event of the shell. */
export async function reportEvent(page: Page, event: DesktopEvent): Promise<void> {
  await page.evaluate(({ memory, reported }) => (globalThis as unknown as Record<string, ShellMemory>)[memory]?.emit(reported), {
    memory: MEMORY,
    reported: event,
  });
}

/** What was asked for so far. */
export async function callsOf(page: Page, name: string): Promise<readonly unknown[]> {
  const calls = await page.evaluate((memory) => (globalThis as unknown as Record<string, ShellMemory>)[memory]?.calls ?? [], MEMORY);
  return calls.filter(([called]) => called === name).map(([, input]) => input);
}
