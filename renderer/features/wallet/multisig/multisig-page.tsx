// Multisigs: money of several people, which moves when enough of them approve.
import { useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Plus, UsersRound } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { OlderLines } from "#renderer/components/feedback/older-lines.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useFound } from "../found/found-store.ts";
import { CreateDialog } from "./create-dialog.tsx";
import { FindPurseDialog } from "./find-purse-dialog.tsx";
import { useFoundPurses } from "./find-purses.ts";
import { PurseSection } from "./purse-section.tsx";
import { usePurse } from "./purses.ts";

type Open = "none" | "create" | "find";

export function MultisigPage(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const { masterPub } = useAccount();
  const { ids: own, query, isLoading, older } = useFoundPurses(masterPub);
  const found = useFound("multisigs");
  const [open, setOpen] = useState<Open>("none");
  const close = (): void => setOpen("none");
  const ids = [...new Set([...found.ids, ...own])];
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
      <QueryState query={query} rows={3} />
      {ids.length === 0 && !isLoading && query.error === null && (
        <EmptyState icon={UsersRound} title={t("multisig.none")} text={t("multisig.noneText")} />
      )}
      {ids.map((id) => (
        <LoadedPurse key={id} id={id} {...(found.ids.includes(id) && { onRemove: (): void => found.remove(id) })} />
      ))}
      <OlderLines older={older} />
      {open === "create" && <CreateDialog onClose={close} />}
      {open === "find" && <FindPurseDialog onClose={close} />}
    </Page>
  );
}

interface LoadedPurseProps {
  readonly id: string;
  /** Given where it is in the list of those that were found. */
  readonly onRemove?: () => void;
}

/** One that was just made is in no block for a moment. */
function LoadedPurse({ id, onRemove }: LoadedPurseProps): ReactElement | null {
  const query = usePurse(id);
  const remove = onRemove === undefined ? {} : { onRemove };
  if (query.data === undefined) return <QueryState query={query} rows={2} missing={<AbsentPurse id={id} {...remove} />} />;
  return query.data === null ? null : <PurseSection purse={query.data} {...remove} />;
}

/** A contract that is in no block: not yet, or never. */
function AbsentPurse({ id, onRemove }: LoadedPurseProps): ReactElement {
  const t = useMessages();
  return (
    <Section title={t("multisig.absent")}>
      <p className={shared.muted}>{t("multisig.absentText")}</p>
      <KeyValueList rows={[{ label: t("explorer.contractId"), value: <Copyable text={id} label={t("explorer.copyId")} /> }]} />
      {onRemove !== undefined && (
        <div>
          <Button onClick={onRemove}>{t("wallet.removeFound")}</Button>
        </div>
      )}
    </Section>
  );
}
