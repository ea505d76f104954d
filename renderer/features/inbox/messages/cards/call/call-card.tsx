// A call in its bubble: what kind, and what became of it.
import { PhoneIncoming, PhoneMissed, PhoneOutgoing } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatCountdown } from "#renderer/lib/format/time.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { CallOfferBody } from "#shared/content/chat/call-content.ts";
import { type CallOutcome, outcomeOf } from "#shared/content/chat/call-outcome.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import card from "../../../payments/cards/card.module.css";
import { reasonOf } from "./call-reason.ts";

const LOOK_MS = 10_000;

export interface CallCardProps {
  readonly message: ChatMessage;
  readonly body: CallOfferBody;
}

export function CallCard(props: CallCardProps): ReactElement {
  return (
    <WithAllWords>
      <Call {...props} />
    </WithAllWords>
  );
}

function Call({ message, body }: CallCardProps): ReactElement {
  const t = useMessages();
  const now = useNow(LOOK_MS);
  const [isExplained, setExplained] = useState(false);
  const isIncoming = message.direction === "in";
  const outcome = outcomeOf(message.call ?? {}, message.at, now);
  const why = reasonOf(outcome, isIncoming);
  const Icon = isIncoming ? (outcome.kind === "missed" ? PhoneMissed : PhoneIncoming) : PhoneOutgoing;
  return (
    <div className={card.card}>
      <p className={card.head}>
        <Icon size={15} aria-hidden="true" />
        {callInWords(t, { media: body.media, outcome, isIncoming })}
      </p>
      {why !== undefined && !isExplained && (
        <Button size="small" onClick={(): void => setExplained(true)}>
          {t("calls.why")}
        </Button>
      )}
      {why !== undefined && isExplained && <p>{t(why)}</p>}
    </div>
  );
}

/** What became of a call, in one line. */
function callInWords(
  t: Translate,
  { media, outcome, isIncoming }: { readonly media: CallOfferBody["media"]; readonly outcome: CallOutcome; readonly isIncoming: boolean },
): string {
  const what = t(`inbox.call.${media}`);
  const with_ = (words: string): string => t("calls.spoken", { what, time: words });
  switch (outcome.kind) {
    case "open":
      return what;
    case "spoken":
      return outcome.seconds === null ? what : with_(formatCountdown(outcome.seconds));
    case "missed":
      return with_(t(isIncoming ? "calls.missed" : "calls.noAnswer"));
    case "declined":
      return with_(t(outcome.cause === undefined ? "calls.declined" : "calls.unanswered"));
    case "busy":
      return with_(t(isIncoming ? "calls.missed" : "calls.busy"));
    case "no-path":
      return with_(t("calls.noPath"));
    case "crossed":
      return with_(t("calls.crossed"));
  }
}
