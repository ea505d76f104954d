// What the node is: state, mode, version, what it holds.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { formatDateTime, formatDuration } from "#renderer/lib/format/time.ts";
import type { Language } from "#renderer/lib/messages/messages-context.tsx";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useLiveState } from "#renderer/lib/node/access/node-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { LightStatus, NetworkInfo, NodeStatus } from "#shared/api/schemas/discovery.ts";

export interface NodeOverviewProps {
  readonly status: NodeStatus;
  readonly network: NetworkInfo;
}

export function NodeOverview(props: NodeOverviewProps): ReactElement {
  const { status, network } = props;
  const language = useLanguage();
  const { t, locale } = language;
  const { data: version } = useQuery(useNodeQueries().version());
  const number = new Intl.NumberFormat(locale);
  return (
    <Section title={t("common.overview")}>
      <KeyValueList
        rows={[
          { label: t("common.status"), value: <State status={status} language={language} /> },
          { label: t("node.mode"), value: modeName(t, status.mode) },
          ...(status.light === undefined ? [] : lightRows(status.light, t, number)),
          ...(status.upgrade === undefined ? [] : [upgradeRow(status.upgrade, language)]),
          ...(version === undefined
            ? []
            : [
                { label: t("common.version"), value: version.node_version },
                { label: t("node.protocol"), value: String(version.protocol_version) },
              ]),
          { label: t("node.uptime"), value: formatDuration(locale, status.uptime_seconds * 1000) },
          { label: t("node.pending"), value: number.format(status.pending_txs) },
          { label: t("node.mailbox"), value: number.format(status.mailbox_envelopes) },
          { label: t("common.network"), value: network.chain_id },
          { label: t("node.genesis"), value: <Copyable text={network.genesis_hash}>{shorten(network.genesis_hash)}</Copyable> },
        ]}
      />
    </Section>
  );
}

function modeName(t: Language["t"], mode: string): string {
  return mode === "validator" || mode === "light" ? t(`node.mode.${mode}`) : t("node.mode.full");
}

/** What a light node has checked, and how far a witness agrees. */
function lightRows(light: LightStatus, t: Language["t"], number: Intl.NumberFormat): readonly KeyValueRow[] {
  const { verified_height: verified, witnessed_height: witnessed, checkpoint } = light;
  return [
    { label: t("node.lightVerified"), value: number.format(verified) },
    { label: t("node.lightWitnessed"), value: number.format(witnessed) },
    ...(checkpoint === undefined
      ? []
      : [
          {
            label: t("node.lightCheckpoint"),
            value: (
              <Copyable
                text={`${checkpoint.height}:${checkpoint.hash}`}
              >{`${number.format(checkpoint.height)} · ${shorten(checkpoint.hash)}`}</Copyable>
            ),
          },
        ]),
  ];
}

/** The approved change of the network that waits. */
function upgradeRow({ at_height: height, not_before: at }: NonNullable<NodeStatus["upgrade"]>, { t, locale }: Language): KeyValueRow {
  return { label: t("node.upgrade"), value: t("node.upgradeText", { height, time: formatDateTime(locale, at * 1000) }) };
}

function State(props: { readonly status: NodeStatus; readonly language: Language }): ReactElement {
  const { light, sync } = props.status;
  const { state, target_height: target } = sync;
  const { t } = props.language;
  const live = useLiveState();
  if (live !== "open") return <Badge>{t("node.stateUnknown")}</Badge>;
  if (light?.state === "expired" || light?.state === "forked") return <Badge tone="danger">{t(`node.light.${light.state}.title`)}</Badge>;
  if (state === "syncing") return <Badge tone="warning">{t("node.stateSyncing", { target })}</Badge>;
  if (state === "stalled") return <Badge tone="warning">{t("node.stateStalled")}</Badge>;
  return <Badge tone="success">{t("node.stateLive")}</Badge>;
}
