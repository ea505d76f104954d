// What one can do with the selected messages, in place of the composer.
import { Copy, Forward, Star, StarOff, Trash2, X } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { hasTrait } from "#shared/messenger/model/body-traits.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { ForwardDialog } from "../../forward/forward-dialog.tsx";
import { canForward } from "../../forward/forward-message.ts";
import { focusComposer } from "../../model/composer-focus.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { mentionedIn, useNameOf } from "../../model/use-name-of.ts";
import { DeleteSheet } from "../details/delete-sheet.tsx";
import { withoutGone } from "./select-rows.ts";
import { selectedText } from "./selected-text.ts";
import styles from "./selection-bar.module.css";
import { endSelection, useSelection } from "./selection-store.ts";

export interface SelectionBarProps {
  readonly header: ConversationHeader;
  /** Of the chat, oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly messenger: Messenger;
}

/** The bar; shown while messages are selected. */
export function SelectionBar(props: SelectionBarProps): ReactElement {
  return (
    <WithAllWords>
      <Bar {...props} />
    </WithAllWords>
  );
}

function Bar({ header, messages, messenger }: SelectionBarProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const keys = useSelection((selection) => selection.keys);
  const [opened, setOpened] = useState<"forward" | "delete">();
  const selected = messages.filter(({ key }) => keys.has(key));
  const forwarded = selected.filter(canForward);
  const starred = selected.filter(({ id, body }) => id !== "" && !hasTrait(body, "isFixed"));
  const isStarred = starred.length > 0 && starred.every((message) => message.isStarred);
  useEffect(() => {
    if (messages.length > 0 && selected.length < keys.size) forgetGone(messages);
  });
  const people = selected.flatMap(({ author, body }) => [...(author === null ? [] : [author]), ...mentionedIn(body)]);
  const nameOf = useNameOf([...new Set(people)]);
  const copy = async (): Promise<void> => {
    if (!(await copyText(selectedText(t, selected, { nameOf, peer: header.name })))) return;
    toasts.show({ title: t("inbox.textCopied"), tone: "success" });
    leave();
  };
  const star = async (): Promise<void> => {
    for (const { key, isStarred: is } of starred) if (is === isStarred) await messenger.starMessage(key, !isStarred);
  };
  return (
    <section className={styles.bar} aria-label={t("chat.selection")}>
      <IconButton icon={X} label={t("chat.selectEnd")} shortcut="escape" onClick={leave} />
      <p className={styles.count} role="status">
        {t("chat.selected", { count: selected.length })}
      </p>
      <IconButton icon={Forward} label={t("inbox.forward")} disabled={forwarded.length === 0} onClick={(): void => setOpened("forward")} />
      <IconButton icon={Copy} label={t("inbox.copyText")} disabled={selected.length === 0} onClick={(): void => void copy()} />
      <IconButton
        icon={isStarred ? StarOff : Star}
        label={t(isStarred ? "inbox.unstar" : "inbox.star")}
        disabled={starred.length === 0}
        onClick={(): void => void star().then(leave, toasts.showError)}
      />
      <IconButton icon={Trash2} label={t("inbox.delete")} disabled={selected.length === 0} onClick={(): void => setOpened("delete")} />
      {opened === "forward" && (
        <ForwardDialog
          messages={forwarded}
          left={selected.length - forwarded.length}
          messenger={messenger}
          onSend={leave}
          onClose={(): void => setOpened(undefined)}
        />
      )}
      <DeleteSheet
        open={opened === "delete"}
        what={{ kind: "messages", keys: selected.map(({ key }) => key) }}
        messenger={messenger}
        onClose={(): void => setOpened(undefined)}
        onDelete={leave}
      />
    </section>
  );
}

/** What was deleted meanwhile, here or by its author, takes no place among the selected; with the last of them selecting ends. */
function forgetGone(messages: readonly ChatMessage[]): void {
  useSelection.setState((selection) => withoutGone(selection, new Set(messages.map(({ key }) => key))));
  if (useSelection.getState().keys.size === 0) leave();
}

function leave(): void {
  endSelection();
  focusComposer();
}
