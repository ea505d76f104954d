import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

it("what another window chose holds in this one, and is not undone by what this one chooses next", async () => {
  const items = new Map<string, string>();
  const events = new EventTarget();
  const localStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  vi.stubGlobal("window", { localStorage });
  vi.stubGlobal("addEventListener", events.addEventListener.bind(events));
  vi.resetModules();
  const { SETTINGS_KEY, useSettings } = await import("#renderer/lib/settings/settings-store.ts");
  useSettings.getState().change({ lockFace: true });
  const stored = JSON.parse(items.get(SETTINGS_KEY) ?? "") as { state: object };
  items.set(SETTINGS_KEY, JSON.stringify({ ...stored, state: { ...stored.state, lockFace: false } }));
  events.dispatchEvent(Object.assign(new Event("storage"), { key: "parley.other" }));
  expect(useSettings.getState().lockFace).toBe(true);
  events.dispatchEvent(Object.assign(new Event("storage"), { key: SETTINGS_KEY }));
  expect(useSettings.getState().lockFace).toBe(false);
  useSettings.getState().change({ theme: "dark" });
  expect(items.get(SETTINGS_KEY)).toContain('"lockFace":false');
});
