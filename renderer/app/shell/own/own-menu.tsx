// One's own picture at the foot of the rail: behind it is what one shows to others.
import { type ComponentProps, type ComponentType, lazy, type ReactElement, Suspense } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Tooltip } from "#renderer/components/controls/tooltip.tsx";
import { Popover } from "#renderer/components/overlays/popover.tsx";
import { untilLoaded } from "#renderer/lib/browser/window/until-loaded.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { OwnCardProps } from "./own-card.tsx";
import styles from "./own-menu.module.css";

const OwnCard = lazy(
  async (): Promise<{ readonly default: ComponentType<OwnCardProps> }> => ({
    default: (await untilLoaded(() => import("./own-card.tsx"))).OwnCard,
  }),
);

/** The picture with its card. */
export function OwnMenu(): ReactElement {
  const t = useMessages();
  return (
    <Popover title={t("shell.ownCard")} side="right" align="end" trigger={<OwnPicture />}>
      {(close): ReactElement => (
        <Suspense fallback={null}>
          <WithAllWords>
            <OwnCard onLeave={close} />
          </WithAllWords>
        </Suspense>
      )}
    </Popover>
  );
}

/** Passes on what a popover's trigger adds. */
function OwnPicture(props: Omit<ComponentProps<"button">, "className" | "children">): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  return (
    <Tooltip label={t("shell.ownCard")} side="right">
      <button type="button" {...props} aria-label={t("shell.ownCard")} className={styles.picture}>
        <Avatar publicKey={masterPub} size={28} />
      </button>
    </Tooltip>
  );
}
