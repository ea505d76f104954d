// A small choice of emoji at a button: for reactions and for the text.
import { Popover as BasePopover } from "@base-ui/react/popover";
import { type ReactElement, useState } from "react";
import popup from "#renderer/components/overlays/popup.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./emoji-picker.module.css";

const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });
const EMOJI: readonly string[] = [
  ...SEGMENTS.segment(
    "👍❤️😂😮😢🙏👎🎉🔥👏😀😄😅🙂😉😊😍😘😜🤗🤔🤨😐🙄😏😴😷🤒😎🤓😕😟😳🥺😭😤😠🤯😱🥳🤝👌✌️🤞👋💪👀🧠💔💯✨⭐☀️🌧️❄️🌈🍀🌹🍎🍕🍔🍰☕🍺🥂⚽🏆🎲🎵🎁🚗🚲✈️🏠⏰📅📷💻📎📌✅❌❓❗💰🔒🔑💡",
  ),
].map(({ segment }) => segment);

export interface EmojiPickerProps {
  readonly trigger: ReactElement;
  readonly title: string;
  readonly onPick: (emoji: string) => void;
}

/** The choice with its button. Arrow keys are not needed: Tab reaches each one, and the first are the most used. */
export function EmojiPicker({ trigger, title, onPick }: EmojiPickerProps): ReactElement {
  const t = useMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <BasePopover.Root open={isOpen} onOpenChange={setOpen}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner className={popup.positioner} side="top" align="end" sideOffset={6} collisionPadding={8}>
          <BasePopover.Popup className={classNames(popup.popup, popup.card)}>
            <BasePopover.Title className={styles.title}>{title}</BasePopover.Title>
            <ul className={styles.grid} aria-label={t("inbox.emoji")}>
              {EMOJI.map((emoji) => (
                <li key={emoji}>
                  <button
                    type="button"
                    className={styles.emoji}
                    onClick={(): void => {
                      setOpen(false);
                      onPick(emoji);
                    }}
                  >
                    {emoji}
                  </button>
                </li>
              ))}
            </ul>
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
