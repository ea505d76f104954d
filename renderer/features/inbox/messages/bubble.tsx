// One message. What others wrote is text with a few marks, whatever is in it: never markup of the page.
import { Pin, RotateCw, Star, Timer } from "lucide-react";
import { type CSSProperties, type ReactElement, type RefObject, Suspense, useRef } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useProgramName } from "#renderer/lib/desktop/use-apps-state.ts";
import { formatClock, formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { nameHue } from "#renderer/lib/people/names/name-hue.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import type { Receipt } from "../payments/chat-payments.ts";
import { isOnlyEmoji } from "../text/only-emoji.ts";
import styles from "./bubble.module.css";
import { canReply, MessageActions } from "./message-actions.tsx";
import { MessageWords } from "./message-words.tsx";
import { problemInWords } from "./parts/message-problem.ts";
import { MessageState } from "./parts/message-state.tsx";
import type { QuickReactionsProps } from "./parts/quick/quick-reactions.tsx";
import { useNear } from "./parts/quick/use-near.ts";
import { Reactions } from "./parts/reactions.tsx";
import { WaitingForDevice } from "./parts/waiting-for-device.tsx";
import { useHasRested } from "./scroll/scroll-rest.ts";

const QuickReactions = lazyPart(async () => (await import("./parts/quick/quick-reactions.tsx")).QuickReactions);

/** Kinds beside those of payments that are shown as cards. */
const CARDS: readonly ChatMessage["body"]["kind"][] = ["poll", "call.offer"];

export interface BubbleProps {
  readonly id: ConversationId;
  readonly message: ChatMessage;
  /** First and last message of a group of one author. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** For a request: the receipts that name it. */
  readonly claims: readonly Receipt[];
  /** For a receipt: an earlier one names the same payment. */
  readonly isRepeated: boolean;
  /** Shown for a moment: one was led to it. */
  readonly isMarked: boolean;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
}

function isCard({ body }: ChatMessage): boolean {
  return CARDS.includes(body.kind) || body.kind.startsWith("pay.");
}

/** The bubble with its actions, and what is wrong with it. */
export function Bubble(props: BubbleProps): ReactElement {
  const { message, isFirst, isLast, isMarked, header, messenger } = props;
  const t = useMessages();
  const line = useRef<HTMLDivElement>(null);
  const isOwn = message.direction === "out";
  const isEmoji = message.body.kind === "text" && isOnlyEmoji(message.body.text);
  return (
    <article
      className={classNames(styles.message, isOwn ? styles.own : styles.theirs, isFirst && styles.first, isLast && styles.last)}
      data-state={message.state ?? undefined}
      data-marked={isMarked || undefined}
    >
      {message.author === null ? (
        <VisuallyHidden>{isOwn ? t("common.you") : header.name}</VisuallyHidden>
      ) : (
        <Author person={message.author} isShown={isFirst} />
      )}
      <div ref={line} className={styles.line}>
        <div
          className={styles.bubble}
          data-emoji={isEmoji || undefined}
          data-card={isCard(message) || undefined}
          data-file={message.body.kind === "attachment" || undefined}
        >
          <MessageWords {...props} />
          <Foot message={message} isSelf={header.kind === "self"} />
        </div>
        <RestingActions {...props} area={line} />
      </div>
      {message.reactions.length > 0 && <Reactions message={message} messenger={messenger} />}
      {(message.problem !== null || message.isOnOtherDevice) && <Problem message={message} messenger={messenger} />}
    </article>
  );
}

/** What one can do with it. While rows are on the move, there is only the room for it. */
function RestingActions(props: BubbleProps & { readonly area: RefObject<HTMLElement | null> }): ReactElement {
  const { message, header, messenger, area } = props;
  const hasReplies = canReply(message, header);
  if (!useHasRested(area)) return <span className={hasReplies ? styles.roomOfThree : styles.roomOfOne} />;
  return (
    <>
      <MessageActions {...props} />
      {hasReplies && <Quick message={message} messenger={messenger} area={area} />}
    </>
  );
}

/** What one press reacts with, while the message is looked at. */
function Quick({ area, ...props }: QuickReactionsProps & { readonly area: RefObject<HTMLElement | null> }): ReactElement | null {
  const isNear = useNear(area);
  if (!isNear) return null;
  return (
    <Suspense fallback={null}>
      <QuickReactions {...props} />
    </Suspense>
  );
}

/** Who wrote it, in a group: shown above the first of several. */
export function Author({ person, isShown }: { readonly person: PublicKeyHex; readonly isShown: boolean }): ReactElement {
  const name = useLabelOf(person);
  if (!isShown) return <VisuallyHidden>{name}</VisuallyHidden>;
  return (
    <span className={styles.author} style={{ "--name-hue": nameHue(person) } as CSSProperties}>
      <Avatar publicKey={person} size={18} />
      {name}
    </span>
  );
}

/** What is known of it, in small: the time, how far it is. */
export function Foot(props: { readonly message: ChatMessage; readonly isSelf: boolean }): ReactElement {
  const { message, isSelf } = props;
  const t = useMessages();
  const { locale } = useLanguage();
  return (
    <span className={styles.foot}>
      {message.program !== null && <ByProgram connection={message.program} />}
      {message.isEdited && message.body.kind !== "deleted" && <span>{t("inbox.edited")}</span>}
      {message.cameLateAt !== null && <span>{t("inbox.cameLate", { time: formatExactTime(locale, message.cameLateAt) })}</span>}
      {message.isStarred && <Star size={11} fill="currentColor" role="img" aria-label={t("inbox.starred")} />}
      {message.isPinned && <Pin size={11} role="img" aria-label={t("inbox.pinned")} />}
      {message.expiresInS !== null && <Timer size={11} role="img" aria-label={t("inbox.disappears")} />}
      <time dateTime={new Date(message.at).toISOString()} title={formatExactTime(locale, message.at)}>
        {formatClock(locale, message.at)}
      </time>
      {message.state !== null && message.payment?.held == null && <MessageState state={message.state} isSelf={isSelf} />}
    </span>
  );
}

/** A program that the person let in wrote it. */
function ByProgram({ connection }: { readonly connection: string }): ReactElement {
  const t = useMessages();
  const name = useProgramName(connection);
  return <span>{name === undefined ? t("inbox.bySomeProgram") : t("common.byProgram", { name })}</span>;
}

type PartProps = Pick<BubbleProps, "message" | "messenger">;

function Problem({ message, messenger }: PartProps): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { key, problem, state, isOnOtherDevice } = message;
  if (isOnOtherDevice) return <p className={styles.waiting}>{t("inbox.waitingOnOtherDevice")}</p>;
  if (problem === null) return null;
  if (problem.device !== undefined && state !== "failed") return <WaitingForDevice of={problem.device} className={styles.waiting} />;
  const reason = problemInWords(t, problem);
  if (state !== "failed") return <p className={styles.waiting}>{t("inbox.waiting", { reason })}</p>;
  return (
    <div className={styles.failed} role="status">
      <span>{t("inbox.failed", { reason })}</span>
      <Button size="small" icon={RotateCw} onClick={(): void => void messenger.retry(key).catch(toasts.showError)}>
        {t("common.retry")}
      </Button>
    </div>
  );
}
