// Third step: the last check, and the signature.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useCallback, useMemo } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { PaymentReview } from "#renderer/components/transactions/payment-review.tsx";
import { useIsLeft } from "#renderer/lib/browser/window/use-is-left.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { createChatReceipt } from "#renderer/lib/messenger/chat-receipt.ts";
import { hasOpenChat } from "#renderer/lib/messenger/has-open-chat.ts";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
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
  const messenger = useMessenger();
  const receipt = useMemo(() => (messenger === undefined ? undefined : createChatReceipt(messenger)), [messenger]);
  const { masterPub } = useAccount();
  const hasChat = useMessengerValue((snapshot) => hasOpenChat(snapshot, intent.to)) && intent.to !== masterPub;
  const noteSigned = useCallback(({ transaction }: SignedIntent) => receipt?.signed(transaction) ?? Promise.resolve(), [receipt]);
  const send = useMutation({
    mutationFn: useSendIntent(noteSigned),
    onSuccess: (signed) => {
      void receipt?.taken(signed.transaction);
      (isLeft() ? announce : onSent)(signed);
    },
    onError: (error) => {
      void receipt?.failed(error);
      if (isLeft()) toasts.show(leftBehind(t, intent.kind, error));
    },
  });
  return (
    <PaymentReview
      intent={intent}
      onBack={onBack}
      onHeld={onHeld}
      {...(hasChat && { chat: { request: null, after: null, note: "" } })}
      onConfirm={(): void => send.mutate(intent)}
      // Sent, too: until the wallet is in front the button is still there, and a further press would be a further payment.
      isBusy={send.isPending || send.isSuccess}
      error={send.error}
    />
  );
}
