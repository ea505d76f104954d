// Test tokens, offered only where the network gives them.

import { Droplets } from "lucide-react";
import type { ReactElement } from "react";
import { Button, type ButtonStyle } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount, useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { FAUCET_AMOUNT_UT, useFaucet, useOffersFaucet } from "#renderer/lib/node/use-faucet.ts";

/** The button, or nothing on a network without a faucet and on a device that cannot spend what it gives. */
export function FaucetButton(props: Pick<ButtonStyle, "variant" | "size">): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const isOffered = useOffersFaucet();
  const isLinked = useKeyringValue().status?.isLinked === true;
  const faucet = useFaucet();
  if (!isOffered || isLinked) return null;
  const ask = (): void =>
    faucet.mutate(masterPub, {
      onSuccess: () => toasts.show({ title: t("wallet.faucetAsked", { amount: amountText(t, FAUCET_AMOUNT_UT) }), tone: "success" }),
      onError: toasts.showError,
    });
  return (
    <Button {...props} icon={Droplets} busy={faucet.isPending} onClick={ask}>
      {t("common.getTestTokens")}
    </Button>
  );
}
