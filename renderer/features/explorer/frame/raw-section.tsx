// A record as the node gave it, folded away.
import { Copy } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./raw-section.module.css";

/** The record as JSON. */
export function RawSection(props: { readonly value: unknown }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const text = JSON.stringify(props.value, null, 2);
  const copy = async (): Promise<void> => {
    if (await copyText(text)) toasts.show({ title: t("common.copied"), tone: "success" });
  };
  return (
    <details className={styles.details}>
      <summary className={styles.summary}>{t("explorer.raw")}</summary>
      <pre className={styles.code}>{text}</pre>
      <Button size="small" icon={Copy} onClick={(): void => void copy()}>
        {t("explorer.copyRaw")}
      </Button>
    </details>
  );
}
