// One file of a published source, folded: it is drawn when it is opened.
import { Copy } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { MAX_SHOWN_CHARACTERS, visibleSource } from "#renderer/lib/format/visible-source.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "../contract.module.css";

export interface SourceFileProps {
  readonly path: string;
  readonly text: string;
  /** SHA-256, hex. */
  readonly hash: string;
}

export function SourceFile(props: SourceFileProps): ReactElement {
  const { path } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.method} onToggle={(event): void => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <strong>{path}</strong>
      </summary>
      {isOpen && <Content {...props} />}
    </details>
  );
}

function Content({ path, text, hash }: SourceFileProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const shown = useMemo(() => visibleSource(text), [text]);
  const copy = async (): Promise<void> => {
    if (await copyText(text)) toasts.show({ title: t("common.copied"), tone: "success" });
  };
  return (
    <div className={styles.form}>
      {shown.hidden > 0 && <p className={styles.hidden}>{t("explorer.sourceHidden", { count: shown.hidden })}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this is text that scrolls */}
      <div role="group" className={styles.source} tabIndex={0} aria-label={path}>
        <pre className={styles.code}>{shown.text}</pre>
      </div>
      {shown.isCut && <p className={shared.muted}>{t("explorer.sourceCut", { count: MAX_SHOWN_CHARACTERS })}</p>}
      <p className={styles.hash}>{`SHA-256 ${hash}`}</p>
      <div>
        <Button size="small" icon={Copy} onClick={(): void => void copy()}>
          {t("explorer.copyFile")}
        </Button>
      </div>
    </div>
  );
}
