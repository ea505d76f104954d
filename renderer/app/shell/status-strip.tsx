// The strip at the bottom: how the node is doing, its peers, whether the wallet is locked.
import { useQuery } from "@tanstack/react-query";
import { LockKeyhole, LockKeyholeOpen } from "lucide-react";
import { type ComponentType, lazy, type ReactElement, Suspense } from "react";
import { StatusDot } from "#renderer/components/basics/status-dot.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Popover } from "#renderer/components/overlays/popover.tsx";
import { useIdle } from "#renderer/lib/browser/use-idle.ts";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "#renderer/lib/keyring/unlock-context.tsx";
import { type Language, useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { SyncState } from "#renderer/lib/node/sync-state.ts";
import { useSyncState } from "#renderer/lib/node/use-sync-state.ts";
import styles from "./shell.module.css";

/** Loaded apart: nothing is copied on most days. */
const TransferChip = lazy(
  async (): Promise<{ readonly default: ComponentType }> => ({ default: (await import("./notices/transfer-chip.tsx")).TransferChip }),
);

const TONES = { live: "success", syncing: "warning", connecting: "warning", halted: "danger", offline: "danger" } as const;
/** Peers come and go without a push. */
const STATUS_INTERVAL_MS = 15_000;

export function StatusStrip(): ReactElement {
  const t = useMessages();
  const queries = useNodeQueries();
  const { sync } = useSyncState(STATUS_INTERVAL_MS);
  const status = useQuery(queries.status());
  const isIdle = useIdle();
  return (
    <section className={styles.strip} aria-label={t("common.status")}>
      <Popover
        title={t("shell.statusDetails")}
        side="top"
        trigger={
          <button type="button" className={styles.chip}>
            <SyncChip sync={sync} height={status.data?.sync.height ?? 0} />
          </button>
        }
      >
        <ConnectionDetails sync={sync} />
      </Popover>
      {status.data !== undefined && sync.kind !== "offline" && (
        <span className={styles.chip}>{t("shell.peers", { count: status.data.peers })}</span>
      )}
      <Suspense fallback={null}>{isIdle && <TransferChip />}</Suspense>
      <span className={styles.stripEnd}>
        <LockState />
      </span>
    </section>
  );
}

function SyncChip({ sync, height }: { readonly sync: SyncState; readonly height: number }): ReactElement {
  const language = useLanguage();
  return (
    <>
      <StatusDot tone={TONES[sync.kind]} />
      <span>
        {inWords(language, sync)}
        {BESIDE_PEERS.map((kind) => (
          <span key={kind} className={styles.otherState} data-words={inWords(language, { kind, height, share: 1 })} aria-hidden="true" />
        ))}
      </span>
    </>
  );
}

/** States beside which the number of peers is: it stays where it is while one follows the other, so each has the room of the longest. */
const BESIDE_PEERS = ["live", "syncing", "connecting", "halted"] as const;

/** Named one by one: the words that are loaded before the inbox are found by their names. */
const STATES = { connecting: "shell.connecting", halted: "shell.halted", offline: "shell.offline" } as const;

interface ShownState {
  readonly kind: SyncState["kind"];
  readonly height?: number;
  readonly share?: number;
}

function inWords({ t, locale }: Language, { kind, height = 0, share = 0 }: ShownState): string {
  if (kind === "live") return t("shell.live", { height: new Intl.NumberFormat(locale).format(height) });
  if (kind === "syncing") return t("shell.syncing", { percent: new Intl.NumberFormat(locale, { style: "percent" }).format(share) });
  return t(STATES[kind]);
}

function ConnectionDetails({ sync }: { readonly sync: SyncState }): ReactElement {
  const t = useMessages();
  const queries = useNodeQueries();
  const { address } = useNode();
  const { data: status } = useQuery(queries.status());
  const note = {
    live: "shell.connectionLive",
    syncing: "shell.connectionLive",
    connecting: "shell.connectionConnecting",
    offline: "shell.connectionOffline",
  } as const;
  return (
    <div className={styles.details}>
      <p>{sync.kind === "halted" ? t(`shell.halted.${sync.light}`) : t(note[sync.kind])}</p>
      <KeyValueList
        rows={[
          { label: t("node.title"), value: address },
          ...(status === undefined
            ? []
            : [
                { label: t("common.network"), value: status.chain_id },
                { label: t("shell.lastBlock"), value: <Time at={status.sync.tip_time} /> },
              ]),
        ]}
      />
    </div>
  );
}

function LockState(): ReactElement {
  const t = useMessages();
  const { keyring, status } = useKeyringValue();
  const ensureUnlocked = useEnsureUnlocked();
  const isLocked = status?.state !== "unlocked";
  const toggle = (): void => {
    if (isLocked) ensureUnlocked().catch(() => undefined);
    else void keyring.lockWallet();
  };
  const Icon = isLocked ? LockKeyhole : LockKeyholeOpen;
  return (
    <button type="button" className={styles.chip} onClick={toggle}>
      <Icon size={12} aria-hidden="true" />
      {t(status?.isLinked === true ? "shell.noWallet" : isLocked ? "shell.locked" : "shell.unlocked")}
    </button>
  );
}
