// Whether the lock screen shows who one is.
import type { ReactElement } from "react";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { storeLockFace } from "#renderer/lib/profile/lock-face.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";

export function LockFaceSection(): ReactElement {
  const t = useMessages();
  const { lockFace, change } = useSettings();
  return (
    <Section title={t("settings.lockScreen")}>
      <Switch
        label={t("settings.lockFace")}
        hint={t("settings.lockFaceHint")}
        checked={lockFace}
        onChange={(checked): void => {
          // At once, not with the next start: to switch it off is meant for what is stored.
          if (!checked) storeLockFace(undefined);
          change({ lockFace: checked });
        }}
      />
    </Section>
  );
}
