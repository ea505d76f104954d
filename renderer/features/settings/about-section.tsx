// What this program is.
import type { ReactElement } from "react";
import { KeyValueList } from "#renderer/components/key-value-list.tsx";
import { Logo } from "#renderer/components/logo.tsx";
import { Section } from "#renderer/components/section.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./settings.module.css";

/** The section. */
export function AboutSection(): ReactElement {
  const t = useMessages();
  return (
    <Section title={t("settings.about")}>
      <div className={styles.identity}>
        <Logo size={44} />
        <div>
          <strong>{t("shell.appName")}</strong>
          <p className={styles.muted}>{t("settings.aboutText")}</p>
        </div>
      </div>
      <KeyValueList
        rows={[
          { label: t("node.version"), value: __APP_VERSION__ },
          { label: t("settings.licence"), value: t("settings.licenceName") },
        ]}
      />
    </Section>
  );
}
