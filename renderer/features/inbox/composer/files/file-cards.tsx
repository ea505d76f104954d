// The files above the text: a small picture, name and size, and a button that takes it away. One that is being sent turns a ring.
import { FileAudio, File as FileIcon, FileVideo, Image as ImageIcon, type LucideIcon, X } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { visibleText } from "#shared/text/visible-text.ts";
import { fileSizeText } from "../../messages/files/file-size.ts";
import { focusComposer } from "../../model/composer-focus.ts";
import { type ChosenFiles, MAX_FILES } from "./chosen-files.tsx";
import styles from "./file-cards.module.css";
import { thumbnailOf } from "./thumbnail.ts";

export interface FileCardsProps {
  readonly chosen: ChosenFiles;
}

/** Those that are being sent first, then those that wait, as they were chosen. */
export function FileCards(props: FileCardsProps): ReactElement {
  return (
    <WithAllWords>
      <Cards {...props} />
    </WithAllWords>
  );
}

function Cards({ chosen }: FileCardsProps): ReactElement {
  const t = useMessages();
  const remove = (file: File): void => {
    chosen.remove(file);
    // Its button goes with it.
    focusComposer();
  };
  return (
    <>
      <ul className={styles.files} aria-label={t("inbox.filesToSend")}>
        {chosen.leaving.map((file) => (
          <FileCard key={keyOf(file)} file={file} />
        ))}
        {chosen.files.map((file) => (
          <FileCard key={keyOf(file)} file={file} onRemove={(): void => remove(file)} />
        ))}
      </ul>
      {chosen.hasTooMany && (
        <p className={styles.note} role="status">
          {t("chat.filesMost", { count: MAX_FILES })}
        </p>
      )}
    </>
  );
}

function FileCard({ file, onRemove }: { readonly file: File; readonly onRemove?: () => void }): ReactElement {
  const t = useMessages();
  const name = visibleText(file.name);
  return (
    <li className={styles.card} aria-busy={onRemove === undefined}>
      <span className={styles.picture}>
        <Thumbnail file={file} />
        {onRemove === undefined && (
          <span className={styles.ring}>
            <Spinner />
          </span>
        )}
      </span>
      <span className={styles.words}>
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        <span className={styles.size}>{fileSizeText(t, file.size)}</span>
        {onRemove === undefined && <VisuallyHidden>{t("chat.fileLeaving")}</VisuallyHidden>}
      </span>
      {onRemove !== undefined && <IconButton icon={X} size="small" label={t("inbox.removeFile", { name })} onClick={onRemove} />}
    </li>
  );
}

/** Its name is beside it. */
function Thumbnail({ file }: { readonly file: File }): ReactElement {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    let made: string | undefined;
    void thumbnailOf(file, ending.signal).then((picture) => {
      if (picture === undefined || ending.signal.aborted) return;
      made = URL.createObjectURL(picture);
      setAddress(made);
    });
    return (): void => {
      ending.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [file]);
  const Icon = iconOf(file.type);
  return address === undefined ? <Icon size={24} aria-hidden="true" /> : <img src={address} alt="" />;
}

function iconOf(type: string): LucideIcon {
  if (type.startsWith("image/")) return ImageIcon;
  if (type.startsWith("audio/")) return FileAudio;
  return type.startsWith("video/") ? FileVideo : FileIcon;
}

const keys = new WeakMap<File, number>();
let lastKey = 0;

/** The same file can be chosen twice. */
function keyOf(file: File): number {
  const known = keys.get(file);
  if (known !== undefined) return known;
  lastKey += 1;
  keys.set(file, lastKey);
  return lastKey;
}
