// Which changes of the settings the shell confirms in its own window, before anything is stored.
import { describe, expect, it } from "vitest";
import type { ShellDecision } from "#electron/main/confirmation/confirmation-types.ts";
import { createHandlers, type HandlerDependencies } from "#electron/main/ipc/handlers.ts";
import { DEFAULT_DESKTOP_SETTINGS, type DesktopSettings, type DesktopSettingsChange } from "#shared/desktop/desktop-settings.ts";

/** Changes settings; gives what the person was asked, and what is stored then. */
async function change(
  before: DesktopSettingsChange,
  changed: DesktopSettingsChange,
  agrees: boolean,
): Promise<{ readonly asked: readonly ShellDecision[]; readonly settings: DesktopSettings }> {
  const asked: ShellDecision[] = [];
  let settings: DesktopSettings = { ...DEFAULT_DESKTOP_SETTINGS, ...before };
  const dependencies: Partial<HandlerDependencies> = {
    settings: {
      get settings(): DesktopSettings {
        return settings;
      },
      setAside: undefined,
      change: (next): DesktopSettings => {
        settings = { ...settings, ...next };
        return settings;
      },
    },
    apps: {} as HandlerDependencies["apps"],
    desktop: { tell: () => undefined } as unknown as HandlerDependencies["desktop"],
    confirm: (decision) => {
      asked.push(decision);
      return Promise.resolve(agrees);
    },
  };
  const { changeSettings } = createHandlers(dependencies as HandlerDependencies);
  const stored = (async (): Promise<unknown> => await changeSettings(changed))();
  await stored.catch((error: unknown) => expect(error).toMatchObject({ code: "CONFIRMATION_DECLINED" }));
  return { asked, settings };
}

describe("a change of the settings", () => {
  it.each([
    [{ nodeRetain: null }, { nodeRetain: "7d" }],
    [{ nodeRetain: "365d" }, { nodeRetain: "30d" }],
    [{ nodeRetain: "all" }, { nodeRetain: null }],
    [{ relayFeeUt: null }, { relayFeeUt: 5 }],
    [{ heartbeatMinutes: 0 }, { heartbeatMinutes: 30 }],
    [{ apiPrivate: true }, { apiPrivate: false }],
  ] as const)("from %j to %j is stored once it was confirmed", async (before, after) => {
    const agreed = await change(before, after, true);
    expect(agreed.asked).toMatchObject([{ kind: "nodeWork", before, after }]);
    expect(agreed.settings).toMatchObject(after);
    const declined = await change(before, after, false);
    expect(declined.settings).toMatchObject(before);
  });

  it.each([
    [{ nodeRetain: "30d" }, { nodeRetain: "30d" }],
    [{ apiPrivate: false }, { apiPrivate: true }],
    [{ spellCheck: true }, { closeToTray: false }],
  ] as const)("from %j to %j asks nothing", async (before, after) => {
    const { asked, settings } = await change(before, after, false);
    expect(asked).toEqual([]);
    expect(settings).toMatchObject(after);
  });
});
