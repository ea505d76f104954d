// Whether an Electron window can be opened here: a display, and the binary present or fetched.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../process.ts";

/** Where the binary is, or in a few words why there will be no window. */
export type ElectronBinary = { readonly path: string } | { readonly reason: string };

const FETCH_LIMIT_MS = 300_000;

/** Finds the Electron binary, fetching it on first use. */
export function findElectron(): ElectronBinary {
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return { reason: "this machine has no display" };
  if (process.platform === "linux" && process.getuid?.() === 0) return { reason: "the desktop app does not run as root" };
  const present = installedPath();
  if (present !== undefined) return { path: present };
  process.stderr.write("Fetching the desktop runtime…\n");
  const result = spawnSync(process.execPath, [join(ROOT, "node_modules/electron/install.js")], {
    stdio: "ignore",
    timeout: FETCH_LIMIT_MS,
  });
  const fetched = result.status === 0 ? installedPath() : undefined;
  return fetched === undefined ? { reason: "its runtime could not be downloaded" } : { path: fetched };
}

function installedPath(): string | undefined {
  const folder = join(ROOT, "node_modules/electron");
  const pathFile = join(folder, "path.txt");
  if (!existsSync(pathFile)) return undefined;
  const path = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, "dist"), readFileSync(pathFile, "utf8"));
  return existsSync(path) ? path : undefined;
}
