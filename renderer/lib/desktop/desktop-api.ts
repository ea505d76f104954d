// The desktop shell around this page, when there is one.
import { DESKTOP_GLOBAL } from "#shared/desktop/channels.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";

/** The calls of the shell; undefined in a browser. */
export function desktopApi(): DesktopApi | undefined {
  return (globalThis as { readonly [DESKTOP_GLOBAL]?: DesktopApi })[DESKTOP_GLOBAL];
}
