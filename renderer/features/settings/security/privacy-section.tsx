// What others learn.
import type { ReactElement } from "react";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";

export function PrivacySection(): ReactElement {
  const t = useMessages();
  const { sendTyping, sendReadReceipts, linkPreviews, change } = useSettings();
  return (
    <>
      <Section hideTitle title={t("settings.privacy")}>
        <Switch
          label={t("settings.typing")}
          hint={t("settings.typingHint")}
          checked={sendTyping}
          onChange={(checked): void => change({ sendTyping: checked })}
        />
        <Switch
          label={t("settings.readReceipts")}
          hint={t("settings.readReceiptsHint")}
          checked={sendReadReceipts}
          onChange={(checked): void => change({ sendReadReceipts: checked })}
        />
        <Switch
          label={t("settings.linkPreviews")}
          hint={t("settings.linkPreviewsHint")}
          checked={linkPreviews}
          onChange={(checked): void => change({ linkPreviews: checked })}
        />
      </Section>
      <Banner isLasting title={t("contacts.public")}>
        {t("settings.publicText")}
      </Banner>
    </>
  );
}
