// Paying a person, in steps: whom, how much, and one last check. What became of it the wallet says, or a last step that leads back.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { leaveFocus } from "#renderer/lib/browser/window/leave-focus.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PayIntent, SignedIntent } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { AmountStep } from "./amount-step.tsx";
import { useAnnouncePayment } from "./announce-payment.ts";
import { RecipientStep } from "./recipient-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import { callbackOf, draftOf, isChosenBy, type SendDraft } from "./send-draft.ts";
import type { SendSearch } from "./send-search.ts";
import { SentStep } from "./sent-step.tsx";

type Step =
  | { readonly kind: "recipient" }
  | { readonly kind: "amount"; readonly to: PublicKeyHex }
  | { readonly kind: "review"; readonly intent: PayIntent }
  | { readonly kind: "sent"; readonly signed: SignedIntent; readonly callback: string };

const TITLES = {
  recipient: "common.send",
  amount: "common.send",
  review: "wallet.reviewTitle",
  sent: "wallet.sentTitle",
} as const;

/** The dialog, open as long as its route is. What a link brought fills the form, and shows the recipient first. */
export function SendDialog(): ReactElement {
  const search = useSearch({ from: "/shell/wallet/send" });
  return <SendFlow key={JSON.stringify(search)} search={search} />;
}

function SendFlow(props: { readonly search: SendSearch }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const [draft, setDraft] = useState<SendDraft>(() => draftOf(props.search, t.locale));
  const [step, showStep] = useState<Step>({ kind: "recipient" });
  const setStep = (next: Step): void => {
    leaveFocus();
    showStep(next);
  };
  const [isChosen, setChosen] = useState(() => isChosenBy(props.search));
  const change = (changes: Partial<SendDraft>): void => setDraft({ ...draft, ...changes });
  const close = (): void => void navigate({ to: "/wallet" });
  const announce = useAnnouncePayment();
  const showSent = (signed: SignedIntent, to: PublicKeyHex): void => {
    const callback = callbackOf(draft, to);
    if (callback !== undefined) {
      setStep({ kind: "sent", signed, callback });
      return;
    }
    close();
    announce(signed);
  };
  return (
    <Dialog open keepOpen onOpenChange={close} title={t(TITLES[step.kind])}>
      {step.kind === "recipient" && (
        <RecipientStep
          draft={draft}
          isChosen={isChosen}
          onChange={change}
          onChosen={(to): void => {
            setChosen(false);
            setStep({ kind: "amount", to });
          }}
        />
      )}
      {step.kind === "amount" && (
        <AmountStep
          to={step.to}
          draft={draft}
          onChange={change}
          onBack={(): void => setStep({ kind: "recipient" })}
          onReady={(intent): void => setStep({ kind: "review", intent })}
        />
      )}
      {step.kind === "review" && (
        <ReviewStep
          intent={step.intent}
          onBack={(): void => setStep({ kind: "amount", to: step.intent.to })}
          onHeld={close}
          onSent={(signed): void => showSent(signed, step.intent.to)}
        />
      )}
      {step.kind === "sent" && <SentStep signed={step.signed} callback={step.callback} onDone={close} />}
    </Dialog>
  );
}
