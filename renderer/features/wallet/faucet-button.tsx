// Test tokens, offered only where the network gives them.
import { useQuery } from "@tanstack/react-query";
import { Droplets } from "lucide-react";
import type { ReactElement } from "react";
import { Button, type ButtonLook } from "#renderer/components/button.tsx";
import { useToasts } from "#renderer/components/toast.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { FAUCET_AMOUNT_UT, useFaucet } from "#renderer/lib/node/use-faucet.ts";
import { formatAmount } from "#shared/protocol/amount.ts";

/** The button, or nothing on a network without a faucet. */
export function FaucetButton(props: Pick<ButtonLook, "variant" | "size">): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const { data: network } = useQuery(useNodeQueries().networkInfo());
  const faucet = useFaucet();
  if (network?.development !== true) return null;
  const ask = (): void =>
    faucet.mutate(masterPub, {
      onSuccess: () => toasts.show({ title: t("wallet.faucetAsked", { amount: formatAmount(FAUCET_AMOUNT_UT) }), tone: "success" }),
      onError: toasts.showError,
    });
  return (
    <Button {...props} icon={Droplets} busy={faucet.isPending} onClick={ask}>
      {t("wallet.faucet")}
    </Button>
  );
}
