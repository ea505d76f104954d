// Where one writes. Enter sends, Shift and Enter make a new line; what is not sent stays as a draft of its chat.
import { Coins, SendHorizontal, Smile } from "lucide-react";
import {
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
  lazy,
  type ReactElement,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { openPaySheet } from "#renderer/lib/messenger/pay-order.ts";
import { MAX_PUSHED_FILE_BYTES, MAX_TEXT_BYTES } from "#shared/content/content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId } from "#shared/messenger/model/message.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import { change as changeMessage } from "../messages/message-actions.tsx";
import { EmojiPicker } from "../messages/parts/emoji/emoji-picker.tsx";
import { type ComposerMode, setComposerMode, useChatIntents } from "../model/chat-intent-store.ts";
import { focusComposer, useComposerFocus } from "../model/composer-focus.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { type ChatCommand, parseChatCommand } from "../payments/chat-command.ts";
import { AttachMenu, type AttachPort } from "./attach-menu.tsx";
import styles from "./composer.module.css";
import { ComposerNote, MODE_NOTE } from "./composer-note.tsx";
import { type Field, insert, putAt } from "./field-edits.ts";
import { type ChosenFiles, DropHint, useChosenFiles } from "./files/chosen-files.tsx";
import { type Later, useLater } from "./later/use-later.tsx";
import { type LinkNoteState, useLinkNote } from "./links/use-link-note.tsx";
import { mark } from "./marks/mark-field.ts";
import { Marks } from "./marks/marks.tsx";
import type { MentionListProps } from "./mentions/mention-list.tsx";
import { type MentionPort, NO_MENTIONS } from "./mentions/mention-port.ts";
import { useVoice } from "./recording/use-voice.tsx";
import { Slash } from "./slash/slash.tsx";
import { laterText } from "./slash/slash-commands.ts";
import type { SlashPort } from "./slash/slash-menu.tsx";
import { type Draft, useDraft } from "./use-draft.ts";

const FileCards = lazyPart(async () => (await import("./files/file-cards.tsx")).FileCards);
const EmojiOrSticker = lazyPart(async () => (await import("../messages/parts/stickers/emoji-or-sticker.tsx")).EmojiOrSticker);
const FileNote = lazyPart(async () => (await import("./files/file-note.tsx")).FileNote);
const MentionList = lazy(
  async (): Promise<{ readonly default: ComponentType<MentionListProps> }> => ({
    default: (await import("./mentions/mention-list.tsx")).MentionList,
  }),
);

export interface ComposerProps {
  readonly id: ConversationId;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
  /** The newest message that one can still change: the arrow up begins that. */
  readonly newestOwn: ChatMessage | undefined;
  /** False where nothing can be sent: one can still write a draft. */
  readonly maySend: boolean;
  readonly onEscape: () => void;
  readonly onSent: () => void;
}

/** Text field and buttons. It takes the focus when the chat is opened. */
export function Composer(props: ComposerProps): ReactElement {
  const { id, header, messenger, maySend } = props;
  const t = useMessages();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(messenger, id);
  const { text, change } = draft;
  const mode = useChatIntents((intents) => intents.modes[id]);
  const command = header.kind === "person" && mode === undefined ? parseChatCommand(text, t.locale) : undefined;
  const excess = utf8Length(text) - MAX_TEXT_BYTES;
  const chosen = useChosenFiles();
  const hasContent = text.trim() !== "" || (chosen.files.length > 0 && mode?.kind !== "edit");
  const canSend = maySend && hasContent && excess <= 0 && command?.kind !== "invalid";
  const voice = useVoice(props, <SendButton isEdit={false} isDisabled />);
  useFocusOnWish(field);
  useTypingAnywhere(field);
  const mentions = useRef<MentionPort>(null);
  useEditedText(id, draft, mentions);
  const links = useLinkNote(id, text, chosen);
  const later = useLater(props, draft, { mentions, links, command, chosen, canSend });
  const send = useLaterCommand(draft, mode, later, useSend(props, draft, { command, chosen, mentions, links }));
  const onKey = useKeys(props, text, () => canSend && send());
  const [isEdit, put] = mode?.kind === "edit" ? [true, draft.show] : [false, change];
  const attach = useRef<AttachPort>(null);
  const slash = useRef<SlashPort>(null);
  if (voice.isRecording) return <VoicePlace>{voice.recorder}</VoicePlace>;
  return (
    <form
      className={styles.composer}
      onSubmit={whenItsOwn(() => {
        if (canSend) send();
        field.current?.focus();
      })}
    >
      <DropHint chosen={chosen} label={dropWords(t, header)} />
      <ComposerNote id={id} header={header} mode={mode} command={command} />
      <Chosen id={id} messenger={messenger} chosen={chosen} isEdit={isEdit} />
      {links.note}
      <Marks field={field} put={put} />
      <div className={styles.box}>
        <Mentions
          header={header}
          field={field}
          text={text}
          port={mentions}
          onChange={(named, caret): void => putAt(field, { text: named, caret, put })}
        />
        <Slash {...props} text={mode === undefined ? text : ""} field={field} port={slash} attach={attach} put={put} />
        <AttachMenu
          id={id}
          messenger={messenger}
          chosen={chosen}
          mayPoll={maySend && header.kind !== "self"}
          onLater={later.ask}
          port={attach}
        />
        <MoneyButton id={id} header={header} />
        <MessageField
          header={header}
          field={field}
          text={text}
          mode={mode}
          onText={(typed): void => {
            put(typed);
            if (typed !== "") messenger.notifyTyping(id);
          }}
          onKeyDown={(event): void => {
            const isTaken = [mentions, slash].some(({ current }) => current?.onKey(event) === true);
            if (!isTaken && !mark(event, field, put) && !later.onKey(event)) onKey(event);
          }}
        />
        <EmojiButton {...props} onPick={(emoji): void => insert(field, draft, emoji)} />
        {hasContent || mode !== undefined ? (
          <SendButton isEdit={isEdit} isDisabled={!canSend} onLater={later.ask ?? later.explain} />
        ) : (
          voice.button
        )}
      </div>
      {later.dialog}
      {excess > 0 && <Excess bytes={excess} />}
    </form>
  );
}

type EmojiButtonProps = Pick<ComposerProps, "id" | "messenger" | "maySend" | "onSent"> & { readonly onPick: (emoji: string) => void };

function EmojiButton({ id, messenger, maySend, onSent, onPick }: EmojiButtonProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const label = t("inbox.insertEmoji");
  return (
    <EmojiPicker title={label} trigger={<IconButton icon={Smile} label={label} />} onPick={onPick}>
      {maySend
        ? (pick, close): ReactElement => (
            <EmojiOrSticker
              messenger={messenger}
              onPick={pick}
              onSend={(sticker): void => {
                close();
                focusComposer();
                onSent();
                messenger.sendFile(id, sticker).catch(toasts.showError);
              }}
            />
          )
        : undefined}
    </EmojiPicker>
  );
}

function dropWords(t: Translate, { kind, name }: ConversationHeader): string {
  return kind === "self" ? t("inbox.dropToSave") : t("inbox.dropToSend", { name });
}

interface MessageFieldProps extends Pick<ComposerProps, "header"> {
  readonly field: Field;
  readonly text: string;
  /** Above it is said which message is answered or changed. */
  readonly mode: ComposerMode | undefined;
  readonly onText: (text: string) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

function MessageField({ header, field, text, mode, onText, onKeyDown }: MessageFieldProps): ReactElement {
  const t = useMessages();
  const isSelf = header.kind === "self";
  const label = isSelf ? t("inbox.noteToSelf") : t("inbox.compose", { name: header.name });
  return (
    <textarea
      ref={field}
      className={styles.text}
      rows={1}
      // An empty field has no words to go by: its hint stands where they would begin.
      dir={text === "" ? undefined : "auto"}
      value={text}
      placeholder={isSelf ? label : t("common.message")}
      aria-label={label}
      aria-invalid={utf8Length(text) > MAX_TEXT_BYTES}
      aria-describedby={mode === undefined ? undefined : MODE_NOTE}
      onChange={(event): void => onText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** The people of a group behind an "@". */
function Mentions({ header, ...props }: Omit<MentionListProps, "members"> & Pick<ComposerProps, "header">): ReactElement | null {
  if (header.kind !== "group" || header.group === null) return null;
  return (
    <Suspense fallback={null}>
      <MentionList {...props} members={header.group.members} />
    </Suspense>
  );
}

interface ChosenProps extends Pick<ComposerProps, "id" | "messenger"> {
  readonly chosen: ChosenFiles;
  /** A message is changed: the files wait until that is done. */
  readonly isEdit: boolean;
}

/** The files above the text, and why one of them cannot be sent, or not now. */
function Chosen({ id, messenger, chosen, isEdit }: ChosenProps): ReactElement {
  const t = useMessages();
  return (
    <>
      {isEdit && chosen.files.length > 0 && (
        <p role="status" className={styles.fileNote} data-problem>
          {t("inbox.editFiles")}
        </p>
      )}
      <Suspense fallback={null}>{chosen.files.length + chosen.leaving.length > 0 && <FileCards chosen={chosen} />}</Suspense>
      {chosen.files.some(({ size }) => size > MAX_PUSHED_FILE_BYTES) && (
        <Suspense fallback={null}>
          <FileNote id={id} messenger={messenger} files={chosen.files} />
        </Suspense>
      )}
    </>
  );
}

/** Windows that open from the composer have forms of their own, whose events come by here as well. */
function whenItsOwn(submit: () => void): (event: FormEvent) => void {
  return (event) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    submit();
  };
}

function Excess({ bytes }: { readonly bytes: number }): ReactElement {
  const t = useMessages();
  return (
    <p className={styles.excess} role="status">
      {t("inbox.tooLong", { count: bytes })}
    </p>
  );
}

function VoicePlace({ children }: { readonly children: ReactElement }): ReactElement {
  return (
    <div className={styles.composer}>
      <div className={styles.box}>{children}</div>
    </div>
  );
}

function MoneyButton({ id, header }: Pick<ComposerProps, "id" | "header">): ReactElement | null {
  const t = useMessages();
  if (header.kind !== "person" && !(header.kind === "group" && header.group?.isMember === true)) return null;
  return (
    <IconButton
      icon={Coins}
      label={t(header.kind === "group" ? "inbox.splitBill" : "inbox.payOrRequest")}
      onClick={(): void => openPaySheet({ conversation: id })}
    />
  );
}

interface SendButtonProps {
  readonly isEdit: boolean;
  readonly isDisabled: boolean;
  /** Asks when to send it, or says why it cannot be sent later. */
  readonly onLater?: Later["ask"];
}

/** A long press, the other mouse button, or the key for menus asks when to send. */
function SendButton({ isEdit, isDisabled, onLater }: SendButtonProps): ReactElement {
  const t = useMessages();
  return (
    <IconButton
      icon={SendHorizontal}
      label={t(isEdit ? "common.save" : "common.send")}
      type="submit"
      disabled={isDisabled}
      onContextMenu={(event): void => {
        if (onLater === undefined) return;
        event.preventDefault();
        onLater();
      }}
    />
  );
}

type Mentions = RefObject<MentionPort | null>;

interface SendContext {
  readonly command: ChatCommand | undefined;
  readonly chosen: ChosenFiles;
  readonly mentions: Mentions;
  readonly links: LinkNoteState;
}

/** Does what the text asks for: a message, an answer, another wording, or a command. What failed comes back into the field. */
function useSend({ id, messenger, onSent }: ComposerProps, draft: Draft, { command, chosen, mentions, links }: SendContext): () => void {
  const toasts = useToasts();
  const mode = useChatIntents((intents) => intents.modes[id]);
  const perform = async (typed: string, onSaid: () => void): Promise<void> => {
    const { text, mentions: named } = (mentions.current ?? NO_MENTIONS).sentOf(typed);
    const preview = links.previewOf(text);
    const answer = async (words: string): Promise<unknown> => mode && messenger.sendReply(mode.message.key, words, named, preview);
    if (mode?.kind === "edit") await messenger.editMessage(mode.message.key, text, named, preview);
    else if (chosen.files.length > 0) {
      const { sendFiles } = await import("./files/send-files.ts");
      await sendFiles(messenger, id, { chosen, typed, caption: text, ...(mode && { answer }), onSaid });
    } else if (mode?.kind === "reply") await answer(text);
    else if (command?.kind === "request") await messenger.sendPayRequest(id, { amountUt: command.amountUt, note: command.note });
    else await messenger.sendText(id, text, named, preview);
  };
  return () => {
    if (command?.kind === "pay" && chosen.files.length === 0) {
      // The command stays in the field until it is signed: who comes back without having paid finds it there.
      openPaySheet({ conversation: id, amountUt: command.amountUt, note: command.note, onSigned: () => drop(draft) });
      return;
    }
    const sent = draft.take();
    let isSaid = false;
    onSent();
    const failed = (error: unknown): void => {
      toasts.showError(error);
      if (isSaid) return;
      if (mode?.kind !== "edit") draft.giveBack(sent);
      setComposerMode(id, mode === undefined ? undefined : { ...mode, typed: sent });
    };
    perform(sent, () => {
      isSaid = true;
    }).catch(failed);
    setComposerMode(id, undefined);
  };
}

/** Empties the field of a command that was carried out, unless something else is in it by then: its sheet may have been left. */
function drop(draft: Draft): void {
  const typed = draft.take();
  draft.change(typed === draft.text ? "" : typed);
}

/** Sends, or asks for the time where the text is to be sent later. */
function useLaterCommand(draft: Draft, mode: ComposerMode | undefined, { ask, explain }: Later, send: () => void): () => void {
  return () => {
    const rest = mode?.kind === "edit" ? undefined : laterText(draft.text);
    if (rest === undefined) {
      send();
      return;
    }
    if (ask !== undefined) draft.change(rest);
    (ask ?? explain)?.();
  };
}

function useKeys({ id, newestOwn, onEscape }: ComposerProps, text: string, send: () => void): (event: KeyboardEvent) => void {
  const hasMode = useChatIntents((intents) => intents.modes[id] !== undefined);
  return (event) => {
    if (event.nativeEvent.isComposing) return;
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (event.key === "Enter" && isPlain) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && isPlain && text === "" && newestOwn !== undefined) {
      event.preventDefault();
      changeMessage(id, newestOwn);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (hasMode) setComposerMode(id, undefined);
      else onEscape();
    }
  };
}

/** Changing a message puts its text into the field; the draft that was there comes back afterwards. */
function useEditedText(id: ConversationId, draft: Draft, mentions: Mentions): void {
  const edited = useChatIntents((intents) => (intents.modes[id]?.kind === "edit" ? intents.modes[id].message : undefined));
  const typed = useChatIntents((intents) => intents.modes[id]?.typed);
  const before = useRef<string>(undefined);
  const swap = useEffectEvent((message: ChatMessage | undefined, typed: string | undefined) => {
    if (message !== undefined) {
      before.current ??= draft.text;
      draft.show(typed ?? ("text" in message.body ? (mentions.current ?? NO_MENTIONS).typedOf(message.body) : ""));
    } else if (before.current !== undefined) {
      draft.show(before.current);
      before.current = undefined;
    }
  });
  // Before the next picture: the note above the field and its text change together.
  useLayoutEffect(() => swap(edited, typed), [edited, typed]);
}

/** The composer has the focus when its chat is opened, behind the draft that is there, and whenever that is wished. */
function useFocusOnWish(field: Field): void {
  const takeFocus = useEffectEvent(() => field.current?.focus({ preventScroll: true }));
  const goToEnd = useEffectEvent(() => field.current?.setSelectionRange(field.current.value.length, field.current.value.length));
  useEffect(() => {
    takeFocus();
    goToEnd();
    return useComposerFocus.subscribe(() => takeFocus());
  }, []);
}

/** Typing anywhere in the chat continues in the composer, as one expects. */
function useTypingAnywhere(field: Field): void {
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const isText = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isOutsideField =
      event.target === document.body || (event.target instanceof HTMLElement && event.target.closest("[data-chat-log]"));
    if (isText && isOutsideField && !event.defaultPrevented) field.current?.focus();
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listener);
    return (): void => window.removeEventListener("keydown", listener);
  }, []);
}
