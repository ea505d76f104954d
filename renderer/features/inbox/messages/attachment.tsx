// A file in a chat: a picture is shown when it is whole, anything else can be saved. Nothing is opened by itself.
import { Download, File as FileIcon } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import type { Messenger } from "#renderer/messenger/messenger.ts";
import type { ChatMessage, StoredAttachment } from "#renderer/messenger/model/message.ts";
import { saveBytes } from "../model/save-bytes.ts";
import styles from "./attachment.module.css";

/** Pictures that are shown; all others are files. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(["image/webp", "image/jpeg", "image/png", "image/gif", "image/avif"]);
const KIB = 1_024;

export interface AttachmentProps {
  readonly message: ChatMessage;
  readonly body: StoredAttachment;
  readonly messenger: Messenger;
}

/** The picture or the file, how much of it is there, and its text. */
export function Attachment({ message, body, messenger }: AttachmentProps): ReactElement {
  const { transfer, direction } = message;
  const isHere = direction === "out" && transfer?.from === undefined;
  const isWhole = transfer !== null && (isHere || transfer.done >= transfer.total);
  return (
    <div className={styles.attachment}>
      {body.image !== null && SHOWN_TYPES.has(body.mediaType) ? (
        <Picture message={message} body={body} image={body.image} messenger={messenger} isWhole={isWhole} />
      ) : (
        <NamedFile message={message} body={body} messenger={messenger} isWhole={isWhole} />
      )}
      <Progress message={message} messenger={messenger} />
      {body.caption !== "" && (
        <p className={styles.caption} dir="auto">
          {body.caption}
        </p>
      )}
    </div>
  );
}

type PartProps = AttachmentProps & { readonly isWhole: boolean };

function Picture(props: PartProps & { readonly image: NonNullable<StoredAttachment["image"]> }): ReactElement {
  const { message, body, image, messenger, isWhole } = props;
  const t = useMessages();
  const address = usePicture(messenger, isWhole ? message.key : undefined, body.mediaType);
  const preview = image.preview === "" ? undefined : `data:image/webp;base64,${image.preview}`;
  return (
    <img
      className={styles.picture}
      data-preview={address === undefined || undefined}
      src={address ?? preview}
      width={image.width}
      height={image.height}
      alt={t("inbox.picture", { name: body.name })}
    />
  );
}

/** Address of a picture in memory, until the component is gone. */
function usePicture(messenger: Messenger, key: string | undefined, mediaType: string): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (key === undefined) return undefined;
    let made: string | undefined;
    let hasEnded = false;
    messenger.readFile(key).then(
      (bytes) => {
        if (bytes === undefined || hasEnded) return;
        made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
        setAddress(made);
      },
      () => undefined,
    );
    return (): void => {
      hasEnded = true;
      setAddress(undefined);
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [messenger, key, mediaType]);
  return address;
}

function NamedFile({ message, body, messenger, isWhole }: PartProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const save = async (): Promise<void> => {
    const bytes = await messenger.readFile(message.key);
    if (bytes !== undefined) saveBytes(body.name, bytes);
  };
  return (
    <div className={styles.file}>
      <FileIcon size={24} aria-hidden="true" />
      <span className={styles.name}>
        <bdi>{body.name}</bdi>
        <span>{t("inbox.kibibytes", { size: String(Math.max(1, Math.round(body.size / KIB))) })}</span>
      </span>
      {isWhole && (
        <Button size="small" icon={Download} onClick={(): void => void save().catch(toasts.showError)}>
          {t("common.save")}
        </Button>
      )}
    </div>
  );
}

function Progress({ message, messenger }: Pick<AttachmentProps, "message" | "messenger">): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { transfer, direction, key } = message;
  if (transfer === null || (transfer.from === "history" && transfer.done < transfer.total)) return <NotHere />;
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

/** The message came with a history, and its file did not, or not whole. */
function NotHere(): ReactElement {
  const t = useMessages();
  const { deviceTransfer: transfer } = useMessengerSnapshot();
  const isComing = transfer?.role === "receiving" && transfer.phase === "running";
  return <p className={styles.missing}>{t(isComing ? "inbox.fileComing" : "inbox.fileNotHere")}</p>;
}
