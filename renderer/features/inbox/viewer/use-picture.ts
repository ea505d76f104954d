// The bytes of a picture in a chat, at an address that the page can show.
import { useEffect, useState } from "react";
import { isStickerSized } from "#shared/content/chat/sticker-content.ts";
import { shownImage } from "#shared/media/shown-image.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { MessageKey } from "#shared/messenger/model/message.ts";

export interface LoadedPicture {
  readonly address: string | undefined;
  /** Its bytes are no picture that may be decoded. */
  readonly isRefused: boolean;
  /** By its bytes it is small enough for a sticker. */
  readonly isStickerSized: boolean;
}

const NOTHING: LoadedPicture = { address: undefined, isRefused: false, isStickerSized: false };

/** Address of a picture in memory, until the component is gone. */
export function usePicture(messenger: Messenger, key: MessageKey | undefined): LoadedPicture {
  const [loaded, setLoaded] = useState(NOTHING);
  useEffect(() => {
    if (key === undefined) return undefined;
    let made: string | undefined;
    let hasEnded = false;
    messenger.readFile(key).then(
      (bytes) => {
        if (bytes === undefined || hasEnded) return;
        const size = shownImage(bytes);
        if (size !== undefined) made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: size.type }));
        setLoaded({ address: made, isRefused: size === undefined, isStickerSized: isStickerSized(bytes) });
      },
      () => undefined,
    );
    return (): void => {
      hasEnded = true;
      setLoaded(NOTHING);
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [messenger, key]);
  return loaded;
}
