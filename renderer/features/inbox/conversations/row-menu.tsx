// What one can do with a chat in the list without opening it, by a menu at the pointer. Loaded while the page is idle.
import type { ReactElement, RefObject } from "react";
import { ContextMenu } from "#renderer/components/overlays/context-menu.tsx";
import { type ContextPopup, useContextMenu } from "#renderer/components/overlays/use-context-menu.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import { useChatActions } from "../chat/chat-settings.tsx";

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
  const pointed = useContextMenu(area, (target) => conversationAt(target) !== undefined);
  const conversation = pointed === undefined ? undefined : conversationAt(pointed.target);
  if (pointed === undefined || conversation === undefined) return null;
  return <RowMenu conversation={conversation} messenger={messenger} pointed={pointed} />;
}

interface RowMenuProps {
  readonly conversation: ConversationSummary;
  readonly messenger: Messenger;
  readonly pointed: ContextPopup;
}

function RowMenu({ conversation, messenger, pointed }: RowMenuProps): ReactElement {
  const settings = useChatActions(conversation.id, messenger, conversation);
  return <ContextMenu groups={[settings]} {...pointed} />;
}
