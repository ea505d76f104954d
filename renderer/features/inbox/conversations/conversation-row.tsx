// One conversation in the list.
import { AtSign, BadgeCheck, BellOff, Pin } from "lucide-react";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { useRowSize } from "#renderer/components/layout/row-size.ts";
import shared from "#renderer/components/styles/shared.module.css";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import styles from "../inbox.module.css";
import { MessageState } from "../messages/parts/message-state.tsx";
import { focusComposer } from "../model/composer-focus.ts";
import { ConversationPicture, useConversationHeader } from "../model/conversation-header.tsx";
import { formatListTime } from "../model/list-time.ts";
import { previewOf } from "../model/message-text.ts";
import { useNamesInLast } from "../model/use-name-of.ts";

const MINUTE_MS = 60_000;
/** Larger counts are shown as "99+". */
const MAX_COUNT = 99;

/** A link to the chat. */
export function ConversationRow({ conversation }: { readonly conversation: ConversationSummary }): ReactElement {
  const { id, unread, isMarkedUnread, updatedAt } = conversation;
  const t = useMessages();
  const header = useConversationHeader(id);
  const { face } = useRowSize();
  return (
    <ListRowLink
      isSlim
      data-conversation={id}
      to="/inbox/$conversation"
      params={{ conversation: id }}
      onClick={focusComposer}
      leading={<ConversationPicture header={header} size={face} />}
      heading={
        <span className={unread > 0 || isMarkedUnread ? styles.unreadName : undefined}>
          {header.name}
          {header.kind === "person" && header.isVerified && (
            <BadgeCheck size={14} className={shared.verified} role="img" aria-label={t("common.verified")} />
          )}
        </span>
      }
      meta={<ListTime at={updatedAt} />}
      subtitle={<Preview conversation={conversation} isSelf={header.kind === "self"} />}
      trailing={<RowEnd conversation={conversation} isSelf={header.kind === "self"} />}
    />
  );
}

function ListTime({ at }: { readonly at: number }): ReactElement {
  const language = useLanguage();
  const now = useNow(MINUTE_MS);
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactTime(language.locale, at)}>
      {formatListTime(language, at, now)}
    </time>
  );
}

interface PartProps {
  readonly conversation: ConversationSummary;
  readonly isSelf: boolean;
}

function Preview({ conversation, isSelf }: PartProps): ReactElement {
  const { draft, isTyping, lastMessage } = conversation;
  const t = useMessages();
  const nameOf = useNamesInLast(conversation);
  if (isTyping) return <span className={styles.typingText}>{t("inbox.typing")}</span>;
  if (draft !== "") {
    return (
      <>
        <span className={styles.draft}>{t("inbox.draft")}</span> <bdi>{draft.replace(/\s+/g, " ")}</bdi>
      </>
    );
  }
  if (lastMessage === null) return <span />;
  const text = previewOf(t, lastMessage.body, nameOf);
  if (lastMessage.author !== null) return <bdi>{t("inbox.noteBy", { who: nameOf(lastMessage.author), text })}</bdi>;
  return <bdi>{lastMessage.direction === "out" && !isSelf ? t("inbox.you", { text }) : text}</bdi>;
}

function RowEnd({ conversation, isSelf }: PartProps): ReactElement {
  const { isPinned, mutedUntil } = conversation;
  const t = useMessages();
  const now = useNow(MINUTE_MS);
  return (
    <span className={styles.rowEnd}>
      {mutedUntil > now && <BellOff size={14} className={styles.flag} role="img" aria-label={t("inbox.muted")} />}
      {isPinned && <Pin size={14} className={styles.flag} role="img" aria-label={t("inbox.pinned")} />}
      <RowMark conversation={conversation} isSelf={isSelf} />
    </span>
  );
}

function RowMark({ conversation, isSelf }: PartProps): ReactElement | null {
  const { unread, mentions, isMarkedUnread, isBlocked, lastMessage, draft } = conversation;
  const t = useMessages();
  if (isBlocked) return <Badge>{t("contacts.blocked")}</Badge>;
  if (unread > 0) {
    return (
      <>
        {mentions > 0 && <AtSign size={15} className={styles.mention} role="img" aria-label={t("inbox.mentioned")} />}
        <Badge tone="solid">
          <span aria-hidden="true">{unread > MAX_COUNT ? `${MAX_COUNT}+` : unread}</span>
          <VisuallyHidden>{t("inbox.unread", { count: unread })}</VisuallyHidden>
        </Badge>
      </>
    );
  }
  if (isMarkedUnread) return <span className={styles.unreadDot} role="img" aria-label={t("inbox.markedUnread")} />;
  const state = lastMessage?.state ?? null;
  return state === null || draft !== "" ? null : <MessageState state={state} isSelf={isSelf} />;
}
