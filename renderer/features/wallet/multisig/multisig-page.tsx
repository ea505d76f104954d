// Multisigs: money of several people, which moves when enough of them approve.
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Plus, UsersRound } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { UnverifiedNote } from "#renderer/components/feedback/unverified-note.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { CreateDialog } from "./create-dialog.tsx";
import { FindPurseDialog } from "./find-purse-dialog.tsx";
import { PurseSection } from "./purse-section.tsx";
import { useFoundPurses, usePurse, usePurseIds } from "./purses.ts";

type Open = "none" | "create" | "find";

export function MultisigPage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { masterPub } = useAccount();
  const own = usePurseIds(masterPub);
  const found = useFoundPurses(({ ids }) => ids);
  const [open, setOpen] = useState<Open>("none");
  const close = (): void => setOpen("none");
  const ids = [...new Set([...found, ...(own.data ?? [])])];
  const header = (
    <PageHeader
      title={t("multisig.page")}
      leading={<IconButton icon={ArrowLeft} label={t("wallet.backToWallet")} onClick={(): void => void navigate({ to: "/wallet" })} />}
      actions={
        <>
          <Button onClick={(): void => setOpen("find")}>{t("multisig.find")}</Button>
          <Button icon={Plus} onClick={(): void => setOpen("create")}>
            {t("multisig.create")}
          </Button>
        </>
      }
    />
  );
  return (
    <Page header={header}>
      <p className={shared.muted}>{t("multisig.text")}</p>
      {ids.length === 0 && <QueryState query={own} rows={3} />}
      {ids.length === 0 && own.data !== undefined && (
        <EmptyState icon={UsersRound} title={t("multisig.none")} text={t("multisig.noneText")} />
      )}
      {ids.map((id) => (
        <LoadedPurse key={id} id={id} />
      ))}
      <UnverifiedNote kind="list" />
      {open === "create" && <CreateDialog onClose={close} />}
      {open === "find" && <FindPurseDialog onClose={close} />}
    </Page>
  );
}

/** One that was just made is in no block for a moment. */
function LoadedPurse({ id }: { readonly id: string }): ReactElement | null {
  const query = usePurse(id);
  if (query.data === undefined) return <QueryState query={query} rows={2} missing={<SkeletonRows count={2} />} />;
  return query.data === null ? null : <PurseSection purse={query.data} />;
}
