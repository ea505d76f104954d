// One's own stickers, read again after each change here or on another own device.
import { useEffect, useState } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { OwnSticker } from "#shared/messenger/changes/chats/stored-stickers.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";

export interface OwnStickers {
  /** The first one first; undefined until they are read. */
  readonly stickers: readonly OwnSticker[] | undefined;
  /** Why they could not be read, while none are known. */
  readonly error: unknown;
  readonly retry: () => void;
  /** Adds a picture, or gives one that is there another emoji. */
  readonly add: (emoji: string, bytes: Uint8Array, at?: number) => Promise<void>;
  readonly moveFirst: (sticker: OwnSticker) => Promise<void>;
  /** Removes it, and offers to undo that. */
  readonly remove: (sticker: OwnSticker) => Promise<void>;
}

export function useOwnStickers(messenger: Messenger): OwnStickers {
  const t = useMessages();
  const toasts = useToasts();
  const [stickers, setStickers] = useState<readonly OwnSticker[]>();
  const [error, setError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const read = async (): Promise<void> => setStickers(await messenger.ownStickers());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads again
  useEffect(() => {
    let hasEnded = false;
    const follow = (): void => {
      messenger.ownStickers().then(
        (all) => {
          if (!hasEnded) setStickers((before) => (JSON.stringify(before) === JSON.stringify(all) ? before : all));
        },
        (failure: unknown) => {
          if (!hasEnded) setError(failure);
        },
      );
    };
    setError(null);
    follow();
    const unsubscribe = messenger.subscribe(follow);
    return (): void => {
      hasEnded = true;
      unsubscribe();
    };
  }, [messenger, tries]);
  const add = async (emoji: string, bytes: Uint8Array, at?: number): Promise<void> => {
    await messenger.addSticker(emoji, bytes, at);
    await read();
  };
  return {
    stickers,
    error,
    retry: (): void => setTries(tries + 1),
    add,
    moveFirst: async ({ id }): Promise<void> => {
      await messenger.moveStickerFirst(id);
      await read();
    },
    remove: async ({ id, emoji, at }): Promise<void> => {
      const bytes = await messenger.readSticker(id);
      await messenger.removeSticker(id);
      await read();
      if (bytes === undefined) return;
      const undo = (): void => void add(emoji, bytes, at).catch(toasts.showError);
      toasts.show({ title: t("chat.stickerRemoved"), action: { label: t("common.undo"), onSelect: undo } });
    },
  };
}
