// Issuing a token: its names, how far it can be divided, how many there are. All of it is fixed forever.
import { type ReactElement, useState } from "react";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog, type SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { tokenAmountText } from "#renderer/lib/format/token-amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { isAssetName, isTokenSymbol, MAX_TOKEN_DECIMALS } from "#shared/protocol/primitives/asset-rules.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { AssetNameFields, useFreeId } from "./asset-name-fields.tsx";
import { readUnits, TokenAmountField } from "./token-amount-field.tsx";

const USUAL_DECIMALS = "2";

/** A token as it is to be issued. */
interface NewToken {
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly units: bigint;
}

export function IssueTokenDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const [texts, setTexts] = useState({ id: "", name: "", symbol: "", decimals: USUAL_DECIMALS, supply: "" });
  const set =
    (field: keyof typeof texts) =>
    (text: string): void =>
      setTexts({ ...texts, [field]: text });
  const [id, name, symbol] = [texts.id.trim(), texts.name.trim(), texts.symbol.trim()];
  const typedId = useFreeId(id, useNetworkQueries().token);
  const decimals = decimalsOf(texts.decimals);
  const supply = readUnits(t, texts.supply, { decimals: decimals ?? 0 });
  const isNamed = typedId.isFree && isAssetName(name) && isTokenSymbol(symbol);
  const { units } = supply;
  return (
    <ReviewDialog<NewToken>
      title={t("assets.issueTitle")}
      description={t("assets.issueText")}
      onClose={onClose}
      draft={isNamed && decimals !== undefined && units !== undefined ? { id, name, symbol, decimals, units } : undefined}
      review={(token, ends): ReactElement => <IssueReview token={token} ends={ends} />}
    >
      <AssetNameFields texts={texts} typedId={typedId} idLabel={t("assets.tokenId")} onChange={set} />
      <TextField
        label={t("assets.symbol")}
        hint={t("assets.symbolHint")}
        spellCheck={false}
        value={texts.symbol}
        onChange={set("symbol")}
        error={symbol === "" || isTokenSymbol(symbol) ? undefined : t("assets.symbolWrong")}
      />
      <TextField
        label={t("assets.decimals")}
        hint={t("assets.decimalsHint")}
        mono
        inputMode="numeric"
        value={texts.decimals}
        onChange={set("decimals")}
        error={decimals === undefined ? t("assets.decimalsWrong", { max: MAX_TOKEN_DECIMALS }) : undefined}
      />
      <TokenAmountField
        label={t("assets.supply")}
        hint={t("assets.supplyHint")}
        token={{ decimals: decimals ?? 0, symbol }}
        value={texts.supply}
        onChange={set("supply")}
        error={supply.problem}
      />
    </ReviewDialog>
  );
}

function IssueReview({ token, ends }: { readonly token: NewToken; readonly ends: SheetEnds }): ReactElement {
  const t = useMessages();
  const { id, name, symbol, decimals, units } = token;
  return (
    <CallSheet
      call={{ contractId: nativeContractId("tokens"), method: "issue", args: [id, name, symbol, BigInt(decimals), units] }}
      title={t("assets.issueReview", { name })}
      sentence={t("assets.issueSentence", { name, amount: tokenAmountText(t, units, token) })}
      rows={[
        { label: t("assets.tokenId"), value: id, mono: true },
        { label: t("assets.decimals"), value: String(decimals) },
      ]}
      confirmLabel={t("assets.signAndIssue")}
      {...ends}
    />
  );
}

function decimalsOf(text: string): number | undefined {
  const decimals = /^\d{1,2}$/.test(text.trim()) ? Number(text) : undefined;
  return decimals !== undefined && decimals <= MAX_TOKEN_DECIMALS ? decimals : undefined;
}
