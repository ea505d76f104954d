// What concerns all chats: starred messages, folders, backups.
import { Download, Ellipsis, Folder, Star, Upload } from "lucide-react";
import { type ComponentType, lazy, type ReactElement, Suspense, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import type { FoldersDialogProps } from "../chat/folders/folders-dialog.tsx";
import type { StarredDialogProps } from "../chat/starred/starred-dialog.tsx";
import type { BackupDialogProps } from "./backup-dialog.tsx";

const BackupDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<BackupDialogProps> }> => ({
    default: (await import("./backup-dialog.tsx")).BackupDialog,
  }),
);
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
export function ListMenu({ isRunning }: { readonly isRunning: boolean }): ReactElement | null {
  const t = useMessages();
  const messenger = useMessenger();
  const [opened, setOpened] = useState<"starred" | "folders" | "save" | "restore">();
  if (messenger === undefined || !isRunning) return null;
  const close = (): void => setOpened(undefined);
  const chats = [
    { label: t("inbox.starredMessages"), icon: Star, movesFocus: true, onSelect: (): void => setOpened("starred") },
    { label: t("inbox.folders"), icon: Folder, movesFocus: true, onSelect: (): void => setOpened("folders") },
  ];
  const backups = [
    { label: t("inbox.backupSave"), icon: Download, onSelect: (): void => setOpened("save") },
    { label: t("inbox.backupRestore"), icon: Upload, onSelect: (): void => setOpened("restore") },
  ];
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("inbox.moreAboutAll")} />} groups={[chats, backups]} />
      <Suspense fallback={null}>
        {opened === "starred" && <StarredDialog messenger={messenger} onClose={close} />}
        {opened === "folders" && <FoldersDialog messenger={messenger} onClose={close} />}
        {(opened === "save" || opened === "restore") && <BackupDialog messenger={messenger} kind={opened} onClose={close} />}
      </Suspense>
    </>
  );
}
