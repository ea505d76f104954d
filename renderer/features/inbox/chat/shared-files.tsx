// Pictures and files of a chat, newest first. Each leads to its message.
import { File } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { previewAddress } from "#renderer/lib/browser/preview-address.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { entryOf, isInPeople } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { SharedFiles } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage, ConversationId, StoredAttachment } from "#shared/messenger/model/message.ts";
import { jumpTo } from "../model/chat-intent-store.ts";
import styles from "./chat-info.module.css";

const PAGE = 24;

export interface SharedFilesProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  /** One was led to a message. */
  readonly onLeave: () => void;
}

export function SharedFilesSection({ id, messenger, onLeave }: SharedFilesProps): ReactElement {
  const t = useMessages();
  const { files, next, isLoading, more } = useSharedFiles(messenger, id);
  const go = ({ key, at }: ChatMessage): void => {
    onLeave();
    jumpTo({ conversation: id, key, at });
  };
  const { directory } = useContactDirectory();
  const isShown = ({ direction, author }: ChatMessage): boolean => direction === "out" || isInPeople(entryOf(directory, author ?? id));
  const found = files.map((file) => ({
    ...file,
    preview: isShown(file.message) && file.body.image !== null ? previewAddress(file.body.image.preview) : undefined,
  }));
  const pictures = found.filter(({ preview }) => preview !== undefined);
  const others = found.filter(({ preview }) => preview === undefined);
  return (
    <Section title={t("inbox.sharedFiles")}>
      {files.length === 0 && !isLoading && next === null && <p className={shared.hint}>{t("inbox.noSharedFiles")}</p>}
      {pictures.length > 0 && (
        <ul className={styles.pictures} aria-label={t("inbox.sharedPictures")}>
          {pictures.map(({ message, body, preview }) => (
            <li key={message.key}>
              <button type="button" className={styles.picture} onClick={(): void => go(message)}>
                <img src={preview} alt={t("inbox.picture", { name: body.name })} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={styles.files} aria-label={t("inbox.sharedOthers")}>
          {others.map(({ message, body }) => (
            <li key={message.key}>
              <FileRow message={message} body={body} onClick={(): void => go(message)} />
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <Button size="small" disabled={isLoading} onClick={more}>
          {t("inbox.moreSharedFiles")}
        </Button>
      )}
    </Section>
  );
}

function FileRow(props: { readonly message: ChatMessage; readonly body: StoredAttachment; readonly onClick: () => void }): ReactElement {
  const { message, body, onClick } = props;
  return (
    <ListRow onClick={onClick} leading={<File size={20} aria-hidden="true" />} heading={body.name} subtitle={<Time at={message.at} />} />
  );
}

interface Found {
  readonly message: ChatMessage;
  readonly body: StoredAttachment;
}

/** Files found so far, and the way to more. */
function useSharedFiles(
  messenger: Messenger,
  id: ConversationId,
): { readonly files: readonly Found[]; readonly next: SharedFiles["next"]; readonly isLoading: boolean; readonly more: () => void } {
  const toasts = useToasts();
  const [found, setFound] = useState<SharedFiles>({ messages: [], next: null });
  const [before, setBefore] = useState<SharedFiles["next"]>(null);
  const [isLoading, setLoading] = useState(true);
  useEffect(() => {
    let isCurrent = true;
    setLoading(true);
    messenger
      .sharedFiles(id, { before, limit: PAGE })
      .then((page) => {
        if (isCurrent)
          setFound((known) => ({ messages: before === null ? page.messages : [...known.messages, ...page.messages], next: page.next }));
      }, toasts.showError)
      .finally(() => isCurrent && setLoading(false));
    return (): void => {
      isCurrent = false;
    };
  }, [messenger, id, before, toasts]);
  const files = found.messages.flatMap((message) => (message.body.kind === "attachment" ? [{ message, body: message.body }] : []));
  return { files, next: found.next, isLoading, more: () => setBefore(found.next) };
}
