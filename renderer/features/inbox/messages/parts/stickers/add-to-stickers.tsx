// Makes a picture that is looked at one of one's own stickers: a sticker by one press, with its emoji; of any other one the emoji is asked.
import { Sticker } from "lucide-react";
import type { ReactElement } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_STICKERS } from "#shared/content/chat/sticker-content.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { MessageKey, StoredAttachment } from "#shared/messenger/model/message.ts";
import { EmojiPicker } from "../emoji/emoji-picker.tsx";
import { drawSticker } from "./draw-sticker.ts";

export interface AddToStickersProps {
  readonly messageKey: MessageKey;
  readonly body: StoredAttachment;
  readonly messenger: Messenger;
}

export function AddToStickers({ messageKey, body, messenger }: AddToStickersProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const add = async (emoji: string): Promise<void> => {
    const read = await messenger.readFile(messageKey);
    const bytes = read && (await drawSticker(read));
    if (bytes === undefined) {
      toasts.show({ title: t("chat.stickerRefused"), tone: "danger" });
      return;
    }
    await messenger.addSticker(emoji, bytes);
    toasts.show({ title: t("chat.stickerAdded"), tone: "success" });
  };
  const start = (emoji: string): void =>
    void add(emoji).catch((error: unknown) => {
      const isFull = isCodedError(error) && error.details.count === MAX_STICKERS;
      if (isFull) toasts.show({ title: t("chat.stickersFull", { count: MAX_STICKERS }), tone: "danger" });
      else toasts.showError(error);
    });
  const label = t("chat.stickerToMine");
  const { sticker } = body;
  if (sticker !== undefined) return <IconButton icon={Sticker} label={label} onClick={(): void => start(sticker)} />;
  return <EmojiPicker title={t("chat.stickerEmoji")} trigger={<IconButton icon={Sticker} label={label} />} onPick={start} />;
}
