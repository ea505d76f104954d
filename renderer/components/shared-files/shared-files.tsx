// Pictures, files and links of a chat, newest first. Each leads to its message.
import { File, Link as LinkIcon } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { previewAddress } from "#renderer/lib/browser/preview-address.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { entryOf, isInPeople } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { firstLink } from "#shared/content/chat/link-preview.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { FoundMessage } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage, ConversationId } from "#shared/messenger/model/message.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { Time } from "../basics/time.tsx";
import { Button } from "../controls/button.tsx";
import { Pending } from "../feedback/pending.tsx";
import { ListRow } from "../layout/list-row.tsx";
import { Section } from "../layout/section.tsx";
import shared from "../styles/shared.module.css";
import styles from "./shared-files.module.css";
import { useSharedFiles, useSharedLinks } from "./use-shared-files.ts";

/** Longest address or text that a row shows, UTF-16 units. */
const MAX_SHOWN = 200;

export interface SharedFilesProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  /** Leads to a message of the chat. */
  readonly onOpen: (message: Pick<ChatMessage, "key" | "at">) => void;
}

/** The section. */
export function SharedFilesSection(props: SharedFilesProps): ReactElement {
  const t = useMessages();
  return (
    <Section title={t("inbox.sharedFiles")}>
      <div className={styles.parts} data-in-order="">
        <Files {...props} />
        <Links key={props.id} {...props} />
      </div>
    </Section>
  );
}

function Files({ id, messenger, onOpen }: SharedFilesProps): ReactElement {
  const t = useMessages();
  const { files, next, isLoading, more } = useSharedFiles(messenger, id);
  const { directory } = useContactDirectory();
  const isShown = ({ direction, author }: ChatMessage): boolean => direction === "out" || isInPeople(entryOf(directory, author ?? id));
  const found = files.map((file) => ({
    ...file,
    preview: isShown(file.message) && file.body.image !== null ? previewAddress(file.body.image.preview) : undefined,
  }));
  const pictures = found.filter(({ preview }) => preview !== undefined);
  const others = found.filter(({ preview }) => preview === undefined);
  return (
    <>
      {isLoading && files.length === 0 && <Pending />}
      {files.length === 0 && !isLoading && next === null && <p className={shared.hint}>{t("inbox.noSharedFiles")}</p>}
      {pictures.length > 0 && (
        <ul className={styles.pictures} aria-label={t("inbox.sharedPictures")}>
          {pictures.map(({ message, body, preview }) => (
            <li key={message.key}>
              <button type="button" className={styles.picture} onClick={(): void => onOpen(message)}>
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
              <ListRow
                onClick={(): void => onOpen(message)}
                leading={<File size={20} aria-hidden="true" />}
                heading={<bdi>{visibleText(body.name)}</bdi>}
                subtitle={<Time at={message.at} />}
              />
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <Button size="small" disabled={isLoading} onClick={more}>
          {t("inbox.moreSharedFiles")}
        </Button>
      )}
    </>
  );
}

/** Links are looked for when they are wanted. */
function Links({ id, messenger, onOpen }: SharedFilesProps): ReactElement {
  const t = useMessages();
  const list = useRef<HTMLDivElement>(null);
  const [isBusy, setBusy] = useState(false);
  const { links, load } = useSharedLinks(messenger, id);
  const show = async (): Promise<void> => {
    setBusy(true);
    await load();
    setBusy(false);
  };
  // The button that had the focus is gone: the first link has it, or what says that there is none.
  const areShown = links !== undefined;
  useEffect(() => {
    if (areShown) (list.current?.querySelector("button") ?? list.current)?.focus();
  }, [areShown]);
  if (links === undefined)
    return (
      <Button size="small" icon={LinkIcon} busy={isBusy} onClick={(): void => void show()}>
        {t("chat.showLinks")}
      </Button>
    );
  return (
    <div ref={list} className={styles.files} tabIndex={-1}>
      {links.length === 0 && (
        <div className={styles.hint}>
          <p className={shared.hint}>{t("chat.noLinks")}</p>
        </div>
      )}
      {links.length > 0 && (
        <ul className={styles.files} aria-label={t("chat.filter.link")}>
          {links.map((message) => (
            <li key={message.key}>
              <ListRow
                onClick={(): void => onOpen(message)}
                leading={<LinkIcon size={20} aria-hidden="true" />}
                heading={<bdi>{linkIn(message)}</bdi>}
                subtitle={<Time at={message.at} />}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The first address of a message, or its words: what others wrote, as text. */
function linkIn({ body }: FoundMessage): string {
  const text = "text" in body ? body.text : "caption" in body ? body.caption : "";
  return visibleText((firstLink(text) ?? text).slice(0, MAX_SHOWN));
}
