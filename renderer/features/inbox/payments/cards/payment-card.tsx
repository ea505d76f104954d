// The card of a message about money. Its code and words come apart from those of the chat.
import type { ReactElement } from "react";
import { WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { CardProps } from "./card-props.ts";
import { ReceiptCard } from "./receipt-card.tsx";
import { RequestCard } from "./request-card.tsx";

/** A request or a receipt. */
export type PaymentCardProps = CardProps<"pay.request"> | CardProps<"pay.receipt">;

export function PaymentCard(props: PaymentCardProps): ReactElement {
  return <WithAllWords>{isRequest(props) ? <RequestCard {...props} /> : <ReceiptCard {...props} />}</WithAllWords>;
}

function isRequest(props: PaymentCardProps): props is CardProps<"pay.request"> {
  return props.body.kind === "pay.request";
}
