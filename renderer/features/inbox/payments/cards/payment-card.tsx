// The card of a message about money. Its code and words come apart from those of the chat.
import type { ReactElement } from "react";
import { WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { CardProps } from "./card-props.ts";
import { ReceiptCard } from "./receipt-card.tsx";
import { RequestCard } from "./request-card.tsx";
import { SplitCard } from "./split-card.tsx";

/** A request, a receipt or a bill. */
export type PaymentCardProps = CardProps<"pay.request"> | CardProps<"pay.receipt"> | CardProps<"pay.split">;

export function PaymentCard(props: PaymentCardProps): ReactElement {
  return <WithAllWords>{cardOf(props)}</WithAllWords>;
}

function cardOf({ body, ...props }: PaymentCardProps): ReactElement {
  switch (body.kind) {
    case "pay.request":
      return <RequestCard {...props} body={body} />;
    case "pay.receipt":
      return <ReceiptCard {...props} body={body} />;
    case "pay.split":
      return <SplitCard {...props} body={body} />;
  }
}
