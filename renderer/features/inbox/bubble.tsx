// One message. What others wrote is shown as plain text, whatever is in it.
import { Copy, Ellipsis, RotateCw, Trash2 } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/button.tsx";
import { IconButton } from "#renderer/components/icon-button.tsx";
import { Menu, type MenuAction } from "#renderer/components/menu.tsx";
import { useToasts } from "#renderer/components/toast.tsx";
import { VisuallyHidden } from "#renderer/components/visually-hidden.tsx";
import { classNames } from "#renderer/lib/class-names.ts";
import { copyText } from "#renderer/lib/clipboard.ts";
import { formatClock, formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ChatMessage, Messenger } from "#renderer/messenger/messenger.ts";
import styles from "./bubble.module.css";
import type { Face } from "./conversation-face.tsx";
import { MessageState } from "./message-state.tsx";
import { problemInWords, textOfBody } from "./message-text.ts";

/** Props of {@link Bubble}. */
export interface BubbleProps {
  readonly message: ChatMessage;
  /** First and last message of a group of one author. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly face: Face;
  readonly messenger: Messenger;
}

/** The bubble with its actions, and what is wrong with it. */
export function Bubble(props: BubbleProps): ReactElement {
  const { message, isFirst, isLast, face, messenger } = props;
  const t = useMessages();
  const isOwn = message.direction === "out";
  return (
    <article
      className={classNames(styles.message, isOwn ? styles.own : styles.theirs, isFirst && styles.first, isLast && styles.last)}
      data-state={message.state ?? undefined}
    >
      <VisuallyHidden>{isOwn ? t("inbox.youWrote") : face.name}</VisuallyHidden>
      <div className={styles.line}>
        <div className={styles.bubble}>
          <Words message={message} />
          <Foot message={message} isSelf={face.kind === "self"} />
        </div>
        <Actions message={message} messenger={messenger} />
      </div>
      <Problem message={message} messenger={messenger} />
    </article>
  );
}

function Words({ message: { body } }: { readonly message: ChatMessage }): ReactElement {
  const t = useMessages();
  const isNote = body.kind === "damaged" || (body.kind === "unsupported" && body.fallback === "");
  return (
    <>
      {body.kind === "plain" && <p className={styles.origin}>{t("inbox.plain")}</p>}
      <p className={classNames(styles.text, isNote && styles.note)} dir="auto">
        {textOfBody(t, body)}
      </p>
    </>
  );
}

function Foot(props: { readonly message: ChatMessage; readonly isSelf: boolean }): ReactElement {
  const { message, isSelf } = props;
  const { locale } = useLanguage();
  return (
    <span className={styles.foot}>
      <time dateTime={new Date(message.at).toISOString()} title={formatExactTime(locale, message.at)}>
        {formatClock(locale, message.at)}
      </time>
      {message.state !== null && <MessageState state={message.state} isSelf={isSelf} />}
    </span>
  );
}

function Actions({ message, messenger }: Pick<BubbleProps, "message" | "messenger">): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { key, body, problem, state } = message;
  const copy = async (): Promise<void> => {
    if (await copyText(textOfBody(t, body))) toasts.show({ title: t("inbox.textCopied"), tone: "success" });
  };
  const general: MenuAction[] = body.kind === "damaged" ? [] : [{ label: t("inbox.copyText"), icon: Copy, onSelect: () => void copy() }];
  if (state === "failed" || (state === "queued" && problem !== null)) {
    general.push({
      label: t("inbox.retryNow"),
      icon: RotateCw,
      onSelect: (): void => void messenger.retry(key).catch(toasts.showError),
    });
  }
  const remove: MenuAction = {
    label: t("inbox.delete"),
    icon: Trash2,
    danger: true,
    onSelect: (): void => void messenger.deleteMessage(key).catch(toasts.showError),
  };
  return (
    <span className={styles.actions}>
      <Menu trigger={<IconButton icon={Ellipsis} size="small" label={t("inbox.actions")} />} groups={[general, [remove]]} />
    </span>
  );
}

function Problem({ message, messenger }: Pick<BubbleProps, "message" | "messenger">): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { key, problem, state } = message;
  if (problem === null) return null;
  const reason = problemInWords(t, problem);
  if (state !== "failed") return <p className={styles.waiting}>{t("inbox.waiting", { reason })}</p>;
  return (
    <div className={styles.failed} role="status">
      <span>{t("inbox.failed", { reason })}</span>
      <Button size="small" icon={RotateCw} onClick={(): void => void messenger.retry(key).catch(toasts.showError)}>
        {t("inbox.retry")}
      </Button>
    </div>
  );
}
