// A long text such as a key or hash, whole or as a link, with a copy button.
import { Check, Copy } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useId, useState } from "react";
import { announce } from "#renderer/lib/browser/announce.ts";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import styles from "./copyable.module.css";

/** How long the check mark stays. */
const SHOWN_MS = 1_500;

export interface CopyableProps {
  /** What is copied, and shown unless there are children. */
  readonly text: string;
  /** Name of the button, such as "Copy address". */
  readonly label?: string;
  /** A screen reader says the text with the button: for one that is short, and what the view is about. */
  readonly isSaid?: boolean;
  readonly children?: ReactNode;
}

/** Text and button. */
export function Copyable(props: CopyableProps): ReactElement {
  const { text, label, isSaid = false, children = text } = props;
  const t = useMessages();
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return (): void => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    if (!(await copyText(text))) return;
    setCopied(true);
    announce(t("common.copied"));
  };
  return (
    <div className={styles.copyable}>
      <span id={id} className={styles.text}>
        {children}
      </span>
      <IconButton
        size="small"
        icon={isCopied ? Check : Copy}
        label={isCopied ? t("common.copied") : (label ?? t("common.copy"))}
        onClick={(): void => void copy()}
        {...(isSaid && { "aria-describedby": id })}
      />
    </div>
  );
}
