// What one can do with a chat in the list without opening it, by a menu at the pointer. Loaded while the page is idle.
import { type ComponentType, lazy, type ReactElement, type RefObject, Suspense, useState } from "react";
import { ContextMenu } from "#renderer/components/overlays/context-menu.tsx";
import { type ContextPopup, useContextMenu } from "#renderer/components/overlays/use-context-menu.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { useChatActions, useFolderAction } from "../chat/chat-settings.tsx";
import type { FoldersDialogProps } from "../chat/folders/folders-dialog.tsx";

const FoldersDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<FoldersDialogProps> }> => ({
    default: (await import("../chat/folders/folders-dialog.tsx")).FoldersDialog,
  }),
);

/** Attribute of the row of a conversation with its id. */
const ROW = "data-conversation";

export interface RowMenusProps {
  /** Around all rows. */
  readonly area: RefObject<HTMLElement | null>;
  readonly conversations: readonly ConversationSummary[];
  readonly messenger: Messenger;
}

/** The menu of the row that is pointed at. */
export function RowMenus({ area, conversations, messenger }: RowMenusProps): ReactElement | null {
  const conversationAt = (target: Element): ConversationSummary | undefined => {
    const id = target.closest(`[${ROW}]`)?.getAttribute(ROW);
    return conversations.find((conversation) => conversation.id === id);
  };
  const [filed, setFiled] = useState<ConversationId>();
  const pointed = useContextMenu(area, (target) => conversationAt(target) !== undefined);
  const conversation = pointed === undefined ? undefined : conversationAt(pointed.target);
  return (
    <>
      {pointed !== undefined && conversation !== undefined && (
        <RowMenu conversation={conversation} messenger={messenger} pointed={pointed} onFolders={(): void => setFiled(conversation.id)} />
      )}
      <Suspense fallback={null}>
        {filed !== undefined && <FoldersDialog id={filed} messenger={messenger} onClose={(): void => setFiled(undefined)} />}
      </Suspense>
    </>
  );
}

interface RowMenuProps {
  readonly conversation: ConversationSummary;
  readonly messenger: Messenger;
  readonly pointed: ContextPopup;
  readonly onFolders: () => void;
}

function RowMenu({ conversation, messenger, pointed, onFolders }: RowMenuProps): ReactElement {
  const settings = useChatActions(conversation.id, messenger, conversation);
  const filing = useFolderAction(onFolders);
  return <ContextMenu groups={[[...settings, filing]]} {...pointed} />;
}
