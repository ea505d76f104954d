// What the button beside the text offers: emoji for the text, and stickers, which are sent at once.
import { type ReactElement, useState } from "react";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { EmojiCard } from "../emoji/emoji-card.tsx";
import { StickerCard, type StickerCardProps } from "./sticker-card.tsx";
import styles from "./stickers.module.css";

export interface EmojiOrStickerProps extends StickerCardProps {
  readonly messenger: Messenger;
  readonly onPick: (emoji: string) => void;
}

export function EmojiOrSticker({ messenger, onPick, onSend }: EmojiOrStickerProps): ReactElement {
  const t = useMessages();
  const [shown, setShown] = useState<"emoji" | "stickers">("emoji");
  return (
    <div className={styles.card}>
      <SegmentedControl
        isNarrow
        label={t("chat.emojiOrStickers")}
        value={shown}
        onChange={setShown}
        options={[
          { value: "emoji", label: t("inbox.emoji") },
          { value: "stickers", label: t("chat.stickers") },
        ]}
      />
      {shown === "emoji" ? <EmojiCard onPick={onPick} /> : <StickerCard messenger={messenger} onSend={onSend} />}
    </div>
  );
}
