// A picture in a chat: the small one until the whole one is there. What a stranger sent is decoded when the person wants to see it, and
// nothing is decoded whose size its own bytes do not bound.
import { ImageIcon } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { previewAddress } from "#renderer/lib/browser/preview-address.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, StoredAttachment } from "#shared/messenger/model/message.ts";
import { viewPicture } from "../../model/chat-intent-store.ts";
import { usePicture } from "../../viewer/use-picture.ts";
import styles from "./attachment.module.css";
import { sizeInKilobytes } from "./file-size.ts";
import { filledFrame, frameOf, STICKER_FRAME } from "./picture-frame.ts";

export interface PictureProps {
  readonly message: ChatMessage;
  readonly body: StoredAttachment;
  readonly image: NonNullable<StoredAttachment["image"]>;
  readonly messenger: Messenger;
  readonly isWhole: boolean;
  /** The author is no contact: the picture is shown on a click. */
  readonly isStranger: boolean;
  /** What is shown instead of a picture that is not decoded. */
  readonly children: ReactNode;
}

export function Picture({ isStranger, ...props }: PictureProps): ReactElement {
  const t = useMessages();
  const [isWanted, setWanted] = useState(false);
  const { body } = props;
  if (isWanted) return <WantedPicture {...props} />;
  if (!isStranger) return <ShownPicture {...props} />;
  return (
    <div className={styles.hidden}>
      <p>
        {t("inbox.pictureOfStranger")} {t("inbox.kilobytes", { size: sizeInKilobytes(body.size) })}
      </p>
      <Button size="small" icon={ImageIcon} onClick={(): void => setWanted(true)}>
        {t("inbox.showPicture")}
      </Button>
    </div>
  );
}

/** The picture in the place of the button that was pressed: the focus goes where that was, whether there is a picture or not. */
function WantedPicture(props: Omit<PictureProps, "isStranger">): ReactElement {
  const t = useMessages();
  const frame = useRef<HTMLElement>(null);
  useEffect(() => frame.current?.focus(), []);
  return (
    <figure ref={frame} className={styles.wanted} tabIndex={-1} aria-label={t("inbox.picture", { name: props.body.name })}>
      <ShownPicture {...props} />
    </figure>
  );
}

function ShownPicture({ message, body, image, messenger, isWhole, children }: Omit<PictureProps, "isStranger">): ReactNode {
  const t = useMessages();
  const { address, isRefused, isStickerSized } = usePicture(messenger, isWhole ? message.key : undefined);
  const preview = useMemo(() => previewAddress(image.preview), [image.preview]);
  const source = address ?? preview;
  // An empty frame of the size that was claimed would say nothing.
  if (isRefused || source === undefined) return children;
  const emoji = address === undefined || isStickerSized ? body.sticker : undefined;
  const { width, height } = emoji === undefined ? filledFrame(frameOf(image), body.caption !== "") : STICKER_FRAME;
  const picture = (
    <img
      className={styles.picture}
      data-sticker={emoji !== undefined || undefined}
      data-preview={address === undefined || undefined}
      src={source}
      width={width}
      height={height}
      style={{ aspectRatio: `${width} / ${height}` }}
      alt={emoji === undefined ? t("inbox.picture", { name: body.name }) : t("inbox.sticker", { emoji })}
    />
  );
  const shown =
    address === undefined ? (
      picture
    ) : (
      <button type="button" className={styles.opens} aria-haspopup="dialog" onClick={(): void => viewPicture(message.key)}>
        {picture}
      </button>
    );
  if (emoji !== undefined) return shown;
  return (
    <div className={styles.filled} style={{ width }} data-filled={body.caption === "" ? "alone" : "above"}>
      {shown}
    </div>
  );
}
