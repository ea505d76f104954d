// What becomes of a large file, or of one that is copied into the store: how far it is, and what can be done about it.
import { Download } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeptFocus } from "#renderer/components/layout/kept-focus.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, StoredAttachment, Transfer } from "#shared/messenger/model/message.ts";
import styles from "./attachment.module.css";
import { sizeInMegabytes } from "./file-size.ts";

export interface LargeFileProps {
  readonly message: ChatMessage;
  readonly body: StoredAttachment;
  readonly messenger: Messenger;
}

/** Its state, where it is not whole here; for the sender, how far the one is who downloads it. */
export function LargeFile(props: LargeFileProps): ReactElement {
  return (
    <WithAllWords>
      <KeptFocus>
        <State {...props} />
      </KeptFocus>
    </WithAllWords>
  );
}

function State({ message, body, messenger }: LargeFileProps): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { transfer, key, direction } = message;
  const run = (action: Promise<unknown>): void => void action.catch(toasts.showError);
  const download = async (): Promise<void> => {
    if (await hasRoom(body.size)) await messenger.downloadFile(key);
    else toasts.show({ title: t("chat.fileNoRoom"), tone: "danger" });
  };
  if (transfer?.from === "gone") return <p className={styles.missing}>{t("chat.fileGone")}</p>;
  if (transfer === null || transfer.done >= transfer.total) return null;
  if (transfer.from === "copy")
    return (
      <Bar transfer={transfer} label={t("chat.fileCopying")}>
        <Button size="small" onClick={(): void => run(messenger.cancelCopy(key))}>
          {t("common.cancel")}
        </Button>
      </Bar>
    );
  if (transfer.from === "sender" && transfer.isAsked === true)
    return (
      <Bar transfer={transfer} label={t("chat.fileDownloading")}>
        <Button size="small" onClick={(): void => run(messenger.stopDownload(key))}>
          {t("chat.fileStop")}
        </Button>
      </Bar>
    );
  if (transfer.from === "sender")
    return (
      <div className={styles.progress}>
        <Button size="small" icon={Download} onClick={(): void => run(download())}>
          {t(transfer.done === 0 ? "chat.fileDownload" : "chat.fileContinue", { size: sizeInMegabytes(body.size) })}
        </Button>
      </div>
    );
  if (direction !== "out" || transfer.from !== undefined) return null;
  if (transfer.isHeldUp === true) return <Bar transfer={transfer} label={t("chat.fileHeldUp")} />;
  if (transfer.done === 0) return <p className={styles.missing}>{t("chat.fileWaits")}</p>;
  return <Bar transfer={transfer} label={t("chat.fileServed")} />;
}

/** Whether the browser would store so much more, as far as it says. */
async function hasRoom(bytes: number): Promise<boolean> {
  const { quota, usage } = (await navigator.storage?.estimate()) ?? {};
  return quota === undefined || usage === undefined || quota - usage >= bytes;
}

function Bar(props: { readonly transfer: Transfer; readonly label: string; readonly children?: ReactElement }): ReactElement {
  const t = useMessages();
  const { transfer, label, children } = props;
  const percent = String(Math.floor((100 * transfer.done) / transfer.total));
  return (
    <div className={styles.progress}>
      <progress value={transfer.done} max={transfer.total} aria-label={label} />
      <span>
        {label} {t("inbox.percent", { percent })}
      </span>
      {children}
    </div>
  );
}
