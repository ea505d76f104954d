// What concerns all chats: starred messages, folders, joining a group, backups. Loaded once the page is idle.
import { useNavigate } from "@tanstack/react-router";
import { DatabaseBackup, Ellipsis, Folder, Link2, Star } from "lucide-react";
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { SAVE_BACKUP } from "#renderer/lib/settings/backup-link.ts";
import type { FoldersDialogProps } from "../chat/folders/folders-dialog.tsx";
import type { StarredDialogProps } from "../chat/starred/starred-dialog.tsx";

const StarredDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<StarredDialogProps> }> => ({
    default: (await import("../chat/starred/starred-dialog.tsx")).StarredDialog,
  }),
);
const FoldersDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<FoldersDialogProps> }> => ({
    default: (await import("../chat/folders/folders-dialog.tsx")).FoldersDialog,
  }),
);

/** The menu beside the title of the list. */
export function ListMenu(): ReactElement | null {
  const t = useMessages();
  const navigate = useNavigate();
  const messenger = useMessenger();
  const [opened, setOpened] = useState<"starred" | "folders">();
  if (messenger === undefined) return null;
  const close = (): void => setOpened(undefined);
  const chats = [
    { label: t("inbox.starredMessages"), icon: Star, movesFocus: true, onSelect: (): void => setOpened("starred") },
    { label: t("inbox.folders"), icon: Folder, movesFocus: true, onSelect: (): void => setOpened("folders") },
  ];
  const joining = [{ label: t("inbox.join"), icon: Link2, movesFocus: true, onSelect: (): void => void navigate({ to: "/inbox/join" }) }];
  const backups = [
    {
      label: t("inbox.backups"),
      icon: DatabaseBackup,
      movesFocus: true,
      onSelect: (): void => void navigate({ to: "/settings/$section", params: { section: "backup" }, hash: SAVE_BACKUP }),
    },
  ];
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("inbox.moreAboutAll")} />} groups={[chats, joining, backups]} />
      <Suspense fallback={null}>
        {opened === "starred" && <StarredDialog messenger={messenger} onClose={close} />}
        {opened === "folders" && <FoldersDialog messenger={messenger} onClose={close} />}
      </Suspense>
    </>
  );
}
