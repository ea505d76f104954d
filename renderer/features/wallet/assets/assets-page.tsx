// Tokens and NFTs of the account, what others may send of them, and everything that one can do with them.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Coins, Gem, Plus } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { AllowancesSections } from "./allowances-sections.tsx";
import { IssueTokenDialog } from "./issue-token-dialog.tsx";
import { MintNftDialog } from "./mint-nft-dialog.tsx";
import { NftRow, TokenRow } from "./owned-rows.tsx";

type Open = "none" | "issue" | "mint";

export function AssetsPage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { masterPub } = useAccount();
  const network = useQuery(useNodeQueries().networkInfo());
  const [open, setOpen] = useState<Open>("none");
  const close = (): void => setOpen("none");
  const contracts = network.data?.contracts;
  const header = (
    <PageHeader
      title={t("wallet.holdings")}
      leading={<IconButton icon={ArrowLeft} label={t("wallet.backToWallet")} onClick={(): void => void navigate({ to: "/wallet" })} />}
    />
  );
  return (
    <Page header={header}>
      {contracts === undefined && <QueryState query={network} rows={3} />}
      {contracts !== undefined && contracts.tokens === undefined && contracts.nfts === undefined && (
        <EmptyState icon={Coins} title={t("assets.notHere")} text={t("assets.notHereText")} />
      )}
      {contracts?.tokens !== undefined && (
        <>
          <Tokens account={masterPub} onIssue={(): void => setOpen("issue")} />
          <AllowancesSections account={masterPub} />
        </>
      )}
      {contracts?.nfts !== undefined && <Nfts account={masterPub} onMint={(): void => setOpen("mint")} />}
      {open === "issue" && <IssueTokenDialog onClose={close} />}
      {open === "mint" && <MintNftDialog onClose={close} />}
    </Page>
  );
}

function Tokens({ account, onIssue }: { readonly account: PublicKeyHex; readonly onIssue: () => void }): ReactElement {
  const t = useMessages();
  const query = useQuery(useNetworkQueries().holdings(account));
  const issue = (
    <Button icon={Plus} size="small" onClick={onIssue}>
      {t("assets.issue")}
    </Button>
  );
  return (
    <Section title={t("assets.myTokens")} actions={issue}>
      <QueryState query={query} rows={2} />
      {query.data?.length === 0 && <EmptyState icon={Coins} title={t("assets.noTokens")} text={t("assets.noTokensText")} />}
      <div className={shared.outdented}>
        {query.data?.map((holding) => (
          <TokenRow key={holding.token.token_id} holding={holding} />
        ))}
      </div>
    </Section>
  );
}

function Nfts({ account, onMint }: { readonly account: PublicKeyHex; readonly onMint: () => void }): ReactElement {
  const t = useMessages();
  const query = useQuery(useNetworkQueries().nftsOfOwner(account));
  const mint = (
    <Button icon={Plus} size="small" onClick={onMint}>
      {t("assets.mint")}
    </Button>
  );
  return (
    <Section title={t("assets.myNfts")} actions={mint}>
      <QueryState query={query} rows={2} />
      {query.data?.length === 0 && <EmptyState icon={Gem} title={t("assets.noNfts")} text={t("assets.noNftsText")} />}
      <div className={shared.outdented}>
        {query.data?.map((nft) => (
          <NftRow key={nft.nft_id} nft={nft} />
        ))}
      </div>
    </Section>
  );
}
