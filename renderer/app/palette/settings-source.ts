// Sections of the settings in the palette, for what is typed: all of them would stand in the way of everything else.
import { useNavigate } from "@tanstack/react-router";
import { Settings2 } from "lucide-react";
import { useCallback } from "react";
import { SETTINGS_SECTIONS, type SettingsSection } from "#renderer/features/settings/sections.ts";
import { type Command, type CommandSource, matchCommands } from "#renderer/lib/commands/command-store.ts";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

export interface SettingsLinks {
  readonly t: Translate;
  /** Whether there are settings of the desktop app. */
  readonly isDesktop: boolean;
  readonly open: (section: SettingsSection) => void;
}

/** Sections whose name, with or without that of the settings, has every word of the text; none for an empty text. */
export function settingsCommands(query: string, { t, isDesktop, open }: SettingsLinks): readonly Command[] {
  if (query.trim() === "") return [];
  const sections = SETTINGS_SECTIONS.filter((section) => section !== "desktop" || isDesktop);
  const commands = sections.map(
    (section): Command => ({
      id: `settings:${section}`,
      group: "go",
      label: t(`settings.${section}`),
      detail: t("settings.title"),
      icon: Settings2,
      keywords: section === "profile" ? `${t("settings.title")} ${t("settings.profileKeywords")}` : t("settings.title"),
      run: () => open(section),
    }),
  );
  return matchCommands(commands, query);
}

export function useSettingsSource(): CommandSource {
  const t = useMessages();
  const navigate = useNavigate();
  return useCallback(
    (query) => {
      const open = (section: SettingsSection): void => void navigate({ to: "/settings/$section", params: { section } });
      return settingsCommands(query, { t, isDesktop: desktopApi() !== undefined, open });
    },
    [t, navigate],
  );
}
