// Where one writes. Enter sends, Shift and Enter make a new line; what is not sent stays as a draft of its chat.
import { SendHorizontal } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useEffectEvent, useRef } from "react";
import { IconButton } from "#renderer/components/icon-button.tsx";
import { useToasts } from "#renderer/components/toast.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ConversationId, Messenger } from "#renderer/messenger/messenger.ts";
import { MAX_TEXT_BYTES } from "#shared/content/content.ts";
import { utf8 } from "#shared/util/bytes.ts";
import styles from "./composer.module.css";
import { useComposerFocus } from "./composer-focus.ts";
import type { Face } from "./conversation-face.tsx";
import { useDraft } from "./use-draft.ts";

/** Props of {@link Composer}. */
export interface ComposerProps {
  readonly id: ConversationId;
  readonly face: Face;
  readonly messenger: Messenger;
  /** False where nothing can be sent: one can still write a draft. */
  readonly maySend: boolean;
  readonly onEscape: () => void;
  readonly onSent: () => void;
}

/** Text field and button. It takes the focus when the chat is opened. */
export function Composer(props: ComposerProps): ReactElement {
  const { id, face, messenger, maySend, onEscape, onSent } = props;
  const t = useMessages();
  const toasts = useToasts();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, change, take, giveBack } = useDraft(messenger, id);
  const excess = utf8(text).length - MAX_TEXT_BYTES;
  const canSend = maySend && text.trim() !== "" && excess <= 0;
  useFocusOnWish(field);
  useTypingAnywhere(field);
  const send = (): void => {
    if (!canSend) return;
    const sent = take();
    onSent();
    messenger.sendText(id, sent).catch((error: unknown) => {
      giveBack(sent);
      toasts.showError(error);
    });
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (event.key === "Enter" && isPlain) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape") {
      event.preventDefault();
      onEscape();
    }
  };
  return (
    <form
      className={styles.composer}
      onSubmit={(event): void => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.box}>
        <textarea
          ref={field}
          className={styles.text}
          rows={1}
          dir="auto"
          value={text}
          placeholder={face.kind === "self" ? t("inbox.composeSelf") : t("inbox.composePlaceholder")}
          aria-label={face.kind === "self" ? t("inbox.composeSelf") : t("inbox.compose", { name: face.name })}
          aria-invalid={excess > 0}
          onChange={(event): void => {
            change(event.target.value);
            if (event.target.value !== "") messenger.notifyTyping(id);
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton icon={SendHorizontal} label={t("inbox.send")} type="submit" disabled={!canSend} />
      </div>
      {excess > 0 && (
        <p className={styles.excess} role="status">
          {t("inbox.tooLong", { count: excess })}
        </p>
      )}
    </form>
  );
}

/** The composer has the focus when its chat is opened, and whenever that is wished. */
function useFocusOnWish(field: { readonly current: HTMLTextAreaElement | null }): void {
  const takeFocus = useEffectEvent(() => field.current?.focus({ preventScroll: true }));
  useEffect(() => {
    takeFocus();
    return useComposerFocus.subscribe(() => takeFocus());
  }, []);
}

/** Typing anywhere in the chat goes on in the composer, as one expects. */
function useTypingAnywhere(field: { readonly current: HTMLTextAreaElement | null }): void {
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const isText = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isElsewhere = event.target === document.body || (event.target instanceof HTMLElement && event.target.closest("[data-chat-log]"));
    if (isText && isElsewhere && !event.defaultPrevented) field.current?.focus();
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listener);
    return (): void => window.removeEventListener("keydown", listener);
  }, []);
}
