// The button beside the text for what is no text: photos, files, and a poll.
import { CalendarClock, Camera, ChartBarBig, Image as ImageIcon, Paperclip } from "lucide-react";
import { type ReactElement, type RefObject, Suspense, useImperativeHandle, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { hasCamera } from "./camera/camera-stream.ts";
import { type ChosenFiles, type PickKind, usePickFiles } from "./files/chosen-files.tsx";

const PollDialog = lazyPart(async () => (await import("./poll/poll-dialog.tsx")).PollDialog);
const CameraDialog = lazyPart(async () => (await import("./camera/camera-dialog.tsx")).CameraDialog);

/** What can be attached, for what asks for it elsewhere. */
export interface AttachPort {
  readonly poll: () => void;
  readonly photo: () => void;
  readonly pick: (kind: PickKind) => void;
}

export interface AttachMenuProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  readonly chosen: ChosenFiles;
  /** Nothing but files where nobody else reads along. */
  readonly mayPoll: boolean;
  /** Asks when to send what is in the field; undefined where nothing is. */
  readonly onLater: (() => void) | undefined;
  readonly port: RefObject<AttachPort | null>;
}

export function AttachMenu({ id, messenger, chosen, mayPoll, onLater, port }: AttachMenuProps): ReactElement {
  const t = useMessages();
  const hasWords = useAllWords();
  const [open, setOpen] = useState<"poll" | "photo">();
  const { input, pick } = usePickFiles(chosen);
  const poll = (): void => setOpen("poll");
  const photo = (): void => setOpen("photo");
  const close = (): void => setOpen(undefined);
  useImperativeHandle(port, () => ({ poll, photo, pick }));
  const files: readonly MenuAction[] = [
    ...(hasCamera() ? [{ label: t("chat.camera"), icon: Camera, movesFocus: true, onSelect: photo }] : []),
    { label: t("chat.photos"), icon: ImageIcon, onSelect: (): void => pick("photos") },
    { label: t("inbox.attach"), icon: Paperclip, onSelect: (): void => pick("files") },
  ];
  const others: readonly MenuAction[] = [
    ...(mayPoll ? [{ label: t("chat.poll"), icon: ChartBarBig, movesFocus: true, onSelect: poll }] : []),
    ...(onLater === undefined ? [] : [{ label: t("chat.later"), icon: CalendarClock, movesFocus: true, onSelect: onLater }]),
  ];
  return (
    <>
      {input}
      {hasWords ? (
        <Menu trigger={<IconButton icon={Paperclip} label={t("chat.attach")} />} groups={[files, others]} />
      ) : (
        <IconButton icon={Paperclip} label={t("inbox.attach")} onClick={(): void => pick("files")} />
      )}
      <Suspense fallback={null}>
        {open === "poll" && <PollDialog id={id} messenger={messenger} onClose={close} />}
        {open === "photo" && <CameraDialog onTaken={(taken): void => chosen.add([taken])} onClose={close} />}
      </Suspense>
    </>
  );
}
