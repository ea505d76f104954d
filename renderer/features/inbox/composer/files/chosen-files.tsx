// Files that wait in the composer: picked, pasted or dropped, until they are sent or put away.
import { Paperclip } from "lucide-react";
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from "react";
import { takeDroppedFiles } from "#renderer/lib/browser/window/dropped-files.ts";
import styles from "../composer.module.css";

/** Files sent at once at most. */
export const MAX_FILES = 10;

/** Files of a composer. */
export interface ChosenFiles {
  /** Those that wait, as they were chosen. */
  readonly files: readonly File[];
  /** Those that are being read and copied to be sent. */
  readonly leaving: readonly File[];
  /** True where more were chosen than wait. */
  readonly hasTooMany: boolean;
  add(files: Iterable<File>): void;
  remove(file: File): void;
  /** All that wait are being sent. */
  beginSending(): void;
  /** It is on its way. */
  endSending(file: File): void;
  /** What could not be sent waits again, before what was chosen meanwhile. */
  giveBack(files: readonly File[]): void;
}

interface FileState {
  readonly files: readonly File[];
  readonly leaving: readonly File[];
  readonly hasTooMany: boolean;
}

const NO_FILES: FileState = { files: [], leaving: [], hasTooMany: false };

/** Files that wait; pasted ones are added by themselves. */
export function useChosenFiles(): ChosenFiles {
  const [state, setState] = useState(NO_FILES);
  const add = (more: Iterable<File>): void => {
    // At once: the list of a field is emptied with the field, before React computes what comes of it.
    const added = [...more];
    setState((known) => withFiles(known, [...known.files, ...added]));
  };
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const pasted = [...(event.clipboardData?.files ?? [])];
      if (pasted.length === 0) return;
      event.preventDefault();
      setState((known) => withFiles(known, [...known.files, ...pasted]));
    };
    window.addEventListener("paste", onPaste);
    return (): void => window.removeEventListener("paste", onPaste);
  }, []);
  return {
    ...state,
    add,
    remove: (file) => setState((known) => ({ ...known, files: without(known.files, file), hasTooMany: false })),
    beginSending: () => setState(({ files, leaving }) => ({ files: [], leaving: [...leaving, ...files], hasTooMany: false })),
    endSending: (file) => setState((known) => ({ ...known, leaving: without(known.leaving, file) })),
    giveBack: (unsent) =>
      setState((known) => ({
        ...withFiles(known, [...unsent, ...known.files]),
        leaving: known.leaving.filter((file) => !unsent.includes(file)),
      })),
  };
}

function withFiles(state: FileState, files: readonly File[]): FileState {
  return { ...state, files: files.slice(0, MAX_FILES), hasTooMany: files.length > MAX_FILES };
}

function without(files: readonly File[], file: File): readonly File[] {
  return files.filter((other) => other !== file);
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

/** What a person picks from. */
export type PickKind = "photos" | "files";

/** The hidden field that picks files, to be shown once, and the way to open it. */
export function usePickFiles(chosen: ChosenFiles): { readonly input: ReactElement; readonly pick: (kind: PickKind) => void } {
  const field = useRef<HTMLInputElement>(null);
  const input = (
    <input
      ref={field}
      type="file"
      multiple
      hidden
      data-file-input
      onChange={(event): void => {
        chosen.add(event.target.files ?? []);
        event.target.value = "";
      }}
    />
  );
  const pick = (kind: PickKind): void => {
    if (field.current === null) return;
    field.current.accept = kind === "photos" ? "image/*,video/*" : "";
    field.current.click();
  };
  return { input, pick };
}
