import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSettingsFile } from "#electron/main/files/settings-file.ts";
import { DEFAULT_DESKTOP_SETTINGS } from "#shared/desktop/desktop-settings.ts";
import { makeReadOnly } from "#test/support/host/read-only-folder.ts";

describe("the settings file", () => {
  let folder = "";
  let path = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-settings-"));
    path = join(folder, "settings.json");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("starts with the defaults and writes nothing by itself", () => {
    expect(openSettingsFile(path).settings).toEqual(DEFAULT_DESKTOP_SETTINGS);
    expect(existsSync(path)).toBe(false);
  });

  it("keeps a change over a restart", () => {
    openSettingsFile(path).change({ closeToTray: false, apiPort: 8080 });
    expect(openSettingsFile(path).settings).toEqual({ ...DEFAULT_DESKTOP_SETTINGS, closeToTray: false, apiPort: 8080 });
  });

  it("refuses what is no setting and changes nothing", () => {
    const file = openSettingsFile(path);
    expect(() => file.change({ apiPort: 80 })).toThrow("Not a setting: apiPort");
    expect(() => file.change({ colour: "red" } as object)).toThrow("Not a setting");
    for (const updateSource of ["http://a.example/", "https://me@a.example/", "https://[", "https://a.example:99999/", "https://a b/"])
      expect(() => file.change({ updateSource })).toThrow("Not a setting: updateSource");
    for (const heartbeatMinutes of [9, 10_081, 30.5]) expect(() => file.change({ heartbeatMinutes })).toThrow("Not a setting");
    for (const nodeRetain of ["", "0d", "-1d", "30", "10000d", "30d --dev", "1128blocks", "30d\n"])
      expect(() => file.change({ nodeRetain }), nodeRetain).toThrow("Not a setting: nodeRetain");
    for (const relayFeeUt of [-1, 1_000_000_001, 0.5]) expect(() => file.change({ relayFeeUt })).toThrow("Not a setting: relayFeeUt");
    expect(file.settings).toEqual(DEFAULT_DESKTOP_SETTINGS);
    expect(existsSync(path)).toBe(false);
  });

  it.each(["", "{", "[]", "null", "\u0000\u0001", '{"apiPort":'])("sets a damaged file aside: %j", (text) => {
    writeFileSync(path, text);
    const file = openSettingsFile(path);
    expect(file.settings).toEqual(DEFAULT_DESKTOP_SETTINGS);
    expect(file.setAside).toBe(`${path}.damaged`);
    expect(readFileSync(`${path}.damaged`, "utf8")).toBe(text);
  });

  it("starts no node with an address that is none, even from its own file", () => {
    writeFileSync(path, JSON.stringify({ ...DEFAULT_DESKTOP_SETTINGS, updateSource: "https://[", relayFeeUt: 500 }));
    expect(openSettingsFile(path).settings).toMatchObject({ updateSource: null, relayFeeUt: 500 });
  });

  it("lets a single wrong value cost only itself", () => {
    writeFileSync(path, JSON.stringify({ closeToTray: false, apiPort: "8080", future: 1 }));
    const file = openSettingsFile(path);
    expect(file.settings).toEqual({ ...DEFAULT_DESKTOP_SETTINGS, closeToTray: false });
    expect(file.setAside).toBeUndefined();
  });

  it("says so when the file cannot be written, and keeps the old one", () => {
    const file = openSettingsFile(path);
    file.change({ spellCheck: false });
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file where the folder was");
    expect(() => file.change({ spellCheck: true })).toThrow("cannot be saved");
    expect(file.settings.spellCheck).toBe(false);
  });

  it("keeps the file to its owner", () => {
    openSettingsFile(path).change({ spellCheck: false });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  describe("on a disk that cannot be written", () => {
    let release: () => void = () => undefined;
    const lock = (): void => {
      release = makeReadOnly(folder);
    };
    afterEach(() => release());

    it("reads what is there, says why a change is not kept, and changes nothing", () => {
      openSettingsFile(path).change({ closeToTray: false });
      lock();
      const file = openSettingsFile(path);
      expect(() => file.change({ closeToTray: true })).toThrow(/cannot be saved to .*settings\.json: check its permissions and free space/);
      expect(file.settings.closeToTray).toBe(false);
    });

    it("leaves a damaged file where it is, and sets it aside before the first change once that is possible", () => {
      writeFileSync(path, "{damaged");
      lock();
      const file = openSettingsFile(path);
      expect([file.settings, file.setAside]).toEqual([DEFAULT_DESKTOP_SETTINGS, path]);
      expect(() => file.change({ spellCheck: false })).toThrow("cannot be saved");
      expect(readFileSync(path, "utf8")).toBe("{damaged");
      release();
      release = (): void => undefined;
      file.change({ spellCheck: false });
      expect(readFileSync(`${path}.damaged`, "utf8")).toBe("{damaged");
      expect(openSettingsFile(path).settings.spellCheck).toBe(false);
    });
  });
});
