// What the test tells the stand-in by its environment, read once.
import { env } from "node:process";
import type { SafeStorage } from "electron";

/** Folder of the profile. */
export const USER_DATA = env.STANDIN_USER_DATA ?? "";
/** Whether the app takes itself for an installed one; its resources are then the profile's folder, which holds no update feed. */
export const IS_PACKAGED = env.STANDIN_PACKAGED === "1";
if (IS_PACKAGED) Object.defineProperty(process, "resourcesPath", { value: env.STANDIN_USER_DATA ?? "" });
/** How far the clock of the node is ahead, ms. */
export const NODE_CLOCK_AHEAD_MS = env.STANDIN_NODE_CLOCK_AHEAD_MS;
/** Path of a real Chromium. */
export const CHROMIUM = env.STANDIN_CHROMIUM ?? "";
/** Port under which the browser finds what the app serves under app://. Kept over restarts: an origin owns its storage. */
export const ORIGIN_PORT = Number(env.STANDIN_ORIGIN_PORT);
/** Port on which the test reaches the browser. */
export const DEBUGGING_PORT = Number(env.STANDIN_DEBUGGING_PORT);
/** The keychain that the system is said to use. */
export const STORAGE_BACKEND = (env.STANDIN_STORAGE_BACKEND ?? "gnome_libsecret") as ReturnType<SafeStorage["getSelectedStorageBackend"]>;

/** The app's own origin, and the one that stands for it: Chromium alone cannot learn a new scheme. */
export const APP_ORIGIN = "app://parley";
export const PAGE_ORIGIN = `http://parley.localhost:${ORIGIN_PORT}`;

/** Hosts of the scheme, each an origin of its own, and what stands for them. */
const ORIGINS = [
  [APP_ORIGIN, PAGE_ORIGIN],
  ["app://confirmation", `http://confirmation.localhost:${ORIGIN_PORT}`],
  ["app://approval", `http://approval.localhost:${ORIGIN_PORT}`],
] as const;

/** An address as the browser knows it. */
export function toPageUrl(url: string): string {
  return ORIGINS.reduce((text, [app, page]) => (text.startsWith(app) ? `${page}${text.slice(app.length)}` : text), url);
}

/** An address as the app knows it. */
export function toAppUrl(url: string): string {
  return ORIGINS.reduce((text, [app, page]) => (text.startsWith(page) ? `${app}${text.slice(page.length)}` : text), url);
}
