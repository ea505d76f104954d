// The shell's settings on disk. A file that cannot be understood is set aside, never overwritten: the defaults apply and a notice says so.
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { Value } from "typebox/value";
import { DEFAULT_DESKTOP_SETTINGS, DesktopSettings, type DesktopSettingsChange } from "#shared/desktop/desktop-settings.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { replaceFile } from "./replace-file.ts";

/** Settings that survive a crash at any moment. */
export interface SettingsFile {
  readonly settings: DesktopSettings;
  /** Where a file that could not be understood was put, until the person has seen it. */
  readonly setAside: string | undefined;
  /** Writes first, then applies. @throws CodedError CONFIG_INVALID or STORAGE_UNWRITABLE; the settings are then unchanged. */
  change(change: DesktopSettingsChange): DesktopSettings;
}

/** Reads the file at `path`; a missing one gives the defaults. Keys of other versions are left out, missing ones get their default. */
export function openSettingsFile(path: string): SettingsFile {
  const { settings, setAside } = readSettings(path);
  let current = settings;
  return {
    get settings(): DesktopSettings {
      return current;
    },
    setAside,
    change(change): DesktopSettings {
      const next = { ...current, ...change };
      if (!isSettings(next)) throw new CodedError("CONFIG_INVALID", `Not a setting: ${wrongKey(next)}`);
      if (setAside === path && current === settings) setAsideDamaged(path);
      writeSettings(path, next);
      current = next;
      return current;
    },
  };
}

function readSettings(path: string): { readonly settings: DesktopSettings; readonly setAside: string | undefined } {
  const text = readText(path);
  if (text === undefined) return { settings: DEFAULT_DESKTOP_SETTINGS, setAside: undefined };
  const settings = parseSettings(text);
  if (settings !== undefined) return { settings, setAside: undefined };
  return { settings: DEFAULT_DESKTOP_SETTINGS, setAside: setFileAside(path) };
}

/** Where the file is now: on a disk that cannot be written it stays where it was until the first change. */
function setFileAside(path: string): string {
  try {
    renameSync(path, asideOf(path));
    return asideOf(path);
  } catch {
    return path;
  }
}

/** Before the first change replaces a damaged file that could not be set aside at the start. */
function setAsideDamaged(path: string): void {
  try {
    renameSync(path, asideOf(path));
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function asideOf(path: string): string {
  return `${path}.damaged`;
}

function unwritable(path: string, cause: unknown): CodedError {
  return new CodedError("STORAGE_UNWRITABLE", `The settings cannot be saved to ${path}: check its permissions and free space`, { cause });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new CodedError("STORAGE_UNWRITABLE", `${path} cannot be read: check its permissions`, { cause: error });
  }
}

/** Settings of a file's text, or undefined when it holds none. A single wrong value costs only itself. */
function parseSettings(text: string): DesktopSettings | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  let settings = DEFAULT_DESKTOP_SETTINGS;
  for (const [key, part] of Object.entries(value)) {
    const candidate = { ...settings, [key]: part };
    if (isSettings(candidate)) settings = candidate;
  }
  return settings;
}

/** An update source that is no address would keep the node from starting. */
function isSettings(value: object): value is DesktopSettings {
  return Value.Check(DesktopSettings, value) && (value.updateSource === null || URL.canParse(value.updateSource));
}

function wrongKey(value: object): string {
  if (Value.Check(DesktopSettings, value)) return "updateSource";
  return Value.Errors(DesktopSettings, value)[0]?.instancePath.split("/")[1] ?? "an unknown key";
}

function writeSettings(path: string, settings: DesktopSettings): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, `${JSON.stringify(settings, null, 2)}\n`);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}
