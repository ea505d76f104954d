// The other nodes that this one is connected to: who dialled whom, how far they are, what they run.
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/badge.tsx";
import { ListRow } from "#renderer/components/list-row.tsx";
import { Section } from "#renderer/components/section.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { formatDuration } from "#renderer/lib/format/time.ts";
import { type Language, useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import type { PeerInfo } from "#shared/api/schemas/discovery.ts";
import styles from "./node.module.css";

/** The section. */
export function PeersSection(props: { readonly peers: readonly PeerInfo[] }): ReactElement {
  const { t } = useLanguage();
  return (
    <Section title={t("node.peers")}>
      {props.peers.length === 0 ? (
        <p className={styles.muted}>{t("node.noPeers")}</p>
      ) : (
        <ul className={styles.rows} aria-label={t("node.peers")}>
          {props.peers.map((peer) => (
            <li key={peer.id}>
              <Peer peer={peer} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Peer({ peer }: { readonly peer: PeerInfo }): ReactElement {
  const language = useLanguage();
  const { t } = language;
  const { id, version, direction, score = 0 } = peer;
  const Icon = direction === "outbound" ? ArrowUpRight : ArrowDownLeft;
  return (
    <ListRow
      leading={
        direction !== undefined && (
          <Icon
            size={16}
            className={styles.direction}
            role="img"
            aria-label={t(direction === "outbound" ? "node.outbound" : "node.inbound")}
          />
        )
      }
      heading={<span title={id}>{shorten(id, 10, 8)}</span>}
      meta={version === "" ? t("node.versionUnknown") : version}
      subtitle={peerInWords(peer, language)}
      trailing={score < 0 && <Badge tone="warning">{t("node.score", { score: Math.round(score) })}</Badge>}
    />
  );
}

/** Address without the id, height and age, as far as they are known. */
export function peerInWords(peer: PeerInfo, { t, locale }: Language): string {
  const { address, height, connected_seconds: age, relayed = false } = peer;
  return [
    ...(relayed ? [t("node.relayed")] : address === undefined ? [] : [hostOf(address)]),
    ...(height === undefined ? [] : [t("node.block", { height })]),
    ...(age === undefined ? [] : [t("node.connectedFor", { time: formatDuration(locale, age * 1_000) })]),
  ].join(" · ");
}

/** `/ip4/192.0.2.1/tcp/9100/p2p/12D3…` as `192.0.2.1:9100`; another form as it is. */
function hostOf(address: string): string {
  const [, kind, host, , port] = address.split("/");
  if (host === undefined || port === undefined || !["ip4", "ip6", "dns", "dns4", "dns6"].includes(kind ?? "")) return address;
  return kind === "ip6" ? `[${host}]:${port}` : `${host}:${port}`;
}
