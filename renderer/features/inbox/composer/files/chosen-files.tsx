// Files that wait in the composer: picked, pasted or dropped, until they are sent or put away.
import { Paperclip, X } from "lucide-react";
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { takeDroppedFiles } from "#renderer/lib/browser/window/dropped-files.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { focusComposer } from "../../model/composer-focus.ts";
import styles from "../composer.module.css";

/** Files sent at once at most. */
const MAX_FILES = 10;

/** Files of a composer. */
export interface ChosenFiles {
  readonly files: readonly File[];
  add(files: Iterable<File>): void;
  remove(file: File): void;
  clear(): void;
}

/** Files that wait; pasted ones are added by themselves. */
export function useChosenFiles(): ChosenFiles {
  const [files, setFiles] = useState<readonly File[]>([]);
  const add = (more: Iterable<File>): void => {
    // At once: the list of a field is emptied with the field, before React computes what comes of it.
    const added = [...more];
    setFiles((known) => [...known, ...added].slice(0, MAX_FILES));
  };
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const pasted = [...(event.clipboardData?.files ?? [])];
      if (pasted.length === 0) return;
      event.preventDefault();
      setFiles((known) => [...known, ...pasted].slice(0, MAX_FILES));
    };
    window.addEventListener("paste", onPaste);
    return (): void => window.removeEventListener("paste", onPaste);
  }, []);
  return {
    files,
    add,
    remove: (file) => setFiles((known) => known.filter((other) => other !== file)),
    clear: () => setFiles([]),
  };
}

/** Says where files go that are dragged over the window: anywhere beside a dialog, they go into the composer of the open chat. */
export function DropHint({ chosen, label }: { readonly chosen: ChosenFiles; readonly label: string }): ReactElement | null {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((files: readonly File[]) => chosen.add(files));
  useEffect(() => {
    const root = document.getElementById("root");
    return takeDroppedFiles(window, (target) => target instanceof Node && root?.contains(target) === true, {
      onOver: setOver,
      onFiles: (files) => take(files),
    });
  }, []);
  if (!isOver) return null;
  return (
    <div className={styles.dropHint}>
      <Paperclip size={20} aria-hidden="true" />
      {label}
    </div>
  );
}

/** What picks files, given the way to do so. */
export function PickFiles(props: { readonly chosen: ChosenFiles; readonly children: (pick: () => void) => ReactElement }): ReactElement {
  const { chosen, children } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-file-input
        onChange={(event): void => {
          chosen.add(event.target.files ?? []);
          event.target.value = "";
        }}
      />
      {children(() => input.current?.click())}
    </>
  );
}

/** The files above the text. */
export function FileChips({ chosen }: { readonly chosen: ChosenFiles }): ReactElement | null {
  const t = useMessages();
  if (chosen.files.length === 0) return null;
  const remove = (file: File): void => {
    chosen.remove(file);
    // Its button goes with it.
    focusComposer();
  };
  return (
    <ul className={styles.files} aria-label={t("inbox.filesToSend")}>
      {chosen.files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`} className={styles.fileChip}>
          <bdi>{file.name}</bdi>
          <IconButton icon={X} size="small" label={t("inbox.removeFile", { name: file.name })} onClick={(): void => remove(file)} />
        </li>
      ))}
    </ul>
  );
}
