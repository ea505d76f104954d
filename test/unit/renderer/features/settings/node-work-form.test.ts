import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import {
  changeOf,
  formOf,
  heartbeatChoices,
  problemsOf,
  retainChoices,
  type WorkForm,
} from "#renderer/features/settings/desktop/node-work-form.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { DEFAULT_DESKTOP_SETTINGS, DesktopSettingsChange } from "#shared/desktop/desktop-settings.ts";

const t = createTranslate("en", en);
const EMPTY: WorkForm = { isRelay: false, relayFee: "", heartbeat: "", retain: "", isPrivate: false, updateSource: "", port: "" };
const changed = (form: Partial<WorkForm>): ReturnType<typeof changeOf> => changeOf(DEFAULT_DESKTOP_SETTINGS, { ...EMPTY, ...form }, "en");

describe("the node's work", () => {
  it("begins with the settings, and changes nothing by itself", () => {
    expect(formOf(DEFAULT_DESKTOP_SETTINGS, "en")).toEqual(EMPTY);
    expect(changed({})).toEqual({ change: {}, needsRestart: false });
    const settings = {
      ...DEFAULT_DESKTOP_SETTINGS,
      relayFeeUt: 500,
      heartbeatMinutes: 45,
      nodeRetain: "45d",
      apiPrivate: true,
      updateSource: "https://a.example/",
      apiPort: 4_000,
    };
    const form = formOf(settings, "de");
    expect(form).toMatchObject({ isRelay: true, relayFee: "0,0005", heartbeat: "45", retain: "45d" });
    expect(changeOf(settings, form, "de")).toEqual({ change: {}, needsRestart: false });
    expect(heartbeatChoices(t, form.heartbeat).map(({ value }) => value)).toContain("45");
    expect(retainChoices(t, form.retain).map(({ value }) => value)).toContain("45d");
  });

  it("is what was typed, in the shape that the shell takes", () => {
    const { change, needsRestart } = changed({
      isRelay: true,
      relayFee: "0.0005",
      heartbeat: "0",
      retain: "all",
      isPrivate: true,
      updateSource: " https://a.example/latest ",
    });
    expect(change).toEqual({
      relayFeeUt: 500,
      heartbeatMinutes: 0,
      nodeRetain: "all",
      apiPrivate: true,
      updateSource: "https://a.example/latest",
    });
    expect(needsRestart).toBe(true);
    expect(Value.Check(DesktopSettingsChange, change)).toBe(true);
    for (const { value } of retainChoices(t, ""))
      expect(Value.Check(DesktopSettingsChange, changed({ retain: value }).change), value).toBe(true);
    expect(changed({ isRelay: true }).change).toEqual({ relayFeeUt: 0 });
  });

  it("restarts no node for another port, which waits for the app", () => {
    expect(changed({ port: "4000" })).toEqual({ change: { apiPort: 4_000 }, needsRestart: false });
  });

  it.each([
    [{ isRelay: true, relayFee: "1001" }, "relayFee"],
    [{ isRelay: true, relayFee: "one" }, "relayFee"],
    [{ updateSource: "http://a.example/" }, "updateSource"],
    [{ updateSource: "https://user@a.example/" }, "updateSource"],
    [{ updateSource: `https://a.example/${"x".repeat(600)}` }, "updateSource"],
    [{ port: "80" }, "port"],
    [{ port: "70000" }, "port"],
    [{ port: "4e3" }, "port"],
  ] as const)("%o is refused at its field", (form, field) => {
    expect(Object.keys(problemsOf(t, { ...EMPTY, ...form }))).toEqual([field]);
  });
});
