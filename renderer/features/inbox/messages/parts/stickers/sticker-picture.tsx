// The picture of one of one's own stickers, from the local store.
import { type ReactElement, useEffect, useState } from "react";
import type { Messenger } from "#shared/messenger/messenger.ts";
import styles from "./stickers.module.css";

export interface StickerPictureProps {
  readonly messenger: Messenger;
  readonly id: string;
}

/** Decoration: what it is in says it by its emoji. */
export function StickerPicture({ messenger, id }: StickerPictureProps): ReactElement {
  const [bytes, setBytes] = useState<Uint8Array>();
  useEffect(() => {
    let hasEnded = false;
    messenger.readSticker(id).then(
      (read) => {
        if (!hasEnded) setBytes(read);
      },
      () => undefined,
    );
    return (): void => {
      hasEnded = true;
    };
  }, [messenger, id]);
  return bytes === undefined ? <span className={styles.picture} /> : <BytesPicture bytes={bytes} />;
}

/** A WebP that is in memory. */
export function BytesPicture({ bytes }: { readonly bytes: Uint8Array }): ReactElement {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "image/webp" }));
    setAddress(made);
    return (): void => URL.revokeObjectURL(made);
  }, [bytes]);
  return address === undefined ? <span className={styles.picture} /> : <img className={styles.picture} src={address} alt="" />;
}
