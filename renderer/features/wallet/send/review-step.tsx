// Third step: the last check, and the signature.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { PaymentReview } from "#renderer/components/transactions/payment-review.tsx";
import { useIsLeft } from "#renderer/lib/browser/window/use-is-left.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { leftBehind } from "#renderer/lib/transactions/sending/left-behind.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { PayIntent, SignedIntent } from "#shared/keyring/intents/intents.ts";
import { useAnnouncePayment } from "./announce-payment.ts";

export interface ReviewStepProps {
  readonly intent: PayIntent;
  readonly onBack: () => void;
  /** Sent, and the step is still shown; where it was left, a toast says what became of the payment. */
  readonly onSent: (signed: SignedIntent) => void;
  readonly onHeld: () => void;
}

export function ReviewStep({ intent, onBack, onSent, onHeld }: ReviewStepProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const announce = useAnnouncePayment();
  const isLeft = useIsLeft();
  // Of the mutation, not of the press: those end with the step.
  const send = useMutation({
    mutationFn: useSendIntent(),
    onSuccess: (signed) => (isLeft() ? announce : onSent)(signed),
    onError: (error) => {
      if (isLeft()) toasts.show(leftBehind(t, intent.kind, error));
    },
  });
  return (
    <PaymentReview
      intent={intent}
      onBack={onBack}
      onHeld={onHeld}
      onConfirm={(): void => send.mutate(intent)}
      // Sent, too: until the wallet is in front the button is still there, and a further press would be a further payment.
      isBusy={send.isPending || send.isSuccess}
      error={send.error}
    />
  );
}
