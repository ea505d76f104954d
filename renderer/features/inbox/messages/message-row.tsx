// One row of a chat: a message, a day, the mark above unread messages, the beginning, typing.
import { memo, type ReactElement } from "react";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { hasTrait } from "#shared/messenger/model/body-traits.ts";
import type { ChatMessage, ConversationId, MessageBody } from "#shared/messenger/model/message.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { formatDay } from "../model/list-time.ts";
import { textOfBody } from "../model/message-text.ts";
import { useNameOf } from "../model/use-name-of.ts";
import { Bubble, type BubbleProps } from "./bubble.tsx";
import type { ChatRow } from "./chat-rows.ts";
import styles from "./message-row.module.css";

const MINUTE_MS = 60_000;
const BEGINNINGS = {
  group: "inbox.beginningGroup",
  self: "inbox.beginningSelf",
  unknown: "inbox.beginningUnknown",
} as const;

/** Notes that say all of it, and are of no one. */
const WHOLE_NOTES: readonly MessageBody["kind"][] = ["missing", "group.note", "device.note"];

export interface MessageRowProps {
  readonly id: ConversationId;
  readonly row: ChatRow;
  readonly isMarked: boolean;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
}

export function MessageRow({ id, row, header, messenger, isMarked }: MessageRowProps): ReactElement {
  const t = useMessages();
  switch (row.kind) {
    case "beginning":
      return (
        <p className={styles.beginning}>
          {header.kind === "person" ? t("inbox.beginning", { name: header.name }) : t(BEGINNINGS[header.kind])}
        </p>
      );
    case "day":
      return <Day at={row.at} />;
    case "unread":
      return <p className={styles.unread}>{t("inbox.newMessages")}</p>;
    case "typing":
      return (
        <p className={styles.typing}>
          <span className={styles.dots} role="img" aria-label={t("inbox.isTyping", { name: header.name })}>
            <span />
            <span />
            <span />
          </span>
        </p>
      );
    case "message":
      return hasTrait(row.message.body, "isNote") ? (
        <Note message={row.message} header={header} />
      ) : (
        <SteadyBubble {...{ id, header, messenger, isMarked }} {...row} />
      );
  }
}

/** A bubble that is rendered again only when something of it changes: a message that comes leaves those that are there alone. */
const SteadyBubble = memo(Bubble, isSameBubble);

function isSameBubble(before: BubbleProps, after: BubbleProps): boolean {
  const isSameHeader = before.header.kind === after.header.kind && before.header.name === after.header.name;
  const isSameShape = before.isFirst === after.isFirst && before.isLast === after.isLast && before.isMarked === after.isMarked;
  const isSamePayment = isSameList(before.claims, after.claims) && before.isRepeated === after.isRepeated;
  return (
    isSameHeader &&
    isSameShape &&
    isSamePayment &&
    before.message === after.message &&
    before.messenger === after.messenger &&
    before.id === after.id
  );
}

function isSameList(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index]);
}

function Note({ message, header }: { readonly message: ChatMessage; readonly header: ConversationHeader }): ReactElement {
  const t = useMessages();
  const about = message.body.kind === "group.note" ? message.body.person : null;
  const nameOf = useNameOf([about, message.author].filter((person) => person !== null));
  const text = textOfBody(t, message.body, nameOf);
  const who = message.author !== null ? nameOf(message.author) : message.direction === "out" ? t("common.you") : header.name;
  if (message.body.kind === "contact.accept") {
    const isOwn = message.direction === "out";
    return <p className={styles.beginning}>{isOwn ? t("inbox.youAccepted") : t("inbox.theyAccepted", { name: header.name })}</p>;
  }
  const isWhole = WHOLE_NOTES.includes(message.body.kind);
  return <p className={styles.beginning}>{isWhole ? text : t("inbox.noteBy", { who, text })}</p>;
}

function Day({ at }: { readonly at: number }): ReactElement {
  const language = useLanguage();
  const now = useNow(MINUTE_MS);
  return (
    <p className={styles.day}>
      <time dateTime={new Date(at).toISOString()}>{formatDay(language, at, now)}</time>
    </p>
  );
}
