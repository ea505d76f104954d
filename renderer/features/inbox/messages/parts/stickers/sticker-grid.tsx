// One's own stickers in rows of four: one stop for Tab, arrow keys move inside, Enter sends, the menu key or the other mouse button changes.
import { ChevronsUp, Smile, Trash2 } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useRef, useState } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ContextMenu } from "#renderer/components/overlays/context-menu.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import { useContextMenu } from "#renderer/components/overlays/use-context-menu.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { OwnSticker } from "#shared/messenger/changes/chats/stored-stickers.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { target } from "../emoji/emoji-grid.tsx";
import { StickerPicture } from "./sticker-picture.tsx";
import styles from "./stickers.module.css";
import type { OwnStickers } from "./use-own-stickers.ts";

const COLUMNS = 4;

export interface StickerGridProps extends Pick<OwnStickers, "moveFirst" | "remove"> {
  readonly messenger: Messenger;
  readonly stickers: readonly OwnSticker[];
  readonly onPick: (sticker: OwnSticker) => void;
  /** Another emoji is wanted. */
  readonly onChange: (sticker: OwnSticker) => void;
}

export function StickerGrid({ messenger, stickers, onPick, ...changes }: StickerGridProps): ReactElement {
  const t = useMessages();
  const [at, setAt] = useState(0);
  const grid = useRef<HTMLUListElement>(null);
  const current = Math.min(at, stickers.length - 1);
  const pointed = useContextMenu(grid, (element) => element.closest("[data-sticker-id]") !== null);
  const pointedId = pointed?.target.closest("[data-sticker-id]")?.getAttribute("data-sticker-id");
  const groups = useActions(
    stickers.find(({ id }) => id === pointedId),
    changes,
  );
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    const next = target(event.key, { at: current, count: stickers.length, isMirrored, columns: COLUMNS });
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <>
      <ul ref={grid} className={styles.grid} aria-label={t("chat.stickers")} onKeyDown={onKeyDown}>
        {stickers.map((sticker, index) => (
          <li key={sticker.id}>
            <button
              type="button"
              className={styles.sticker}
              data-sticker-id={sticker.id}
              tabIndex={index === current ? 0 : -1}
              aria-label={t("inbox.sticker", { emoji: sticker.emoji })}
              onFocus={(): void => setAt(index)}
              onClick={(): void => onPick(sticker)}
            >
              <StickerPicture messenger={messenger} id={sticker.id} />
            </button>
          </li>
        ))}
      </ul>
      {pointed !== undefined && <ContextMenu groups={groups} {...pointed} />}
    </>
  );
}

function useActions(
  sticker: OwnSticker | undefined,
  { moveFirst, remove, onChange }: Pick<StickerGridProps, "moveFirst" | "remove" | "onChange">,
): readonly (readonly MenuAction[])[] {
  const t = useMessages();
  const toasts = useToasts();
  if (sticker === undefined) return [];
  return [
    [
      { label: t("chat.stickerChange"), icon: Smile, movesFocus: true, onSelect: (): void => onChange(sticker) },
      { label: t("chat.stickerFirst"), icon: ChevronsUp, onSelect: (): void => void moveFirst(sticker).catch(toasts.showError) },
    ],
    [{ label: t("chat.stickerRemove"), icon: Trash2, danger: true, onSelect: (): void => void remove(sticker).catch(toasts.showError) }],
  ];
}
