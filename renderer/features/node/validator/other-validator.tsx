// Another key: what it has done as a node, and the own node's approval that it joins or leaves.
import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { ApproveAction, useApprover } from "#renderer/components/transactions/approve-action.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useOwnNode } from "#renderer/lib/node/use-own-node.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { NodeFiguresList } from "./node-figures-list.tsx";

/** The form, and what it found. */
export function OtherValidator(): ReactElement {
  const [publicKey, setPublicKey] = useState<PublicKeyHex>();
  return (
    <>
      <KeyChoice onChosen={setPublicKey} />
      {publicKey !== undefined && <Membership key={publicKey} publicKey={publicKey} />}
    </>
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
  const validators = useQuery(useNodeQueries().validators());
  const stats = useQuery(useNetworkQueries().nodeStats(publicKey));
  const approver = useApprover();
  const own = useOwnNode();
  if (stats.data === undefined) return <QueryState query={stats} rows={3} />;
  if (validators.data === undefined) return <QueryState query={validators} rows={3} />;
  const isValidator = validators.data.validators.some(({ pub_key: key }) => key === publicKey);
  const isOwn = publicKey === own.publicKey;
  return (
    <Section
      title={t("node.thisKey")}
      actions={<Badge tone={isValidator ? "success" : "neutral"}>{t(isValidator ? "explorer.validator" : "node.isNoValidator")}</Badge>}
    >
      <div>
        <AddressChip publicKey={publicKey} />
      </div>
      {stats.data === null ? (
        <EmptyState icon={ShieldCheck} title={t("node.noStats")} text={t("node.noStatsText")} />
      ) : (
        <NodeFiguresList stats={stats.data} />
      )}
      {!isOwn && approver === undefined && <Banner isLasting>{t("node.approveNote")}</Banner>}
      {!isOwn && (
        <ApproveAction
          action={isValidator ? "remove" : "add"}
          publicKey={publicKey}
          label={t(isValidator ? "node.approveRemoval" : "node.approveCandidate")}
        />
      )}
    </Section>
  );
}
