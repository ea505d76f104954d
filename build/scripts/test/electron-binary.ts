// Whether an Electron window can be opened here: a display, and the binary present or fetched.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../process.ts";

/** Where the binary is, or in a few words why there will be no window. */
export type ElectronBinary = { readonly path: string } | { readonly reason: string };

const FETCH_LIMIT_MS = 300_000;
/** The executable in a folder that Electron was unpacked into. */
const PLATFORM_EXECUTABLE =
  { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" }[process.platform as string] ?? "electron";

/** Finds the Electron binary, fetching it on first use. */
export function findElectron(): ElectronBinary {
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return { reason: "this machine has no display" };
  if (process.platform === "linux" && process.getuid?.() === 0) return { reason: "the desktop app does not run as root" };
  const folder = join(ROOT, "node_modules/electron");
  const present = electronExecutable(folder, process.env);
  if (present !== undefined) return { path: present };
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) return { reason: "ELECTRON_OVERRIDE_DIST_PATH holds no Electron" };
  process.stderr.write("Fetching the desktop runtime…\n");
  const result = spawnSync(process.execPath, [join(folder, "install.js")], { stdio: "ignore", timeout: FETCH_LIMIT_MS });
  const fetched = result.status === 0 ? electronExecutable(folder, process.env) : undefined;
  return fetched === undefined ? { reason: "its runtime could not be downloaded" } : { path: fetched };
}

/**
 * Path of the executable that is there, as Electron's own loader finds it: in the package, or in the folder that
 * ELECTRON_OVERRIDE_DIST_PATH names, which needs no path.txt.
 */
export function electronExecutable(folder: string, { ELECTRON_OVERRIDE_DIST_PATH: override }: NodeJS.ProcessEnv): string | undefined {
  const pathFile = join(folder, "path.txt");
  const written = existsSync(pathFile) ? readFileSync(pathFile, "utf8") : undefined;
  const candidates = override
    ? [join(override, written ?? "electron"), join(override, PLATFORM_EXECUTABLE)]
    : written === undefined
      ? []
      : [join(folder, "dist", written)];
  return candidates.find((path) => existsSync(path));
}
