// Six emoji and the choice of all, above the message that is pointed at or has the focus: one press reacts. One stop for Tab, arrow keys
// move inside.
import { Plus } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import { focusComposer } from "../../../model/composer-focus.ts";
import { EmojiPicker } from "../emoji/emoji-picker.tsx";
import { useReact } from "../use-react.ts";
import { quickChoices } from "./quick-choices.ts";
import styles from "./quick-reactions.module.css";

/** Room that it takes above the message, pixels. */
const HEIGHT_PX = 44;

export interface QuickReactionsProps {
  readonly message: ChatMessage;
  readonly messenger: Messenger;
}

export function QuickReactions(props: QuickReactionsProps): ReactElement {
  return (
    <WithAllWords>
      <Bar {...props} />
    </WithAllWords>
  );
}

function Bar({ message, messenger }: QuickReactionsProps): ReactElement {
  const t = useMessages();
  const { recent } = useMessengerValue(({ emoji }) => emoji);
  // What is there stays while it is there: the used one would come first under the pointer.
  const [choices] = useState(() => quickChoices(recent));
  const bar = useRef<HTMLDivElement>(null);
  const isBelow = useBelow(bar);
  useRaisedRow(bar);
  const [at, setAt] = useState(0);
  const mine = message.reactions.find(({ isMine }) => isMine)?.emoji;
  const add = useReact(messenger, message);
  const react = (emoji: string): void => {
    add(emoji === mine ? "" : emoji);
    if (emoji !== mine) messenger.noteEmoji(emoji).catch(() => undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    const step = { ArrowRight: isMirrored ? -1 : 1, ArrowLeft: isMirrored ? 1 : -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const next = Math.max(0, Math.min(buttons.length - 1, at + step));
    setAt(next);
    buttons[next]?.focus();
  };
  return (
    <div
      ref={bar}
      className={styles.bar}
      role="toolbar"
      aria-label={t("chat.quickReactions")}
      data-below={isBelow || undefined}
      data-quick-reactions
      onKeyDown={onKeyDown}
    >
      {choices.map((emoji, index) => (
        <button
          key={emoji}
          type="button"
          className={styles.emoji}
          tabIndex={index === at ? 0 : -1}
          aria-pressed={emoji === mine}
          aria-label={t("chat.reactWith", { emoji })}
          onFocus={(): void => setAt(index)}
          onClick={({ detail }): void => {
            react(emoji);
            // Who pressed it with a mouse writes on.
            if (detail > 0) focusComposer();
          }}
        >
          {emoji}
        </button>
      ))}
      <EmojiPicker
        title={t("inbox.react")}
        trigger={
          <IconButton
            icon={Plus}
            size="small"
            label={t("chat.moreEmoji")}
            tabIndex={at === choices.length ? 0 : -1}
            onFocus={(): void => setAt(choices.length)}
          />
        }
        onPick={add}
      />
    </div>
  );
}

/** What stands above its message stands above the rows around it. */
function useRaisedRow(bar: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const row = bar.current?.closest<HTMLElement>("[data-row]");
    row?.toggleAttribute("data-raised", true);
    return (): void => void row?.toggleAttribute("data-raised", false);
  }, [bar]);
}

/** True where the list ends right above the message. */
function useBelow(bar: { readonly current: HTMLElement | null }): boolean {
  const [isBelow, setBelow] = useState(false);
  const measure = useEffectEvent(() => {
    const line = bar.current?.parentElement;
    const list = line?.closest("[data-chat-log]");
    if (line == null || list == null) return;
    setBelow(line.getBoundingClientRect().top - list.getBoundingClientRect().top < HEIGHT_PX);
  });
  useEffect(() => measure(), []);
  return isBelow;
}
