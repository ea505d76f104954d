// The narrow bar on the left.
import { Link } from "@tanstack/react-router";
import { Lock, Search } from "lucide-react";
import { type ReactElement, Suspense } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Logo } from "#renderer/components/basics/logo.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Tooltip } from "#renderer/components/controls/tooltip.tsx";
import { useIdle } from "#renderer/lib/browser/use-idle.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useWaitingPrograms } from "#renderer/lib/desktop/use-apps-state.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useWaitingRequests } from "#renderer/lib/people/contacts/waiting-requests.ts";
import { useArrivals } from "./arrivals/arrival-store.ts";
import { DESTINATIONS, type Destination } from "./destinations.ts";
import styles from "./shell.module.css";

/** Loaded apart: it is at the foot and moves nothing. */
const OwnMenu = lazyPart(async () => (await import("./own/own-menu.tsx")).OwnMenu);

/** Larger counts are shown as "99+". */
const MAX_COUNT = 99;

interface CountProps {
  readonly count?: number;
  readonly words?: string;
}

/** Destinations, own picture, search and lock. */
export function Rail(props: { readonly onSearch: () => void; readonly onLock: () => void }): ReactElement {
  const t = useMessages();
  const counts = useCounts();
  const isIdle = useIdle();
  return (
    <nav className={styles.rail} aria-label={t("shell.navigation")}>
      <div className={styles.mark}>
        <Logo />
      </div>
      <div className={styles.destinations}>
        {DESTINATIONS.map(({ to, label, icon: Icon, shortcut }) => (
          <Tooltip key={to} label={t(label)} shortcut={shortcut} side="right">
            <Link to={to} className={styles.destination}>
              <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
              <span>{t(label)}</span>
              <Count {...counts[to]} />
            </Link>
          </Tooltip>
        ))}
      </div>
      <div className={styles.spacer} />
      <Suspense fallback={null}>{isIdle && <OwnMenu />}</Suspense>
      <IconButton icon={Search} label={t("shell.paletteOpen")} shortcut="mod+k" tooltipSide="right" onClick={props.onSearch} />
      <IconButton icon={Lock} label={t("shell.lockNow")} shortcut="mod+shift+l" tooltipSide="right" onClick={props.onLock} />
    </nav>
  );
}

/** What is new in each view. All who wait for an answer count at the contacts, where they are answered. */
function useCounts(): Readonly<Partial<Record<Destination["to"], CountProps>>> {
  const t = useMessages();
  const totalUnread = useMessengerValue((messenger) => messenger.totalUnread);
  const { unseenPayments } = useArrivals();
  const programs = useWaitingPrograms();
  const requests = useWaitingRequests().count;
  return {
    "/inbox": { count: totalUnread, words: t("shell.unread", { count: totalUnread }) },
    "/wallet": { count: unseenPayments, words: t("shell.newPayments", { count: unseenPayments }) },
    "/settings": { count: programs, words: t("shell.waitingPrograms", { count: programs }) },
    "/contacts": { count: requests, words: t("shell.requests", { count: requests }) },
  };
}

function Count({ count = 0, words = "" }: CountProps): ReactElement | null {
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      <Badge tone="solid">
        <span aria-hidden="true">{count > MAX_COUNT ? `${MAX_COUNT}+` : count}</span>
        <VisuallyHidden>{`, ${words}`}</VisuallyHidden>
      </Badge>
    </span>
  );
}
