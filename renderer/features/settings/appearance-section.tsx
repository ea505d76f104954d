// How the app looks and which language it speaks.
import type { ReactElement } from "react";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { LANGUAGE_NAMES, LANGUAGES, type LanguageTag, PSEUDO_LANGUAGE } from "#renderer/lib/messages/languages.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { SETTING_CHOICES, useSettings } from "#renderer/lib/settings/settings-store.ts";

/** A development build offers the layout from right to left. */
const OFFERED: readonly LanguageTag[] =
  import.meta.env.DEV || import.meta.env.VITE_GALLERY === "true" ? [...LANGUAGES, PSEUDO_LANGUAGE] : LANGUAGES;

export function AppearanceSection(): ReactElement {
  const t = useMessages();
  const { theme, language, textSize, density, accent, change } = useSettings();
  return (
    <>
      <Section title={t("settings.language")}>
        <Select
          label={t("settings.language")}
          hideLabel
          value={language}
          onChange={(next): void => change({ language: next })}
          options={[
            { value: "system", label: t("settings.languageSystem") },
            ...OFFERED.map((tag) => ({ value: tag, label: LANGUAGE_NAMES[tag] })),
          ]}
        />
      </Section>
      <Section title={t("settings.theme")}>
        <div>
          <SegmentedControl
            label={t("settings.theme")}
            value={theme}
            onChange={(next): void => change({ theme: next })}
            options={[
              { value: "system", label: t("settings.themeSystem") },
              { value: "light", label: t("settings.themeLight") },
              { value: "dark", label: t("settings.themeDark") },
            ]}
          />
        </div>
      </Section>
      <Section title={t("settings.accent")}>
        <div>
          <SegmentedControl
            label={t("settings.accent")}
            value={accent}
            onChange={(next): void => change({ accent: next })}
            options={SETTING_CHOICES.accent.map((value) => ({ value, label: t(`settings.accent.${value}`) }))}
          />
        </div>
      </Section>
      <Section title={t("settings.textSize")} hint={t("settings.textSizeHint")}>
        <div>
          <SegmentedControl
            label={t("settings.textSize")}
            value={textSize}
            onChange={(next): void => change({ textSize: next })}
            options={SETTING_CHOICES.textSize.map((value) => ({ value, label: t(`settings.textSize.${value}`) }))}
          />
        </div>
      </Section>
      <Section title={t("settings.density")}>
        <div>
          <SegmentedControl
            label={t("settings.density")}
            value={density}
            onChange={(next): void => change({ density: next })}
            options={SETTING_CHOICES.density.map((value) => ({ value, label: t(`settings.density.${value}`) }))}
          />
        </div>
      </Section>
    </>
  );
}
