// Allowances that were given, which can be taken back, and that were got, from which one sends.
import { Handshake } from "lucide-react";
import { type ReactElement, useState } from "react";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { OlderLines } from "#renderer/components/feedback/older-lines.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type Allowance, useAllowances } from "./allowances.ts";
import { ApproveSheet } from "./approve-dialog.tsx";
import { SpendDialog } from "./spend-dialog.tsx";

export function AllowancesSections({ account }: { readonly account: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const { allowances, source, older } = useAllowances(account);
  const [open, setOpen] = useState<{ readonly kind: "revoke" | "spend"; readonly allowance: Allowance } | "find">();
  const close = (): void => setOpen(undefined);
  const given = allowances.filter(({ owner }) => owner === account);
  const got = allowances.filter(({ spender }) => spender === account);
  const use = (
    <Button size="small" onClick={(): void => setOpen("find")}>
      {t("assets.sendFromOther")}
    </Button>
  );
  return (
    <Section title={t("assets.allowances")} hint={t("assets.allowancesHint")} actions={use}>
      <QueryState query={source.query} rows={1} />
      {source.query.data !== undefined && allowances.length === 0 && <p className={shared.muted}>{t("assets.noAllowances")}</p>}
      <div className={shared.outdented}>
        {given.map((allowance) => (
          <AllowanceRow key={keyOf(allowance)} allowance={allowance} isGiven onOpen={(): void => setOpen({ kind: "revoke", allowance })} />
        ))}
        {got.map((allowance) => (
          <AllowanceRow
            key={keyOf(allowance)}
            allowance={allowance}
            isGiven={false}
            onOpen={(): void => setOpen({ kind: "spend", allowance })}
          />
        ))}
      </div>
      <OlderLines older={older} />
      {open !== undefined && open !== "find" && open.kind === "revoke" && (
        <ApproveSheet token={open.allowance.token} spender={open.allowance.spender} units={0n} onClose={close} />
      )}
      {open !== undefined && open !== "find" && open.kind === "spend" && <SpendDialog allowance={open.allowance} onClose={close} />}
      {open === "find" && <SpendDialog onClose={close} />}
    </Section>
  );
}

function keyOf({ token, owner, spender }: Allowance): string {
  return `${token.token_id} ${owner} ${spender}`;
}

interface AllowanceRowProps {
  readonly allowance: Allowance;
  readonly isGiven: boolean;
  readonly onOpen: () => void;
}

function AllowanceRow({ allowance: { token, owner, spender, units }, isGiven, onOpen }: AllowanceRowProps): ReactElement {
  const t = useMessages();
  return (
    <ListRow
      leading={<Handshake size={18} aria-hidden="true" className={shared.muted} />}
      heading={<AddressChip publicKey={isGiven ? spender : owner} />}
      subtitle={t(isGiven ? "assets.given" : "assets.got", { name: token.name })}
      trailing={
        <span className={shared.row3}>
          <TokenAmount units={units} token={token} />
          <Button size="small" onClick={onOpen}>
            {t(isGiven ? "assets.revoke" : "common.send")}
          </Button>
        </span>
      }
    />
  );
}
