// A file in a chat: a picture is shown when it is whole, anything else can be saved. Nothing is opened by itself.
import { Download, File as FileIcon, TriangleAlert } from "lucide-react";
import { type ReactElement, Suspense } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useIsContact } from "#renderer/lib/people/contacts/use-is-contact.ts";
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId, StoredAttachment } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { mixesScripts } from "#shared/text/confusable-names.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { MarkedText } from "../../text/marked-text.tsx";
import { isWhole as hasWholeFile } from "../../viewer/shown-pictures.ts";
import { isVoiceNote } from "../cards/voice/voice-file.ts";
import { saysItself, VoiceNote } from "../cards/voice/voice-note.tsx";
import { trackOf } from "../cards/voice/voice-player.ts";
import styles from "./attachment.module.css";
import { fileSizeText } from "./file-size.ts";
import { Picture } from "./picture.tsx";

const LargeFile = lazyPart(async () => (await import("./large-file.tsx")).LargeFile);

/** Pictures that are shown; all others are files. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(IMAGE_TYPES);

export interface AttachmentProps {
  readonly id: ConversationId;
  readonly message: ChatMessage;
  readonly body: StoredAttachment;
  readonly messenger: Messenger;
  /** Who sent it; null when it is unknown. */
  readonly author: PublicKeyHex | null;
}

/** The picture or the file, how much of it is there, and its text. */
export function Attachment({ id, message, body, messenger, author }: AttachmentProps): ReactElement {
  const { transfer, direction } = message;
  const isWhole = hasWholeFile(message);
  const isContact = useIsContact(author);
  const isStranger = direction === "in" && !isContact;
  const isTaken = useIsInTouch(author);
  const file = <NamedFile message={message} body={body} messenger={messenger} isWhole={isWhole} />;
  const track = isVoiceNote(body) ? trackOf(id, message) : undefined;
  return (
    <div className={styles.attachment}>
      {body.image !== null && SHOWN_TYPES.has(body.mediaType) ? (
        <Picture {...{ message, body, messenger, isWhole, isStranger }} image={body.image}>
          {file}
        </Picture>
      ) : track !== undefined && isVoiceNote(body) ? (
        <VoiceNote {...{ message, body, track, messenger }} />
      ) : (
        file
      )}
      {isStranger && !isTaken && author !== null && transfer?.done === 0 ? (
        <NotTaken author={author} />
      ) : (
        !(track !== undefined && saysItself(message)) && <Progress message={message} body={body} messenger={messenger} />
      )}
      {body.caption !== "" && (
        <div className={styles.caption}>
          <MarkedText text={body.caption} />
        </div>
      )}
    </div>
  );
}

/** True for a person whose files are stored: one wrote to them, or is with them in a group in which one is no stranger. */
function useIsInTouch(person: PublicKeyHex | null): boolean {
  return useMessengerValue(({ conversations }) =>
    conversations.some(
      ({ isRequest, peer, group }) => person !== null && !isRequest && (peer === person || group?.members.includes(person) === true),
    ),
  );
}

type PartProps = Omit<AttachmentProps, "id" | "author"> & { readonly isWhole: boolean };

function NamedFile({ message, body, messenger, isWhole }: PartProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const save = async (): Promise<void> => {
    const { saveStoredFile } = await import("./save-stored-file.ts");
    await saveStoredFile(messenger, message.key, visibleText(body.name));
  };
  return (
    <div className={styles.file}>
      <FileIcon size={24} aria-hidden="true" />
      <span className={styles.name}>
        <bdi>{visibleText(body.name)}</bdi>
        {mixesScripts(body.name) && (
          <span className={styles.suspicious}>
            <TriangleAlert size={14} aria-hidden="true" />
            {t("inbox.mixedFileName")}
          </span>
        )}
        <span>{fileSizeText(t, body.size)}</span>
      </span>
      {isWhole && (
        <Button size="small" icon={Download} onClick={(): void => void save().catch(toasts.showError)}>
          {t("common.save")}
        </Button>
      )}
    </div>
  );
}

function Progress({ message, body, messenger }: Pick<AttachmentProps, "message" | "body" | "messenger">): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { transfer, direction, key } = message;
  if (transfer === null || (transfer.from === "history" && transfer.done < transfer.total)) return <NotHere />;
  if (transfer.from === "gone" || transfer.from === "copy" || transfer.from === "sender" || body.size > MAX_PUSHED_FILE_BYTES)
    return (
      <Suspense>
        <LargeFile message={message} body={body} messenger={messenger} />
      </Suspense>
    );
  if (transfer.done >= transfer.total) return null;
  const percent = Math.floor((100 * transfer.done) / transfer.total);
  return (
    <div className={styles.progress}>
      <progress value={transfer.done} max={transfer.total} aria-label={t("inbox.transfer")} />
      <span>{t("inbox.percent", { percent: String(percent) })}</span>
      {direction === "out" && transfer.from === undefined && (
        <Button size="small" onClick={(): void => void messenger.deleteForEveryone(key).catch(toasts.showError)}>
          {t("common.cancel")}
        </Button>
      )}
    </div>
  );
}

/** Files of strangers are not stored, so there is nothing to wait for. */
function NotTaken({ author }: { readonly author: PublicKeyHex }): ReactElement {
  const t = useMessages();
  return (
    <div className={styles.file}>
      <p className={styles.missing}>{t("inbox.fileOfStranger")}</p>
      <ButtonLink size="small" to="/contacts/$publicKey" params={{ publicKey: author }}>
        {t("inbox.openContact")}
      </ButtonLink>
    </div>
  );
}

/** The message came with a history, and its file did not, or not whole. */
function NotHere(): ReactElement {
  const t = useMessages();
  const transfer = useMessengerValue((messenger) => messenger.deviceTransfer);
  const isComing = transfer?.role === "receiving" && transfer.phase === "running";
  return <p className={styles.missing}>{t(isComing ? "inbox.fileComing" : "inbox.fileNotHere")}</p>;
}
