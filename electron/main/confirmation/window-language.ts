// Language of the shell's own windows and notices.
import type { DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import type { WindowLanguage } from "./confirmation-types.ts";

/** The one of the settings, else of the system; English where it is neither. */
export function windowLanguage({ language }: Pick<DesktopSettings, "language">, systemLocale: string): WindowLanguage {
  return (language === "system" ? systemLocale : language).startsWith("de") ? "de" : "en";
}
