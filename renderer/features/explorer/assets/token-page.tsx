// One token: what it is, who issued it, what one holds of it.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowUpRight, FileQuestion } from "lucide-react";
import type { ReactElement } from "react";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { Token } from "#shared/api/schemas/contracts.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";

export function TokenPage(): ReactElement {
  const { id } = useParams({ from: "/shell/explorer/token/$id" });
  const t = useMessages();
  const query = useQuery(useNetworkQueries().token(id));
  const { data } = query;
  const missing = (
    <EmptyState
      icon={FileQuestion}
      title={t("explorer.tokenMissing")}
      text={t("explorer.tokenMissingText")}
      actions={<ButtonLink to="/explorer/tokens">{t("explorer.tokens")}</ButtonLink>}
    />
  );
  return (
    <ExplorerFrame title={data === undefined ? t("explorer.token") : t("explorer.tokenTitle", { name: data.name })}>
      <QueryState query={query} missing={missing} />
      {data !== undefined && <Details token={data} />}
    </ExplorerFrame>
  );
}

function Details({ token }: { readonly token: Token }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { data: heldUnits = 0n, isPending } = useQuery(useNetworkQueries().tokenBalance(token.token_id, masterPub));
  const send = heldUnits > 0n && (
    <ButtonLink to="/wallet/tokens/$id" params={{ id: token.token_id }} icon={ArrowUpRight} variant="primary">
      {t("common.send")}
    </ButtonLink>
  );
  return (
    <Section title={t("explorer.details")} hint={t("explorer.tokenHint")} actions={send}>
      <KeyValueList
        rows={[
          { label: t("common.name"), value: token.name },
          { label: t("explorer.symbol"), value: token.symbol },
          { label: t("explorer.tokenId"), value: <Copyable text={token.token_id} label={t("explorer.copyId")} /> },
          { label: t("explorer.supply"), value: <TokenAmount units={BigInt(token.supply)} token={token} /> },
          { label: t("explorer.decimals"), value: String(token.decimals) },
          { label: t("explorer.issuer"), value: <AddressChip publicKey={token.issuer_pub} /> },
          {
            label: t("explorer.contract"),
            value: (
              <Link to="/explorer/contract/$id" params={{ id: token.contract_id }}>
                {token.contract_id}
              </Link>
            ),
          },
          {
            label: t("explorer.youHold"),
            value: isPending ? <Skeleton width="5rem" /> : <TokenAmount units={heldUnits} token={token} />,
            strong: true,
          },
        ]}
      />
    </Section>
  );
}
