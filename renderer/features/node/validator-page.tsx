// Being a validator: what a key has done, asking to join, leaving, and what others ask for.
import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { ValidatorSheet } from "#renderer/components/transactions/validator-sheet.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { NodeStats } from "#shared/api/schemas/nodes.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "./node.module.css";
import { NodeFrame } from "./node-frame.tsx";

export function ValidatorPage(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [publicKey, setPublicKey] = useState<PublicKeyHex>(masterPub);
  return (
    <NodeFrame title={t("explorer.validator")}>
      <KeyChoice onChosen={setPublicKey} />
      <Membership key={publicKey} publicKey={publicKey} />
      <Section title={t("node.validatorHow")}>
        <ol className={styles.steps}>
          <li>{t("node.validatorStep1")}</li>
          <li>{t("node.validatorStep2")}</li>
          <li>{t("node.validatorStep3")}</li>
        </ol>
        <div>
          <ButtonLink to="/explorer/validators">{t("explorer.proposals")}</ButtonLink>
        </div>
      </Section>
    </NodeFrame>
  );
}

function KeyChoice(props: { readonly onChosen: (publicKey: PublicKeyHex) => void }): ReactElement {
  const t = useMessages();
  const [text, setText] = useState("");
  const parsed = parseRecipient(text);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (parsed.kind === "account") props.onChosen(parsed.request.to);
  };
  return (
    <form className={shared.lookUp} onSubmit={submit}>
      <TextField
        label={t("node.validatorKey")}
        hint={t("node.validatorKeyHint")}
        mono
        spellCheck={false}
        value={text}
        onChange={setText}
        error={parsed.kind === "checksum" ? t("common.recipientChecksum") : undefined}
      />
      <Button type="submit" disabled={parsed.kind !== "account"}>
        {t("explorer.lookUp")}
      </Button>
    </form>
  );
}

function Membership({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const validators = useQuery(useNodeQueries().validators());
  const stats = useQuery(useNetworkQueries().nodeStats(publicKey));
  const [action, setAction] = useState<"add" | "remove">();
  if (stats.data === undefined && stats.error !== null)
    return <ErrorState error={stats.error} onRetry={(): void => void stats.refetch()} />;
  if (stats.data === undefined || validators.data === undefined) return <SkeletonRows count={3} />;
  const isValidator = validators.data.validators.some(({ pub_key: key }) => key === publicKey);
  const isOwn = publicKey === masterPub;
  const buttons = (
    <div className={shared.buttons}>
      {!isValidator && (
        <Button variant={isOwn ? "primary" : "secondary"} onClick={(): void => setAction("add")}>
          {t(isOwn ? "node.applyToValidate" : "node.approveCandidate")}
        </Button>
      )}
      {isValidator && <Button onClick={(): void => setAction("remove")}>{t(isOwn ? "node.leaveSet" : "node.approveRemoval")}</Button>}
    </div>
  );
  return (
    <Section
      title={t(isOwn ? "node.yourKey" : "node.thisKey")}
      actions={<Badge tone={isValidator ? "success" : "neutral"}>{t(isValidator ? "explorer.validator" : "node.isNoValidator")}</Badge>}
    >
      <div>
        <AddressChip publicKey={publicKey} />
      </div>
      {stats.data === null ? (
        <EmptyState icon={ShieldCheck} title={t("node.noStats")} text={t("node.noStatsText")} />
      ) : (
        <Stats stats={stats.data} />
      )}
      {!isOwn && <Banner>{t("node.approveNote")}</Banner>}
      {buttons}
      {action !== undefined && <ValidatorSheet action={action} publicKey={publicKey} onClose={(): void => setAction(undefined)} />}
    </Section>
  );
}

function Stats({ stats }: { readonly stats: NodeStats }): ReactElement {
  const { t, locale } = useLanguage();
  const number = new Intl.NumberFormat(locale);
  const recordRows = (record: NodeStats["validator"]): readonly KeyValueRow[] => {
    if (record === undefined) return [];
    const {
      bond_ut: bondUt,
      bond_available_at: freeAt,
      banned_until: bannedUntil,
      commits_signed: signed,
      commits_expected: expected,
    } = record;
    return [
      { label: t("explorer.bond"), value: <Amount amountUt={bondUt} /> },
      ...(freeAt === undefined ? [] : [{ label: t("node.bondFree"), value: <Time at={freeAt * 1_000} /> }]),
      ...(bannedUntil === undefined ? [] : [{ label: t("node.bannedUntil"), value: <Time at={bannedUntil * 1_000} /> }]),
      { label: t("node.commitsSigned"), value: t("explorer.ofBlocks", { made: signed, blocks: expected }) },
    ];
  };
  const share = stats.recent_window_blocks === 0 ? 0 : stats.recent_blocks_produced / stats.recent_window_blocks;
  return (
    <KeyValueList
      rows={[
        { label: t("node.reputation"), value: `${stats.reputation_rank} · ${number.format(stats.reputation_score)}` },
        {
          label: t("explorer.recentBlocks"),
          value: t("node.uptimeRecentText", {
            made: stats.recent_blocks_produced,
            blocks: stats.recent_window_blocks,
            percent: new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share),
          }),
        },
        { label: t("node.rewardsRecent"), value: <Amount amountUt={stats.recent_rewards_ut} /> },
        { label: t("node.blocksProduced"), value: number.format(stats.blocks_produced) },
        { label: t("node.heartbeats"), value: number.format(stats.heartbeats) },
        { label: t("explorer.penalties"), value: number.format(stats.slash_count) },
        ...recordRows(stats.validator),
        { label: t("wallet.balance"), value: <Amount amountUt={stats.node_balance_ut} /> },
      ]}
    />
  );
}
