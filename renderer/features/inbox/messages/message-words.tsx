// What a message says: text, what it answers, a request for a payment or the word that one was made.
import { useNavigate } from "@tanstack/react-router";
import { Check, Coins } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { plainAmount } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, ConversationId, MessageBody } from "#shared/messenger/model/message.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { jumpTo } from "../model/chat-intent-store.ts";
import type { ConversationHeader } from "../model/conversation-header.tsx";
import { textOfBody } from "../model/message-text.ts";
import { useNameOf } from "../model/use-name-of.ts";
import type { Receipt } from "../payments/chat-payments.ts";
import { MarkedText } from "../text/marked-text.tsx";
import { Attachment } from "./attachment.tsx";
import styles from "./bubble.module.css";
import { type PaymentOnChain, PaymentState, usePaymentOnChain } from "./payment-state.tsx";

export interface MessageWordsProps {
  readonly id: ConversationId;
  readonly message: ChatMessage;
  readonly header: ConversationHeader;
  readonly messenger: Messenger;
  readonly receipt: Receipt | undefined;
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
      return <Attachment message={message} body={body} messenger={props.messenger} author={author} />;
    case "pay.request":
      return <PayRequest {...props} body={body} />;
    case "pay.receipt":
      return <PayReceipt {...props} body={body} />;
    default: {
      const isNote = body.kind === "damaged" || body.kind === "deleted" || (body.kind === "unsupported" && body.fallback === "");
      return (
        <>
          {body.kind === "reply" && <Quote {...props} body={body} />}
          {body.kind === "plain" && <p className={styles.origin}>{t("inbox.plain")}</p>}
          {"text" in body ? (
            <MarkedText text={body.text} />
          ) : (
            <p className={classNames(styles.text, isNote && styles.note)} dir="auto">
              {textOfBody(t, body)}
            </p>
          )}
        </>
      );
    }
  }
}

type Of<Kind extends MessageBody["kind"]> = MessageWordsProps & { readonly body: Extract<MessageBody, { readonly kind: Kind }> };

/** The beginning of the message that is answered; it leads there. */
function Quote({ id, messenger, body }: Of<"reply">): ReactElement {
  const t = useMessages();
  const nameOf = useNameOf([body.to.author]);
  const go = async (): Promise<void> => {
    const found = await messenger.findMessage(body.to);
    if (found !== undefined) jumpTo({ conversation: id, ...found });
  };
  return (
    <button type="button" className={styles.quote} onClick={(): void => void go().catch(() => undefined)}>
      <span className={shared.strong}>{nameOf(body.to.author)}</span>
      <span className={styles.quoteText} dir="auto">
        {body.quote === "" ? t("common.message") : body.quote}
      </span>
    </button>
  );
}

/** The note stays between the two: it never becomes the public memo of the payment. */
function PayRequest({ id, message, header, body, receipt }: Of<"pay.request">): ReactElement {
  const t = useMessages();
  const isAskedOfMe = message.direction === "in" && header.kind === "person";
  return (
    <div className={styles.payment}>
      <p>{message.direction === "out" ? t("inbox.youAskFor") : t("inbox.theyAskFor", { name: header.name })}</p>
      <Amount amountUt={body.amountUt} size="large" />
      {body.note !== "" && <p dir="auto">{body.note}</p>}
      {receipt !== undefined && <Answer id={id} request={message} receipt={receipt} mayPay={isAskedOfMe} />}
      {receipt === undefined && isAskedOfMe && <PayButton id={id} request={message} isAgain={false} />}
    </div>
  );
}

interface PayButtonProps {
  readonly id: ConversationId;
  /** A request of the other person. */
  readonly request: ChatMessage;
  /** It was answered already, or the payment did not go through. */
  readonly isAgain: boolean;
}

function PayButton({ id, request: { key, body }, isAgain }: PayButtonProps): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const pay = (): void => {
    const amount = body.kind === "pay.request" ? plainAmount(body.amountUt) : "";
    void navigate({ to: "/wallet/send", search: { to: formatAddress(id), chat: id, amount, request: key } });
  };
  return (
    <Button size="small" variant={isAgain ? "ghost" : "secondary"} icon={Coins} onClick={pay}>
      {t(isAgain ? "inbox.payAgain" : "common.pay")}
    </Button>
  );
}

interface AnswerProps extends Omit<PayButtonProps, "isAgain"> {
  readonly receipt: Receipt;
  readonly mayPay: boolean;
}

/** What became of a request: it is not offered again while a payment is on its way, and only as a second payment afterwards. */
function Answer({ id, request, receipt: { at, body, direction }, mayPay }: AnswerProps): ReactElement {
  const t = useMessages();
  const payment = usePaymentOnChain({ txId: body.txId, amountUt: body.amountUt, peer: id, direction, at });
  const isUnderWay = payment.kind === "checking" || (payment.kind === "waiting" && Date.now() - at < TX_WINDOW_MS);
  return (
    <>
      {payment.kind === "inBlock" && (
        <p className={styles.paid}>
          <Check size={14} aria-hidden="true" /> {t("inbox.paid")}
        </p>
      )}
      <PaymentState txId={body.txId} payment={payment} />
      {mayPay && !isUnderWay && <PayButton id={id} request={request} isAgain />}
    </>
  );
}

/** The message only says where to look: that the other person paid is stated once the chain shows it. */
function PayReceipt({ id, message, header, body, isRepeated }: Of<"pay.receipt">): ReactElement {
  const t = useMessages();
  const onChain = usePaymentOnChain({ txId: body.txId, amountUt: body.amountUt, peer: id, direction: message.direction, at: message.at });
  const payment: PaymentOnChain = isRepeated ? { kind: "repeated" } : onChain;
  const theyPaid = payment.kind === "inBlock" ? "inbox.theyPaid" : "inbox.theySayTheyPaid";
  return (
    <div className={styles.payment}>
      <p>{message.direction === "out" ? t("inbox.youPaid") : t(theyPaid, { name: header.name })}</p>
      <Amount amountUt={body.amountUt} size="large" />
      <PaymentState txId={body.txId} payment={payment} />
    </div>
  );
}
