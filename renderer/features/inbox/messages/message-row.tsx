// One row of a chat: a message, an album, a day, the mark above unread messages, the beginning, typing.
import type { ReactElement } from "react";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatDay } from "#renderer/lib/format/days.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { hasTrait } from "#shared/messenger/model/body-traits.ts";
import type { ChatMessage, ConversationId, MessageBody } from "#shared/messenger/model/message.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { textOfBody } from "../model/message-text.ts";
import { useNameOf } from "../model/use-name-of.ts";
import { Album } from "./album/album.tsx";
import styles from "./message-row.module.css";
import type { ChatRow } from "./rows/chat-row.ts";
import { SteadyBubble } from "./steady-bubble.tsx";

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
  /** The message that one was led to a moment ago. */
  readonly marked: string | undefined;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
}

export function MessageRow({ id, row, header, messenger, marked }: MessageRowProps): ReactElement {
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
    case "album":
      return <Album {...{ id, header, messenger, marked }} pictures={row.pictures} />;
    case "message":
      return hasTrait(row.message.body, "isNote") ? (
        <Note message={row.message} header={header} />
      ) : (
        <SteadyBubble {...{ id, header, messenger }} isMarked={row.key === marked} {...row} />
      );
  }
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
  const { locale } = useLanguage();
  const now = useNow(MINUTE_MS);
  return (
    <p className={styles.day}>
      <time dateTime={new Date(at).toISOString()}>{formatDay(locale, at, now)}</time>
    </p>
  );
}
