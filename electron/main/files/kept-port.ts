// The node's port over starts of the app, for as long as the settings name none.
import { readFileSync } from "node:fs";
import { replaceFile } from "./replace-file.ts";

const PORT = /^[1-9]\d{3,4}$/;
const LOWEST_PORT = 1_024;
const HIGHEST_PORT = 65_535;

/** The port of an earlier start; null when there was none. */
export function readKeptPort(path: string): number | null {
  try {
    const text = readFileSync(path, "utf8").trim();
    const port = PORT.test(text) ? Number(text) : 0;
    return port >= LOWEST_PORT && port <= HIGHEST_PORT ? port : null;
  } catch {
    return null;
  }
}

/** Keeps the port. @throws the system's error */
export function keepPort(path: string, port: number): void {
  replaceFile(path, `${port}\n`);
}
