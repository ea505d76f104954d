// One NFT: what it is, whose it is. Its metadata is shown as the text that it is.
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ArrowUpRight, FileQuestion } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { Nft } from "#shared/api/schemas/contracts.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import raw from "../frame/raw-section.module.css";

export function NftPage(): ReactElement {
  const { id } = useParams({ from: "/shell/explorer/nft/$id" });
  const t = useMessages();
  const query = useQuery(useNetworkQueries().nft(id));
  const { data } = query;
  const missing = (
    <EmptyState
      icon={FileQuestion}
      title={t("explorer.nftMissing")}
      text={t("explorer.nftMissingText")}
      actions={<ButtonLink to="/explorer/nfts">{t("explorer.nfts")}</ButtonLink>}
    />
  );
  return (
    <ExplorerFrame title={data === undefined ? t("explorer.nft") : t("explorer.nftTitle", { name: data.name })}>
      <QueryState query={query} missing={missing} />
      {data !== undefined && <Details nft={data} />}
    </ExplorerFrame>
  );
}

function Details({ nft }: { readonly nft: Nft }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const send = nft.owner_pub === masterPub && (
    <ButtonLink to="/wallet/nfts/$id" params={{ id: nft.nft_id }} icon={ArrowUpRight} variant="primary">
      {t("wallet.giveAway")}
    </ButtonLink>
  );
  return (
    <>
      <Section title={t("explorer.details")} actions={send}>
        <KeyValueList
          rows={[
            { label: t("common.name"), value: nft.name },
            { label: t("explorer.nftId"), value: <Copyable text={nft.nft_id} label={t("explorer.copyId")} /> },
            { label: t("explorer.owner"), value: <AddressChip publicKey={nft.owner_pub} /> },
            { label: t("explorer.minter"), value: <AddressChip publicKey={nft.minter_pub} /> },
          ]}
        />
      </Section>
      {nft.metadata !== "" && (
        <Section title={t("explorer.metadata")} hint={t("explorer.metadataHint")}>
          <pre className={raw.code}>{nft.metadata}</pre>
        </Section>
      )}
    </>
  );
}
