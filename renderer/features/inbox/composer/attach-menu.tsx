// The button beside the text for what is no text: files, and a poll.
import { CalendarClock, ChartBarBig, Paperclip } from "lucide-react";
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { type ChosenFiles, PickFiles } from "./files/chosen-files.tsx";
import type { PollDialogProps } from "./poll/poll-dialog.tsx";

const PollDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<PollDialogProps> }> => ({
    default: (await import("./poll/poll-dialog.tsx")).PollDialog,
  }),
);

export interface AttachMenuProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  readonly chosen: ChosenFiles;
  /** Nothing but files where nobody else reads along. */
  readonly mayPoll: boolean;
  /** Asks when to send what is in the field; undefined where nothing is. */
  readonly onLater: (() => void) | undefined;
}

export function AttachMenu({ id, messenger, chosen, mayPoll, onLater }: AttachMenuProps): ReactElement {
  const t = useMessages();
  const hasWords = useAllWords();
  const [isPolling, setPolling] = useState(false);
  return (
    <>
      <PickFiles chosen={chosen}>
        {(pick): ReactElement =>
          (mayPoll || onLater !== undefined) && hasWords ? (
            <Menu
              trigger={<IconButton icon={Paperclip} label={t("chat.attach")} />}
              groups={[
                [
                  { label: t("inbox.attach"), icon: Paperclip, onSelect: pick },
                  ...(mayPoll
                    ? [{ label: t("chat.poll"), icon: ChartBarBig, movesFocus: true, onSelect: (): void => setPolling(true) }]
                    : []),
                  ...(onLater === undefined ? [] : [{ label: t("chat.later"), icon: CalendarClock, movesFocus: true, onSelect: onLater }]),
                ],
              ]}
            />
          ) : (
            <IconButton icon={Paperclip} label={t("inbox.attach")} onClick={pick} />
          )
        }
      </PickFiles>
      <Suspense fallback={null}>
        {isPolling && <PollDialog id={id} messenger={messenger} onClose={(): void => setPolling(false)} />}
      </Suspense>
    </>
  );
}
