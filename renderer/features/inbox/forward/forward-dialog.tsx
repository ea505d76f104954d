// Choosing the chats that messages are sent on to.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { VirtualList } from "#renderer/components/layout/virtual-list.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useChatNames } from "#renderer/lib/people/names/use-chat-names.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationSummary } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage, ConversationId } from "#shared/messenger/model/message.ts";
import styles from "../groups/people-picker.module.css";
import { ConversationPicture, useConversationHeader } from "../model/conversation-header.tsx";
import { forwardMessages, MAX_FORWARDS } from "./forward-message.ts";

const ROW_PX = 40;
const MAX_ROWS = 7;

export interface ForwardDialogProps {
  /** What is sent on, oldest first. */
  readonly messages: readonly ChatMessage[];
  /** So many that were chosen with them cannot be. */
  readonly left?: number;
  readonly messenger: Messenger;
  readonly onSend?: () => void;
  readonly onClose: () => void;
}

export function ForwardDialog(props: ForwardDialogProps): ReactElement {
  return (
    <WithAllWords>
      <OpenDialog {...props} />
    </WithAllWords>
  );
}

function OpenDialog({ messages, left = 0, messenger, onSend, onClose }: ForwardDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<readonly ConversationId[]>([]);
  const targets = useTargets();
  const nameOf = useChatNames(targets);
  const needle = query.trim().toLowerCase();
  const shown = targets.filter((id) => nameOf(id).toLowerCase().includes(needle));
  const send = (): void => {
    onClose();
    onSend?.();
    forwardMessages(messenger, messages, chosen).then(({ left: missing, refused }) => {
      const count = chosen.length - refused.size;
      if (missing < messages.length && count > 0) toasts.show({ title: t("chat.forwarded", { count }), tone: "success" });
      if (missing > 0) toasts.show({ title: t("chat.forwardLeft", { count: missing }), tone: "warning" });
      for (const [id, error] of refused)
        toasts.show({ title: t("chat.forwardRefused", { name: nameOf(id) }), description: errorInWords(t, error).title, tone: "danger" });
    }, toasts.showError);
  };
  const toggle = (id: ConversationId, isChosen: boolean): void =>
    setChosen(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id));
  return (
    <Dialog
      open
      title={t("chat.forwardTitle")}
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" disabled={chosen.length === 0} onClick={send}>
            {t("inbox.forward")}
          </Button>
        </>
      }
    >
      <div className={shared.stack3}>
        {left > 0 && <p className={shared.hint}>{t("chat.forwardLeft", { count: left })}</p>}
        <TextField label={t("chat.forwardFind")} type="search" value={query} onChange={setQuery} />
        <div className={styles.people} style={{ height: (Math.min(shown.length, MAX_ROWS) + 1 / 2) * ROW_PX }}>
          <VirtualList
            label={t("inbox.chats")}
            items={shown}
            keyOf={(id): string => id}
            estimateSize={ROW_PX}
            renderItem={(id): ReactElement => (
              <div className={styles.row}>
                <Checkbox
                  label={<Target id={id} />}
                  checked={chosen.includes(id)}
                  disabled={!chosen.includes(id) && chosen.length >= MAX_FORWARDS}
                  onChange={(isChosen): void => toggle(id, isChosen)}
                />
              </div>
            )}
          />
        </div>
      </div>
    </Dialog>
  );
}

function Target({ id }: { readonly id: ConversationId }): ReactElement {
  const header = useConversationHeader(id);
  return (
    <span className={styles.person}>
      <ConversationPicture header={header} size={28} />
      {header.name}
    </span>
  );
}

/** People one is in touch with and groups one is in, as the list of chats has them, and one's own notes. */
function useTargets(): readonly ConversationId[] {
  const { masterPub } = useAccount();
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  const targets = conversations.filter(takesMessages).map(({ id }) => id);
  return targets.includes(masterPub) ? targets : [...targets, masterPub];
}

function takesMessages({ kind, group, isRequest, isBlocked }: ConversationSummary): boolean {
  if (kind === "unknown" || isRequest || isBlocked) return false;
  return kind !== "group" || group?.isMember === true;
}
