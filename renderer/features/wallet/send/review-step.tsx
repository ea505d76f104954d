// Third step: the last check, and the signature.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { PaymentReview } from "#renderer/components/transactions/payment-review.tsx";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { PayIntent, SignedIntent } from "#shared/keyring/intents/intents.ts";

export interface ReviewStepProps {
  readonly intent: PayIntent;
  readonly onBack: () => void;
  readonly onSent: (signed: SignedIntent) => void;
  readonly onHeld: () => void;
}

export function ReviewStep({ intent, onBack, onSent, onHeld }: ReviewStepProps): ReactElement {
  const send = useMutation({ mutationFn: useSendIntent() });
  return (
    <PaymentReview
      intent={intent}
      onBack={onBack}
      onHeld={onHeld}
      onConfirm={(): void => send.mutate(intent, { onSuccess: onSent })}
      // Sent, too: until the wallet is in front the button is still there, and a further press would be a further payment.
      isBusy={send.isPending || send.isSuccess}
      error={send.error}
    />
  );
}
