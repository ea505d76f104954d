// The other nodes that this one is connected to: who dialled whom, how far away and how far along they are, what they run.
import { useQuery } from "@tanstack/react-query";
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { DataTable, type SortDirection } from "#renderer/components/layout/data-table.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { formatDuration } from "#renderer/lib/format/time.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import type { PeerInfo } from "#shared/api/schemas/discovery.ts";
import styles from "../node.module.css";
import { type PeerOrder, sortPeers } from "./sort-peers.ts";

/** Peers come and go without a push. */
const REFRESH_MS = 10_000;
const COLUMNS = ["peer", "latency", "height", "connected", "version"] as const;
const NUMBERS: ReadonlySet<PeerOrder["by"]> = new Set(["latency", "height", "connected"]);

export function PeersSection(): ReactElement {
  const t = useMessages();
  const query = useQuery({ ...useNetworkQueries().peers(), refetchInterval: REFRESH_MS });
  const { data } = query;
  const count = data?.peers.length ?? 0;
  return (
    <Section title={t("node.peers")} bare={count > 0}>
      <QueryState query={query} rows={2} />
      {data !== undefined && (count === 0 ? <p className={shared.muted}>{t("node.noPeers")}</p> : <PeersTable peers={data.peers} />)}
    </Section>
  );
}

function PeersTable({ peers }: { readonly peers: readonly PeerInfo[] }): ReactElement {
  const t = useMessages();
  const [order, setOrder] = useState<PeerOrder>({ by: "latency", direction: "ascending" });
  const press = (by: PeerOrder["by"]): void => {
    const isTurned = order.by === by && order.direction === "ascending";
    setOrder({ by, direction: isTurned ? "descending" : "ascending" });
  };
  const directionOf = (by: PeerOrder["by"]): SortDirection | undefined => (order.by === by ? order.direction : undefined);
  return (
    <DataTable
      label={t("node.peers")}
      columns={COLUMNS.map((by) => ({
        title: t(`node.peerColumn.${by}`),
        end: NUMBERS.has(by),
        sort: { direction: directionOf(by), onPress: (): void => press(by) },
      }))}
      rows={sortPeers(peers, order).map((peer) => ({ key: peer.id, cells: <PeerCells peer={peer} /> }))}
    />
  );
}

function PeerCells({ peer }: { readonly peer: PeerInfo }): ReactElement {
  const { t, locale } = useLanguage();
  const { id, version, direction, latency_ms: latency, height, connected_seconds: age, score = 0 } = peer;
  const Icon = direction === "outbound" ? ArrowUpRight : ArrowDownLeft;
  return (
    <>
      <td>
        <span className={shared.row3}>
          {direction !== undefined && (
            <Icon
              size={16}
              className={styles.direction}
              role="img"
              aria-label={t(direction === "outbound" ? "node.outbound" : "node.inbound")}
            />
          )}
          <span>
            <span title={id}>{shorten(id, 10, 8)}</span>
            <span className={styles.peerAddress}>{peerAddress(peer, t)}</span>
          </span>
          {score < 0 && <Badge tone="warning">{t("node.score", { score: Math.round(score) })}</Badge>}
        </span>
      </td>
      <td data-end>{latency === undefined ? <Unknown words={t("node.notMeasured")} /> : latencyInWords(latency, locale)}</td>
      <td data-end>{height === undefined ? <Unknown words={t("common.unknown")} /> : new Intl.NumberFormat(locale).format(height)}</td>
      <td data-end>{age === undefined ? <Unknown words={t("common.unknown")} /> : formatDuration(locale, age * 1_000)}</td>
      <td>{version === "" ? <Unknown words={t("common.unknown")} /> : version}</td>
    </>
  );
}

/** A dash that says what is missing to those who ask, and to screen readers. */
function Unknown({ words }: { readonly words: string }): ReactElement {
  const t = useMessages();
  return (
    <span role="img" aria-label={words} title={words}>
      {t("common.none")}
    </span>
  );
}

/** `12 ms`; a peer on the same machine responds in less than one. */
export function latencyInWords(latencyMs: number, locale: string): string {
  const number = new Intl.NumberFormat(locale, { style: "unit", unit: "millisecond", unitDisplay: "short", maximumFractionDigits: 0 });
  return latencyMs < 1 ? `< ${number.format(1)}` : number.format(latencyMs);
}

/** Where a peer is, without its id: `/ip4/192.0.2.1/tcp/9100/p2p/12D3…` as `192.0.2.1:9100`; another form as it is. */
export function peerAddress({ address, relayed = false }: PeerInfo, t: Translate): string {
  if (relayed) return t("node.relayed");
  const [, kind, host, , port] = (address ?? "").split("/");
  if (host === undefined || port === undefined || !["ip4", "ip6", "dns", "dns4", "dns6"].includes(kind ?? "")) return address ?? "";
  return kind === "ip6" ? `[${host}]:${port}` : `${host}:${port}`;
}
