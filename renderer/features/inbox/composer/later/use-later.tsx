// Sending what is in the field at a time.
import { type KeyboardEvent, type ReactElement, type RefObject, Suspense, useState } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { setComposerMode, useChatIntents } from "../../model/chat-intent-store.ts";
import type { ChatCommand } from "../../payments/chat-command.ts";
import type { ChosenFiles } from "../files/chosen-files.tsx";
import type { LinkNoteState } from "../links/use-link-note.tsx";
import { type MentionPort, NO_MENTIONS } from "../mentions/mention-port.ts";
import type { Draft } from "../use-draft.ts";
import { laterReason } from "./later-reason.ts";

const LaterNote = lazyPart(async () => (await import("./later-note.tsx")).LaterNote);
const SendLater = lazyPart(async () => (await import("./send-later.tsx")).SendLater);

export interface Later {
  /** Asks for the time; undefined where there is nothing that could be sent later. */
  readonly ask: (() => void) | undefined;
  readonly dialog: ReactElement;
  /** Says why nothing can be sent later; undefined where that is plain. */
  readonly explain: (() => void) | undefined;
  /** True for Alt and Enter, which ask for it. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

interface LaterContext {
  readonly mentions: RefObject<MentionPort | null>;
  readonly links: LinkNoteState;
  readonly command: ChatCommand | undefined;
  readonly chosen: ChosenFiles;
  readonly canSend: boolean;
}

/** Of the composer of a chat. Words that could not be stored come back into the field. */
export function useLater(
  { id, messenger }: { readonly id: ConversationId; readonly messenger: Messenger },
  draft: Draft,
  { mentions, links, command, chosen, canSend }: LaterContext,
): Later {
  const toasts = useToasts();
  const mode = useChatIntents((intents) => intents.modes[id]);
  const [isAsking, setAsking] = useState(false);
  const schedule = (dueAt: number): void => {
    const typed = draft.take();
    const { text, mentions: named } = (mentions.current ?? NO_MENTIONS).sentOf(typed);
    const preview = links.previewOf(text);
    const replyTo = mode?.kind === "reply" ? mode.message.key : undefined;
    const said = { text, ...(named && { mentions: named }), ...(preview && { preview }) };
    messenger.scheduleMessage(id, { ...said, dueAt, ...(replyTo !== undefined && { replyTo }) }).catch((error: unknown) => {
      draft.giveBack(typed);
      toasts.showError(error);
    });
    setComposerMode(id, undefined);
  };
  const mayAsk = canSend && command === undefined && chosen.files.length === 0 && mode?.kind !== "edit";
  const [isExplaining, setExplaining] = useState(false);
  const reason = laterReason({ hasFiles: chosen.files.length > 0, isCommand: command !== undefined, isEdit: mode?.kind === "edit" });
  const explain = (): void => setExplaining(true);
  return {
    ask: mayAsk ? (): void => setAsking(true) : undefined,
    onKey: ({ key, altKey, ctrlKey, metaKey, nativeEvent }): boolean => {
      if (key !== "Enter" || !altKey || ctrlKey || metaKey || nativeEvent.isComposing) return false;
      if (reason === undefined) setAsking(mayAsk);
      else explain();
      return true;
    },
    explain: reason === undefined ? undefined : explain,
    dialog: (
      <Suspense fallback={null}>
        {isAsking && <SendLater onChoose={schedule} onClose={(): void => setAsking(false)} />}
        {isExplaining && reason !== undefined && <LaterNote reason={reason} onEnd={(): void => setExplaining(false)} />}
      </Suspense>
    ),
  };
}
