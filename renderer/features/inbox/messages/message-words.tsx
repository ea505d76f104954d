// What a message says: text, what it answers, a request for a payment or the word that one was made.
import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId, MessageBody } from "#shared/messenger/model/message.ts";
import { jumpTo } from "../model/chat-intent-store.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { textOfBody } from "../model/message-text.ts";
import { useNameOf } from "../model/use-name-of.ts";
import type { PaymentCardProps } from "../payments/cards/payment-card.tsx";
import type { Receipt } from "../payments/chat-payments.ts";
import { MarkedText } from "../text/marked-text.tsx";
import styles from "./bubble.module.css";
import type { CallCardProps } from "./cards/call/call-card.tsx";
import { isShort } from "./cards/link/link-host.ts";
import type { PollCardProps } from "./cards/poll/poll-card.tsx";
import { PollOutline } from "./cards/poll/poll-outline.tsx";
import { Attachment } from "./files/attachment.tsx";

const PaymentCard = lazy(
  async (): Promise<{ readonly default: ComponentType<PaymentCardProps> }> => ({
    default: (await import("../payments/cards/payment-card.tsx")).PaymentCard,
  }),
);

const PollCard = lazy(
  async (): Promise<{ readonly default: ComponentType<PollCardProps> }> => ({
    default: (await import("./cards/poll/poll-card.tsx")).PollCard,
  }),
);

const CallCard = lazy(
  async (): Promise<{ readonly default: ComponentType<CallCardProps> }> => ({
    default: (await import("./cards/call/call-card.tsx")).CallCard,
  }),
);

const LinkCard = lazyPart(async () => (await import("./cards/link/link-card.tsx")).LinkCard);

export interface MessageWordsProps {
  readonly id: ConversationId;
  readonly message: ChatMessage;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
  /** For a request: the receipts that name it. */
  readonly claims: readonly Receipt[];
  readonly isRepeated: boolean;
}

/** The content of the bubble. */
export function MessageWords(props: MessageWordsProps): ReactElement {
  const { message, header } = props;
  const { body } = message;
  const author = message.author ?? (header.kind === "person" ? header.peer : null);
  const t = useMessages();
  switch (body.kind) {
    case "attachment":
      return <Attachment id={props.id} message={message} body={body} messenger={props.messenger} author={author} />;
    case "poll": {
      const poll = { message, body, mayVote: header.kind !== "group" || header.group?.isMember === true };
      return (
        <Suspense fallback={<PollOutline {...poll} />}>
          <PollCard {...poll} messenger={props.messenger} />
        </Suspense>
      );
    }
    case "call.offer":
      return (
        <Suspense fallback={<div className={styles.expectedCard} />}>
          <CallCard message={message} body={body} />
        </Suspense>
      );
    case "pay.request":
      return <Card {...props} body={body} />;
    case "pay.split":
      return <Card {...props} body={body} />;
    case "pay.receipt":
      return <Card {...props} body={body} />;
    default: {
      const isNote = body.kind === "damaged" || body.kind === "deleted" || (body.kind === "unsupported" && body.fallback === "");
      return (
        <>
          {body.kind === "reply" && <Quote {...props} body={body} />}
          {body.kind === "plain" && <p className={styles.origin}>{t("inbox.plain")}</p>}
          {"text" in body ? (
            <MarkedText {...body} />
          ) : (
            <p className={classNames(styles.text, isNote && styles.note)} dir="auto">
              {textOfBody(t, body)}
            </p>
          )}
          {"preview" in body && body.preview !== undefined && (
            <Suspense fallback={<div className={styles.expectedLink} data-short={isShort(body.preview) || undefined} />}>
              <LinkCard preview={body.preview} isOwn={message.direction === "out"} author={author} />
            </Suspense>
          )}
        </>
      );
    }
  }
}

type Of<Kind extends MessageBody["kind"]> = MessageWordsProps & { readonly body: Extract<MessageBody, { readonly kind: Kind }> };

/** The beginning of the message that is answered; it leads there. */
function Quote({ id, messenger, message, body }: Of<"reply">): ReactElement {
  const t = useMessages();
  const nameOf = useNameOf([body.to.author]);
  const go = async (): Promise<void> => {
    const found = await messenger.findMessage(body.to);
    if (found !== undefined) jumpTo({ conversation: id, ...found });
  };
  if (message.isAnswerToGone === true)
    return (
      <div className={styles.quote}>
        <span className={shared.strong}>{nameOf(body.to.author)}</span>
        <span className={classNames(styles.quoteText, styles.note)}>{t("inbox.quoteGone")}</span>
      </div>
    );
  return (
    <button type="button" className={styles.quote} onClick={(): void => void go().catch(() => undefined)}>
      <span className={shared.strong}>{nameOf(body.to.author)}</span>
      <span className={styles.quoteText} dir="auto">
        {body.quote === "" ? t("common.message") : body.quote}
      </span>
    </button>
  );
}

function Card(props: PaymentCardProps): ReactElement {
  return (
    <Suspense fallback={<div className={styles.expectedCard} />}>
      <PaymentCard {...props} />
    </Suspense>
  );
}
