// Escrow: amounts that wait with the chain until a deal between two people is settled.
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Plus, Scale } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { OlderLines } from "#renderer/components/feedback/older-lines.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { DealSection } from "./deal-section.tsx";
import { useDeals } from "./deals.ts";
import { FindDealDialog } from "./find-deal-dialog.tsx";
import { OpenDealDialog } from "./open-deal-dialog.tsx";

type Open = "none" | "open" | "find";

export function EscrowPage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const network = useQuery(useNodeQueries().networkInfo());
  const [open, setOpen] = useState<Open>("none");
  const close = (): void => setOpen("none");
  const isHere = network.data?.contracts.escrow !== undefined;
  const header = (
    <PageHeader
      title={t("escrow.page")}
      leading={<IconButton icon={ArrowLeft} label={t("wallet.backToWallet")} onClick={(): void => void navigate({ to: "/wallet" })} />}
      actions={
        isHere && (
          <>
            <Button onClick={(): void => setOpen("find")}>{t("escrow.find")}</Button>
            <Button icon={Plus} onClick={(): void => setOpen("open")}>
              {t("escrow.open")}
            </Button>
          </>
        )
      }
    />
  );
  return (
    <Page header={header}>
      <p className={shared.muted}>{t("escrow.text")}</p>
      <QueryState query={network} rows={3} />
      {network.data !== undefined && !isHere && <EmptyState icon={Scale} title={t("escrow.notHere")} text={t("escrow.notHereText")} />}
      {isHere && <Deals />}
      {open === "open" && <OpenDealDialog onClose={close} />}
      {open === "find" && <FindDealDialog onClose={close} />}
    </Page>
  );
}

function Deals(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { deals, isLoading, source, older } = useDeals(masterPub);
  const { query } = source;
  return (
    <>
      {query.isError && <QueryState query={query} />}
      {isLoading && !query.isError && deals.length === 0 && <SkeletonRows count={3} />}
      {!isLoading && deals.length === 0 && <EmptyState icon={Scale} title={t("escrow.none")} text={t("escrow.noneText")} />}
      {deals.map((deal) => (
        <DealSection key={deal.id} deal={deal} />
      ))}
      <OlderLines older={older} />
    </>
  );
}
