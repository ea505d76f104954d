// Says below the chosen files how a large one is sent, or why it cannot be, before the person tries.
import { type ReactElement, useEffect, useState } from "react";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { sizeInMegabytes } from "../../messages/files/file-size.ts";
import styles from "../composer.module.css";
import { type FileRefusal, refusalOf } from "./large-files.ts";

/** Time between two looks at who takes large files. */
const LOOK_MS = 2_000;

export interface FileNoteProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  readonly files: readonly File[];
}

/** Why it cannot be sent, or how it is sent. */
export function FileNote({ id, messenger, files }: FileNoteProps): ReactElement | null {
  const [found, setFound] = useState<{ readonly refusal: FileRefusal | undefined }>();
  useEffect(() => {
    let hasEnded = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const refusal = await refusalOf(messenger, id, files).catch(() => undefined);
      if (hasEnded) return;
      setFound({ refusal });
      // Their program may say meanwhile what it takes.
      if (refusal?.kind === "tooOld") timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return (): void => {
      hasEnded = true;
      clearTimeout(timer);
    };
  }, [messenger, id, files]);
  if (found === undefined) return null;
  return (
    <WithAllWords>
      <Words refusal={found.refusal} />
    </WithAllWords>
  );
}

function Words({ refusal }: { readonly refusal: FileRefusal | undefined }): ReactElement {
  const t = useMessages();
  if (refusal === undefined)
    return (
      <p role="status" className={styles.fileNote}>
        {t("chat.fileWaits")}
      </p>
    );
  return (
    <p role="status" className={styles.fileNote} data-problem>
      {t(refusal.kind === "tooOld" ? "chat.fileTooOld" : "chat.fileTooLarge", { size: sizeInMegabytes(refusal.limit) })}
    </p>
  );
}
