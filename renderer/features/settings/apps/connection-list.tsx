// Programs that were let in, each with what it may do, what is left, and its end.
import { useMutation } from "@tanstack/react-query";
import { Blocks } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Identicon } from "#renderer/components/basics/identicon.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import type { ConnectionEntry } from "#shared/apps/messages/approval-api.ts";
import { appPictureKey } from "#shared/apps/scopes/app-picture.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import styles from "./apps.module.css";
import { recipientsOf, scopeLines, totalOf } from "./scope-words.ts";
import { useOpenApprovals } from "./use-open-approvals.ts";

export interface ConnectionListProps {
  readonly desktop: DesktopApi;
  readonly connections: readonly ConnectionEntry[];
  readonly mayAsk: boolean;
}

export function ConnectionList({ desktop, connections, mayAsk }: ConnectionListProps): ReactElement | null {
  const t = useMessages();
  const [ending, setEnding] = useState<ConnectionEntry>();
  if (connections.length === 0 && !mayAsk) return null;
  return (
    <Section bare title={t("apps.connected")}>
      {connections.length === 0 ? (
        <EmptyState icon={Blocks} title={t("apps.none")} text={t("apps.noneText")} />
      ) : (
        <ul className={styles.list}>
          {connections.map((connection) => (
            <li key={connection.id}>
              <ConnectionCard desktop={desktop} connection={connection} onEnd={(): void => setEnding(connection)} />
            </li>
          ))}
        </ul>
      )}
      {ending !== undefined && <EndSheet desktop={desktop} connection={ending} onClose={(): void => setEnding(undefined)} />}
    </Section>
  );
}

interface ConnectionCardProps {
  readonly desktop: DesktopApi;
  readonly connection: ConnectionEntry;
  readonly onEnd: () => void;
}

function ConnectionCard({ desktop, connection, onEnd }: ConnectionCardProps): ReactElement {
  const t = useMessages();
  const { name, scopes, left, createdAtMs, lastUsedMs, expiresAtMs, silencedUntilMs, isResting } = connection;
  const names = useNames(recipientsOf(scopes));
  const leftRows = left.flatMap(({ scope, leftUt }) => {
    const spending = totalOf(t, scope);
    if (spending === undefined) return [];
    return [{ label: t(`apps.left.${spending.name}`), value: t("apps.leftOf", { left: amountText(t, leftUt), total: spending.total }) }];
  });
  return (
    <article className={styles.card} aria-label={name}>
      <header className={styles.head}>
        <Identicon publicKey={appPictureKey(name)} size={36} />
        <h3 className={styles.name}>{name}</h3>
        {silencedUntilMs !== null && <Badge tone="warning">{t("apps.silenced")}</Badge>}
        <Button size="small" variant="ghost" onClick={onEnd}>
          {t("apps.end")}
        </Button>
      </header>
      {isResting && <Resting desktop={desktop} />}
      <ul className={styles.scopes}>
        {scopeLines(t, scopes, names).map(({ text, words, spends }) => (
          <li key={text} data-spends={spends}>
            {words}
          </li>
        ))}
      </ul>
      <KeyValueList
        rows={[
          ...leftRows,
          { label: t("apps.created"), value: <Time at={createdAtMs} /> },
          { label: t("apps.lastUsed"), value: lastUsedMs === null ? t("common.never") : <Time at={lastUsedMs} /> },
          { label: t("apps.expires"), value: <Time at={expiresAtMs} /> },
        ]}
      />
    </article>
  );
}

function Resting(props: { readonly desktop: DesktopApi }): ReactElement {
  const t = useMessages();
  const { open, isOpening } = useOpenApprovals(props.desktop);
  const action = (
    <Button size="small" busy={isOpening} onClick={open}>
      {t("apps.look")}
    </Button>
  );
  return (
    <Banner tone="warning" title={t("apps.restsTitle")} actions={action}>
      {t("apps.restsText")}
    </Banner>
  );
}

interface EndSheetProps {
  readonly desktop: DesktopApi;
  readonly connection: ConnectionEntry;
  readonly onClose: () => void;
}

function EndSheet({ desktop, connection, onClose }: EndSheetProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { id, name } = connection;
  const end = useMutation({
    mutationFn: () => desktop.call("endConnection", { connection: id }),
    onSuccess: () => {
      toasts.show({ title: t("apps.ended", { name }), tone: "success" });
      onClose();
    },
  });
  return (
    <ConfirmSheet
      open
      danger
      title={t("apps.endTitle", { name })}
      sentence={t("apps.endSentence")}
      rows={[]}
      confirmLabel={t("apps.end")}
      busy={end.isPending}
      error={end.error}
      onCancel={onClose}
      onConfirm={(): void => end.mutate()}
    />
  );
}
