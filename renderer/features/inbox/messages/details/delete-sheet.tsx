// The question before something is deleted for oneself, and the note that undoes it; loaded with the first one.
import { type ReactElement, useState } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId, MessageKey } from "#shared/messenger/model/message.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";

/** Messages of one chat, or all of it. */
export type Deletable =
  | { readonly kind: "messages"; readonly keys: readonly MessageKey[] }
  | { readonly kind: "chat"; readonly id: ConversationId; readonly header: ConversationHeader };

export interface DeleteSheetProps {
  readonly open: boolean;
  readonly what: Deletable;
  readonly messenger: Messenger;
  readonly onClose: () => void;
  /** It is deleted, or about to be where that takes no time to be seen. */
  readonly onDelete?: () => void;
}

/** The question. */
export function DeleteSheet(props: DeleteSheetProps): ReactElement {
  return (
    <WithAllWords>
      <Sheet {...props} />
    </WithAllWords>
  );
}

function Sheet({ open, what, messenger, onClose, onDelete }: DeleteSheetProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  // While it closes, what it asked about may be gone already: it keeps its words.
  const [asked, setAsked] = useState(what);
  if (open && asked !== what) setAsked(what);
  const undo = async (removal: number): Promise<void> => {
    if (!(await messenger.undoRemoval(removal))) toasts.show({ title: t("chat.undoTooLate"), tone: "warning" });
  };
  const remove = async (): Promise<void> => {
    const removal = await (what.kind === "chat" ? messenger.deleteConversation(what.id) : messenger.deleteMessages(what.keys));
    onDelete?.();
    toasts.show({
      title: what.kind === "chat" ? t("chat.chatDeleted") : t("chat.deletedForMe", { count: what.keys.length }),
      // So much was deleted that it cannot be brought back.
      ...(removal !== 0 && {
        action: { label: t("common.undo"), onSelect: (): void => void undo(removal).catch(toasts.showError) },
      }),
    });
  };
  return (
    <ConfirmSheet
      open={open}
      danger
      {...wordsOf(t, asked)}
      onCancel={onClose}
      onConfirm={(): void => {
        onClose();
        remove().catch(toasts.showError);
      }}
    />
  );
}

function wordsOf(t: Translate, what: Deletable): { readonly title: string; readonly sentence: string; readonly confirmLabel: string } {
  if (what.kind === "chat")
    return { title: t("chat.deleteChatTitle"), sentence: lossInWords(t, what.header), confirmLabel: t("inbox.deleteChat") };
  const { length: count } = what.keys;
  return {
    title: t("chat.deleteSelected", { count }),
    sentence: t("chat.deleteSelectedText", { count }),
    confirmLabel: t("inbox.delete"),
  };
}

function lossInWords(t: Translate, { kind, name }: ConversationHeader): string {
  if (kind === "group") return t("chat.deleteChatGroup");
  return kind === "self" ? t("chat.deleteChatSelf") : t("chat.deleteChatText", { name });
}
