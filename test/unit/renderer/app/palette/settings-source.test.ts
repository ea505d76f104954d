import { describe, expect, it } from "vitest";
import { settingsCommands } from "#renderer/app/palette/settings-source.ts";
import { SETTINGS_SECTIONS } from "#renderer/features/settings/sections.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { de } from "#renderer/lib/messages/de.ts";
import { en } from "#renderer/lib/messages/en.ts";

const found = (query: string, isDesktop = false, words = { locale: "en", all: en as object }): readonly string[] =>
  settingsCommands(query, { t: createTranslate(words.locale, words.all), isDesktop, open: () => undefined }).map(({ label }) => label);

describe("sections of the settings in the palette", () => {
  it("are found by their names, in the language of the interface", () => {
    expect(found("stor")).toEqual(["Storage"]);
    expect(found("settings backup")).toEqual(["Backup"]);
    expect(found("währ", false, { locale: "de", all: de })).toEqual(["Währung"]);
    expect(found("picture")).toEqual(["Profile"]);
    expect(found("benutzername", false, { locale: "de", all: de })).toEqual(["Profil"]);
    expect(found("nothing like it")).toEqual([]);
    expect(found(" ")).toEqual([]);
  });

  it("are all there, that of the app in the app", () => {
    expect(found("settings")).toHaveLength(SETTINGS_SECTIONS.length - 1);
    expect(found("settings", true)).toHaveLength(SETTINGS_SECTIONS.length);
  });

  it("lead there", () => {
    const opened: string[] = [];
    const [command] = settingsCommands("devices", {
      t: createTranslate("en", en),
      isDesktop: false,
      open: (section) => opened.push(section),
    });
    command?.run();
    expect(opened).toEqual(["devices"]);
  });
});
