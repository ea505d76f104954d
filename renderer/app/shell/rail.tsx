// The narrow bar on the left.
import { Link } from "@tanstack/react-router";
import { Lock, Search } from "lucide-react";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Logo } from "#renderer/components/basics/logo.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Tooltip } from "#renderer/components/controls/tooltip.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { DESTINATIONS } from "./destinations.ts";
import styles from "./shell.module.css";

/** Larger counts are shown as "99+". */
const MAX_COUNT = 99;

/** Destinations, search and lock. */
export function Rail(props: { readonly onSearch: () => void; readonly onLock: () => void }): ReactElement {
  const t = useMessages();
  const { totalUnread } = useMessengerSnapshot();
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
              {to === "/inbox" && totalUnread > 0 && (
                <span className={styles.count}>
                  <Badge tone="solid">
                    <span aria-hidden="true">{totalUnread > MAX_COUNT ? `${MAX_COUNT}+` : totalUnread}</span>
                    <VisuallyHidden>{t("shell.unread", { count: totalUnread })}</VisuallyHidden>
                  </Badge>
                </span>
              )}
            </Link>
          </Tooltip>
        ))}
      </div>
      <div className={styles.spacer} />
      <IconButton icon={Search} label={t("shell.paletteOpen")} shortcut="mod+k" tooltipSide="right" onClick={props.onSearch} />
      <IconButton icon={Lock} label={t("shell.lockNow")} shortcut="mod+shift+l" tooltipSide="right" onClick={props.onLock} />
    </nav>
  );
}
