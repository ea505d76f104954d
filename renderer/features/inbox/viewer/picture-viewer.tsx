// A picture over everything: as large as the window allows, larger on demand, with the others of the chat beside it.
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from "lucide-react";
import { type KeyboardEvent, type ReactElement, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Spinner } from "#renderer/components/basics/spinner.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useReturnFocus } from "#renderer/components/overlays/use-return-focus.ts";
import { saveBytes } from "#renderer/lib/browser/save-file.ts";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { entryOf, isInPeople } from "#renderer/lib/people/contacts/contact-directory.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId, MessageKey } from "#shared/messenger/model/message.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { viewPicture } from "../model/chat-intent-store.ts";
import styles from "./picture-viewer.module.css";
import { type ShownPicture, shownPictures } from "./shown-pictures.ts";
import { usePicture } from "./use-picture.ts";
import { viewerAct } from "./viewer-keys.ts";

/** Magnifications; the first is the whole picture. */
const SCALES = [1, 1.5, 2, 3, 4, 6] as const;
/** How far an arrow key moves an enlarged picture, pixels. */
const SCROLL_PX = 80;

export interface PictureViewerProps {
  readonly id: ConversationId;
  readonly viewed: MessageKey;
  /** Those of the chat that are loaded, oldest first. */
  readonly messages: readonly ChatMessage[];
  readonly messenger: Messenger;
  /** What else can be done with a picture. */
  readonly actions: (shown: ShownPicture) => ReactNode;
}

export function PictureViewer({ id, viewed, messages, messenger, actions }: PictureViewerProps): ReactElement | null {
  const { directory } = useContactDirectory();
  const returnFocus = useReturnFocus(true);
  const pictures = shownPictures(messages, viewed, ({ author }) => isInPeople(entryOf(directory, author ?? id)));
  const at = pictures.findIndex(({ message }) => message.key === viewed);
  const shown = pictures[at];
  if (shown === undefined) return null;
  return (
    <BaseDialog.Root open onOpenChange={(): void => viewPicture(null)}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup {...returnFocus} className={styles.viewer}>
          <Viewed shown={shown} before={pictures[at - 1]} after={pictures[at + 1]} messenger={messenger} actions={actions} />
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface ViewedProps {
  readonly shown: ShownPicture;
  readonly before: ShownPicture | undefined;
  readonly after: ShownPicture | undefined;
  readonly messenger: Messenger;
  readonly actions: PictureViewerProps["actions"];
}

function Viewed({ shown, before, after, messenger, actions }: ViewedProps): ReactElement {
  const { message, body } = shown;
  const t = useMessages();
  const { locale } = useLanguage();
  const toasts = useToasts();
  const content = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLElement>(null);
  const [zoomed, setZoomed] = useState({ key: message.key, step: 0 });
  const step = zoomed.key === message.key ? zoomed.step : 0;
  const setStep = (wished: number): void => setZoomed({ key: message.key, step: Math.max(0, Math.min(SCALES.length - 1, wished)) });
  const fileName = visibleText(body.name);
  const name = body.sticker === undefined ? fileName : t("inbox.sticker", { emoji: body.sticker });
  const zoom = (by: number): void => setStep(step + by);
  // The button that led here is gone at the last picture: the keys still work.
  useEffect(() => {
    if (content.current?.contains(document.activeElement) === false) content.current.focus();
  });
  const go = (to: ShownPicture | undefined): void => {
    if (to !== undefined) viewPicture(to.message.key);
  };
  const save = async (): Promise<void> => {
    const bytes = await messenger.readFile(message.key);
    if (bytes !== undefined) saveBytes(fileName, bytes);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!isOfViewer(event)) return;
    const isMirrored = getComputedStyle(event.currentTarget).direction === "rtl";
    const act = viewerAct(event.key, { isEnlarged: step > 0, isMirrored });
    if (act === undefined) return;
    event.preventDefault();
    if ("go" in act) go(act.go === "before" ? before : after);
    else if ("zoom" in act) setStep({ in: step + 1, out: step - 1, whole: 0 }[act.zoom]);
    else stage.current?.scrollBy({ left: act.scroll[0] * SCROLL_PX, top: act.scroll[1] * SCROLL_PX });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the dialog, whatever in it has the focus
    <div ref={content} className={styles.content} tabIndex={-1} onKeyDown={onKeyDown}>
      <header className={styles.header}>
        <div className={styles.names}>
          <BaseDialog.Title className={styles.title}>
            <bdi>{name}</bdi>
          </BaseDialog.Title>
          <BaseDialog.Description className={styles.time}>{formatExactTime(locale, message.at)}</BaseDialog.Description>
        </div>
        <IconButton icon={ZoomOut} label={t("inbox.viewer.smaller")} disabled={step === 0} onClick={(): void => zoom(-1)} />
        <IconButton icon={ZoomIn} label={t("inbox.viewer.larger")} disabled={step === SCALES.length - 1} onClick={(): void => zoom(1)} />
        {actions(shown)}
        <IconButton icon={Download} label={t("common.save")} onClick={(): void => void save().catch(toasts.showError)} />
        <BaseDialog.Close render={<IconButton icon={X} label={t("common.close")} />} />
      </header>
      <Whole
        stage={stage}
        message={message}
        name={name}
        scale={SCALES[step] ?? 1}
        messenger={messenger}
        onDouble={(): void => setStep(step === 0 ? 2 : 0)}
      />
      {before !== undefined && (
        <span className={styles.before}>
          <IconButton icon={ChevronLeft} label={t("inbox.viewer.before")} onClick={(): void => go(before)} />
        </span>
      )}
      {after !== undefined && (
        <span className={styles.after}>
          <IconButton icon={ChevronRight} label={t("inbox.viewer.after")} onClick={(): void => go(after)} />
        </span>
      )}
    </div>
  );
}

/** Keys of menus that open from here come by too, and so do those of the browser. */
function isOfViewer({ altKey, ctrlKey, metaKey, defaultPrevented, target, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  return !(altKey || ctrlKey || metaKey || defaultPrevented) && target instanceof Node && currentTarget.contains(target);
}

interface WholeProps {
  readonly stage: RefObject<HTMLElement | null>;
  readonly message: ChatMessage;
  readonly name: string;
  readonly scale: number;
  readonly messenger: Messenger;
  readonly onDouble: () => void;
}

function Whole({ stage, message, name, scale, messenger, onDouble }: WholeProps): ReactElement {
  const t = useMessages();
  const { address, isRefused } = usePicture(messenger, message.key);
  if (isRefused) return <p className={styles.refused}>{t("inbox.viewer.refused")}</p>;
  return (
    <section
      ref={stage}
      className={styles.stage}
      data-enlarged={scale > 1 || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
      tabIndex={0}
      aria-label={t("inbox.picture", { name })}
    >
      {address === undefined ? (
        <Spinner />
      ) : (
        <img
          src={address}
          alt={t("inbox.picture", { name })}
          style={scale > 1 ? { width: `${scale * 100}%` } : undefined}
          onDoubleClick={onDouble}
        />
      )}
    </section>
  );
}
