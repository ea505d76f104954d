// Starred messages of one chat or of all, newest first. Each leads to its place.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Star, StarOff } from "lucide-react";
import type { ReactElement } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useLanguage, useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { StarredMessage } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { jumpTo } from "../../model/chat-intent-store.ts";
import { ConversationPicture, useConversationHeader } from "../../model/conversation-header.tsx";
import { formatListTime } from "../../model/list-time.ts";
import { previewOf } from "../../model/message-text.ts";
import { mentionedIn, useNameOf } from "../../model/use-name-of.ts";
import styles from "./starred-dialog.module.css";

const MINUTE_MS = 60_000;

export interface StarredDialogProps {
  /** The chat; of all chats without it. */
  readonly id?: ConversationId;
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

/** The dialog; open as long as it is mounted. */
export function StarredDialog(props: StarredDialogProps): ReactElement {
  return (
    <WithAllWords>
      <OpenDialog {...props} />
    </WithAllWords>
  );
}

function OpenDialog({ id, messenger, onClose }: StarredDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const queryKey = ["starred-messages", id ?? ""];
  const query = useQuery({ queryKey, queryFn: () => messenger.starredMessages(id), retry: false, gcTime: 0, staleTime: 0 });
  const found = query.data;
  const open = ({ conversation, message: { key, at } }: StarredMessage): void => {
    onClose();
    jumpTo({ conversation, key, at });
    void navigate({ to: "/inbox/$conversation", params: { conversation }, resetScroll: false });
  };
  const remove = (key: string, button: HTMLElement): void => {
    // Its button goes, and the focus to the next one, or where the window is closed.
    const row = button.closest("li");
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling ?? row?.closest("[role=dialog]");
    [...(neighbour?.querySelectorAll("button") ?? [])].at(-1)?.focus();
    messenger
      .starMessage(key, false)
      .then(
        () => cache.setQueryData<readonly StarredMessage[]>(queryKey, (known) => known?.filter(({ message }) => message.key !== key)),
        toasts.showError,
      );
  };
  return (
    <Dialog open title={t("inbox.starredMessages")} onOpenChange={onClose}>
      <QueryState query={query} />
      {found?.length === 0 && <EmptyState icon={Star} title={t("chat.noStarred")} text={t("chat.noStarredText")} />}
      {found !== undefined && found.length > 0 && (
        <ul className={styles.list} aria-label={t("inbox.starredMessages")}>
          {found.map((starred) => (
            <li key={starred.message.key} className={styles.row}>
              <StarredRow starred={starred} isNamed={id === undefined} onOpen={(): void => open(starred)} />
              <IconButton
                icon={StarOff}
                size="small"
                label={t("chat.unstar")}
                onClick={({ currentTarget }): void => remove(starred.message.key, currentTarget)}
              />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface StarredRowProps {
  readonly starred: StarredMessage;
  /** Says which chat it is of. */
  readonly isNamed: boolean;
  readonly onOpen: () => void;
}

function StarredRow({ starred: { conversation, message }, isNamed, onOpen }: StarredRowProps): ReactElement {
  const t = useMessages();
  const language = useLanguage();
  const now = useNow(MINUTE_MS);
  const { direction, author, at, body } = message;
  const header = useConversationHeader(conversation);
  const people: readonly PublicKeyHex[] = [...(author === null ? [] : [author]), ...mentionedIn(body)];
  const nameOf = useNameOf(people);
  const who = direction === "out" ? t("common.you") : author === null ? header.name : nameOf(author);
  return (
    <ListRow
      onClick={onOpen}
      leading={isNamed && <ConversationPicture header={header} size={32} />}
      heading={isNamed && header.name !== who ? t("chat.starredIn", { who, chat: header.name }) : who}
      meta={<time dateTime={new Date(at).toISOString()}>{formatListTime(language, at, now)}</time>}
      subtitle={<bdi>{previewOf(t, body, nameOf)}</bdi>}
    />
  );
}
