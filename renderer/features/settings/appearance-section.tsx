// How the app looks.
import type { ReactElement } from "react";
import { Section } from "#renderer/components/section.tsx";
import { SegmentedControl } from "#renderer/components/segmented-control.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useSettings } from "#renderer/lib/settings-store.ts";

/** The section. */
export function AppearanceSection(): ReactElement {
  const t = useMessages();
  const { theme, change } = useSettings();
  return (
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
  );
}
