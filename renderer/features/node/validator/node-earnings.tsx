// Where the earnings of the own node go: to its own account, or to a wallet that agreed.
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useNodeDuty } from "#renderer/components/transactions/use-node-duty.ts";
import { useAccount, useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "#renderer/lib/keyring/unlock-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { keyFlags, useOwnNode } from "#renderer/lib/node/use-own-node.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import { formatAddress, type PublicKeyHex, parseAddress } from "#shared/protocol/primitives/address.ts";
import { NodeFunds } from "./node-funds.tsx";

/** The section; nothing without a node of one's own. */
export function NodeEarnings(): ReactElement | null {
  const { publicKey, signerKey, desktop, isOther } = useOwnNode();
  if (publicKey === undefined || isOther) return null;
  return <Earnings publicKey={signerKey ?? publicKey} signerKey={signerKey} desktop={signerKey === undefined ? desktop : undefined} />;
}

function Earnings({
  publicKey,
  desktop,
  signerKey,
}: {
  readonly publicKey: PublicKeyHex;
  readonly desktop: DesktopApi | undefined;
  readonly signerKey: PublicKeyHex | undefined;
}): ReactElement | null {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { data: stats, isPending } = useQuery(useNetworkQueries().nodeStats(publicKey));
  if (stats === undefined) return isPending ? <Pending /> : null;
  const wallet = stats === null || stats.wallet_binding_address === "" ? undefined : parseAddress(stats.wallet_binding_address);
  const isBound = wallet === masterPub;
  return (
    <Section title={t("node.earnings")} hint={t("node.earningsHint")}>
      <KeyValueList
        rows={[{ label: t("node.earningsTo"), value: wallet === undefined ? t("node.ownAccount") : <AddressChip publicKey={wallet} /> }]}
      />
      {desktop === undefined ? (
        <p className={shared.hint}>
          {t(signerKey === undefined ? "node.moveFunds" : "node.moveFundsAtSigner")}{" "}
          <Copyable
            text={`parley transfer ${keyFlags({ signerKey })} --to ${formatAddress(masterPub)} --amount 1T`}
            label={t("node.copyCommand")}
          />
        </p>
      ) : (
        <>
          <div className={shared.buttons}>
            {!isBound && <BindButton desktop={desktop} publicKey={publicKey} />}
            {wallet !== undefined && <UnbindButton desktop={desktop} />}
          </div>
          <NodeFunds desktop={desktop} balanceUt={stats?.node_balance_ut ?? 0} />
        </>
      )}
    </Section>
  );
}

/** The wallet agrees by a signature over the node's key; the node submits it. */
function BindButton({ desktop, publicKey }: { readonly desktop: DesktopApi; readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const keyring = useKeyring();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const ensureUnlocked = useEnsureUnlocked();
  const chainId = useChainId();
  const ask = useNodeDuty(desktop);
  const agree = useMutation({
    mutationFn: async () => {
      await ensureUnlocked();
      return await keyring.agreeToNode({ chainId: chainId ?? "", nodePub: publicKey });
    },
    onSuccess: (signature) => ask.mutate({ duty: "bind_wallet", wallet_pub: masterPub, wallet_sig: signature }),
    onError: (error) => toasts.showError(error),
  });
  return (
    <Button busy={agree.isPending || ask.isPending} disabled={chainId === undefined} onClick={(): void => agree.mutate()}>
      {t("node.bindWallet")}
    </Button>
  );
}

/** The node's own key ends the binding: no wallet has to agree. */
function UnbindButton({ desktop }: { readonly desktop: DesktopApi }): ReactElement {
  const t = useMessages();
  const ask = useNodeDuty(desktop);
  return (
    <Button busy={ask.isPending} onClick={(): void => ask.mutate({ duty: "unbind_wallet" })}>
      {t("node.unbindWallet")}
    </Button>
  );
}
