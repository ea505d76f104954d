// One's own stickers to choose from, and what adds one: a picture from the disk, then its emoji.
import { Plus } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_STICKERS } from "#shared/content/chat/sticker-content.ts";
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import type { OwnSticker } from "#shared/messenger/changes/chats/stored-stickers.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { OutgoingFile } from "#shared/messenger/model/message.ts";
import { EmojiCard } from "../emoji/emoji-card.tsx";
import { drawSticker, outgoingSticker } from "./draw-sticker.ts";
import { StickerGrid } from "./sticker-grid.tsx";
import { BytesPicture } from "./sticker-picture.tsx";
import styles from "./stickers.module.css";
import { useOwnStickers } from "./use-own-stickers.ts";

/** A picture that is to get an emoji; with its time where it is among them. */
interface Draft {
  readonly bytes: Uint8Array;
  readonly at?: number;
}

export interface StickerCardProps {
  readonly messenger: Messenger;
  readonly onSend: (sticker: OutgoingFile) => void;
}

export function StickerCard({ messenger, onSend }: StickerCardProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { stickers, error, retry, add, ...changes } = useOwnStickers(messenger);
  const [draft, setDraft] = useState<Draft>();
  const [isRefused, setRefused] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // What had the focus may be gone with the change, and what is around the card has it then.
  useEffect(() => {
    const isLost = card.current !== null && document.activeElement?.contains(card.current) === true;
    if (stickers !== undefined && draft === undefined && isLost) card.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
  }, [stickers, draft]);
  if (stickers === undefined) return error === null ? <Spinner /> : <ErrorState error={error} onRetry={retry} />;
  const choose = async (file: File): Promise<void> => {
    const bytes = file.size > MAX_PUSHED_FILE_BYTES ? undefined : await drawSticker(new Uint8Array(await file.arrayBuffer()));
    setRefused(bytes === undefined);
    if (bytes !== undefined) setDraft({ bytes });
  };
  const withBytes = async ({ id }: OwnSticker, use: (bytes: Uint8Array) => Promise<void> | void): Promise<void> => {
    const bytes = await messenger.readSticker(id);
    if (bytes !== undefined) await use(bytes);
  };
  if (draft !== undefined) {
    const give = (emoji: string): void =>
      void add(emoji, draft.bytes, draft.at)
        .catch(toasts.showError)
        .finally(() => setDraft(undefined));
    return (
      <div className={styles.card}>
        <div className={styles.draft}>
          <BytesPicture bytes={draft.bytes} />
          <p>{t("chat.stickerEmoji")}</p>
          <Button size="small" onClick={(): void => setDraft(undefined)}>
            {t("common.cancel")}
          </Button>
        </div>
        <EmojiCard onPick={give} />
      </div>
    );
  }
  const isFull = stickers.length >= MAX_STICKERS;
  return (
    <div ref={card} className={styles.card}>
      {stickers.length === 0 ? (
        <p className={styles.none}>{t("chat.stickersNone")}</p>
      ) : (
        <StickerGrid
          {...changes}
          messenger={messenger}
          stickers={stickers}
          onPick={(sticker): void =>
            void withBytes(sticker, async (bytes) => onSend(await outgoingSticker(sticker.emoji, bytes))).catch(toasts.showError)
          }
          onChange={(sticker): void => void withBytes(sticker, (bytes) => setDraft({ bytes, at: sticker.at })).catch(toasts.showError)}
        />
      )}
      <input
        ref={field}
        type="file"
        hidden
        accept={IMAGE_TYPES.join()}
        data-sticker-input
        onChange={(event): void => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file !== undefined) choose(file).catch(toasts.showError);
        }}
      />
      {isRefused && (
        <p className={styles.refused} role="alert">
          {t("chat.stickerRefused")}
        </p>
      )}
      {isFull && <p role="status">{t("chat.stickersFull", { count: MAX_STICKERS })}</p>}
      <Button wide icon={Plus} disabled={isFull} onClick={(): void => field.current?.click()}>
        {t("chat.stickerAdd")}
      </Button>
    </div>
  );
}
