// Addresses that are watched: what they hold and where their history is. Nothing can be paid from them here.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Eye, History, Plus, X } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { FullAddress } from "#renderer/components/basics/full-address.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { WatchDialog } from "./watch-dialog.tsx";
import { MAX_WATCHED, unwatch, useWatched, type Watched } from "./watched-store.ts";

export function WatchedPage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const chainId = useChainId() ?? "";
  const watched = useWatched(chainId);
  const [isAdding, setAdding] = useState(false);
  const isFull = watched.length >= MAX_WATCHED;
  const add = (
    <Button icon={Plus} disabled={isFull} onClick={(): void => setAdding(true)}>
      {t("watched.add")}
    </Button>
  );
  const back = <IconButton icon={ArrowLeft} label={t("wallet.backToWallet")} onClick={(): void => void navigate({ to: "/wallet" })} />;
  return (
    <Page header={<PageHeader title={t("watched.page")} leading={back} actions={watched.length > 0 && add} />}>
      <p className={shared.muted}>{isFull ? t("watched.full", { limit: MAX_WATCHED }) : t("watched.text")}</p>
      {watched.length === 0 && <EmptyState icon={Eye} title={t("watched.none")} text={t("watched.noneText")} actions={add} />}
      {watched.map((entry) => (
        <WatchedAddress key={entry.publicKey} entry={entry} chainId={chainId} />
      ))}
      {isAdding && <WatchDialog watched={watched} chainId={chainId} onClose={(): void => setAdding(false)} />}
    </Page>
  );
}

function WatchedAddress({ entry, chainId }: { readonly entry: Watched; readonly chainId: string }): ReactElement {
  const { publicKey, name } = entry;
  const t = useMessages();
  const balance = useQuery(useNodeQueries().balance(publicKey));
  const title = name === "" ? shorten(formatAddress(publicKey)) : name;
  return (
    <Section title={title} actions={<Badge tone="accent">{t("watched.badge")}</Badge>}>
      <div className={shared.stack4}>
        {balance.data === undefined ? <QueryState query={balance} rows={1} /> : <Amount amountUt={balance.data.balanceUt} size="strong" />}
        <FullAddress publicKey={publicKey} />
        <div className={shared.buttons}>
          <ButtonLink to="/explorer/address/$account" params={{ account: formatAddress(publicKey) }} icon={History} size="small">
            {t("wallet.activity")}
          </ButtonLink>
          <Button icon={X} size="small" onClick={(): void => void unwatch(chainId, publicKey)}>
            {t("watched.remove")}
          </Button>
        </div>
      </div>
    </Section>
  );
}
