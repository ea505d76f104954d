// One's own picture at the foot of the rail: behind it is what one shows to others.
import { type ComponentProps, type ReactElement, Suspense } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Tooltip } from "#renderer/components/controls/tooltip.tsx";
import { Popover } from "#renderer/components/overlays/popover.tsx";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import styles from "./own-menu.module.css";

const OwnCard = lazyPart(async () => (await import("./own-card.tsx")).OwnCard);

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
