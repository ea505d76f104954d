// Folders of chats: made, named, ordered and removed; with a chat, which of them it is in.
import { ArrowDown, ArrowUp, Folder, Plus, Trash2 } from "lucide-react";
import { type FormEvent, type ReactElement, useId, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { type ChatFolder, FOLDER_ID_BYTES, isFolderName, MAX_FOLDERS } from "#shared/content/chat/folder-content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { toHex } from "#shared/util/bytes.ts";
import styles from "./folders-dialog.module.css";
import { usePending } from "./use-pending.ts";

const NO_FOLDERS: readonly string[] = [];

export interface FoldersDialogProps {
  /** The chat that is put into folders; without it the folders themselves are changed. */
  readonly id?: ConversationId;
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

/** The dialog; open as long as it is mounted. */
export function FoldersDialog(props: FoldersDialogProps): ReactElement {
  return (
    <WithAllWords>
      <OpenDialog {...props} />
    </WithAllWords>
  );
}

function OpenDialog({ id, messenger, onClose }: FoldersDialogProps): ReactElement {
  const t = useMessages();
  const [folders, change] = usePending(
    messenger,
    (snapshot) => snapshot.folders,
    (next) => messenger.setFolders(next),
  );
  const [within, put] = usePending(
    messenger,
    ({ conversations }) => conversations.find((conversation) => conversation.id === id)?.folders ?? NO_FOLDERS,
    async (chosen) => {
      if (id !== undefined) await messenger.setChat(id, { folders: chosen });
    },
  );
  // Those that are gone take no room.
  const known = (chosen: readonly string[]): readonly string[] => chosen.filter((folder) => folders.some((other) => other.id === folder));
  const add = (name: string): void => {
    const folder = { id: toHex(crypto.getRandomValues(new Uint8Array(FOLDER_ID_BYTES))), name };
    change((all) => [...all, folder]);
    announce(t("chat.folderMade", { name }));
    if (id !== undefined) put((chosen) => [...known(chosen), folder.id]);
  };
  return (
    <Dialog open keepOpen title={t("inbox.folders")} description={t("chat.foldersText")} onOpenChange={onClose}>
      {folders.length === 0 && <EmptyState icon={Folder} title={t("chat.noFolders")} text={t("chat.noFoldersText")} />}
      {folders.length > 0 && (
        <ul className={styles.list} aria-label={t("inbox.folders")}>
          {folders.map((folder, index) => (
            <li key={folder.id} className={styles.row}>
              {id === undefined ? (
                <EditedFolder folders={folders} index={index} onChange={change} />
              ) : (
                <Checkbox
                  label={visibleText(folder.name)}
                  checked={within.includes(folder.id)}
                  onChange={(isIn): void =>
                    put((chosen) => [...known(chosen).filter((other) => other !== folder.id), ...(isIn ? [folder.id] : [])])
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {folders.length < MAX_FOLDERS && <NewFolder onAdd={add} />}
    </Dialog>
  );
}

interface EditedFolderProps {
  readonly folders: readonly ChatFolder[];
  readonly index: number;
  readonly onChange: (change: (folders: readonly ChatFolder[]) => readonly ChatFolder[]) => void;
}

function EditedFolder({ folders, index, onChange }: EditedFolderProps): ReactElement {
  const t = useMessages();
  const { id = "", name: saved = "" } = folders[index] ?? {};
  const [typed, setTyped] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const name = typed ?? saved;
  const isValid = isFolderName(name);
  const rename = (): void => {
    if (isValid && name.trim() !== saved) onChange((all) => all.map((folder) => (folder.id === id ? { id, name: name.trim() } : folder)));
    setTyped(undefined);
  };
  const move = (step: 1 | -1): void => {
    onChange((all) => {
      const from = all.findIndex((folder) => folder.id === id);
      const others = all.filter((folder) => folder.id !== id);
      return from === -1 ? all : others.toSpliced(from + step, 0, ...all.slice(from, from + 1));
    });
    announce(t("chat.folderMoved", { name: saved, number: index + 1 + step, count: folders.length }));
    // At an end the button that was pressed is switched off.
    if (index + step === 0 || index + step === folders.length - 1) field.current?.focus();
  };
  const remove = (event: { readonly currentTarget: HTMLElement }): void => {
    const row = event.currentTarget.closest("li");
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling ?? row?.closest("[role=dialog]")?.querySelector("form");
    neighbour?.querySelector("input")?.focus();
    onChange((all) => all.filter((folder) => folder.id !== id));
    announce(t("chat.folderRemoved", { name: saved }));
  };
  return (
    <>
      <form
        className={styles.name}
        onSubmit={(event): void => {
          event.preventDefault();
          rename();
        }}
      >
        <TextField
          ref={field}
          label={t("chat.folderName", { number: index + 1 })}
          hideLabel
          value={name}
          onChange={setTyped}
          onBlur={rename}
          {...(!isValid && { error: t("chat.folderNameWrong") })}
        />
      </form>
      <IconButton
        icon={ArrowUp}
        size="small"
        label={t("chat.folderUp", { name: saved })}
        disabled={index === 0}
        onClick={(): void => move(-1)}
      />
      <IconButton
        icon={ArrowDown}
        size="small"
        label={t("chat.folderDown", { name: saved })}
        disabled={index === folders.length - 1}
        onClick={(): void => move(1)}
      />
      <IconButton icon={Trash2} size="small" label={t("chat.folderRemove", { name: saved })} onClick={remove} />
    </>
  );
}

function NewFolder({ onAdd }: { readonly onAdd: (name: string) => void }): ReactElement {
  const t = useMessages();
  const formId = useId();
  const [name, setName] = useState("");
  const isTooLong = name.trim() !== "" && !isFolderName(name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isFolderName(name)) return;
    onAdd(name.trim());
    setName("");
  };
  return (
    <form id={formId} className={styles.row} onSubmit={submit}>
      <span className={styles.name}>
        <TextField
          label={t("chat.folderNew")}
          hideLabel
          value={name}
          onChange={setName}
          placeholder={t("chat.folderNew")}
          {...(isTooLong && { error: t("chat.folderNameWrong") })}
        />
      </span>
      <Button type="submit" icon={Plus} disabled={!isFolderName(name)}>
        {t("chat.folderAdd")}
      </Button>
    </form>
  );
}
