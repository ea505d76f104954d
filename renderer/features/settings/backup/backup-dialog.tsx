// Saves all messages as an encrypted file, and brings them back from one.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { FileField } from "#renderer/components/controls/file-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { NewPasswordFields } from "#renderer/components/secrets/new-password-fields.tsx";
import { PasswordField } from "#renderer/components/secrets/password-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { collectBackupData, restoreBackupData } from "#renderer/lib/backup-data.ts";
import { saveBytes } from "#renderer/lib/browser/save-file.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useProfiles } from "#renderer/lib/profile/profile-store.ts";
import { useNewPassword } from "#renderer/lib/profile/use-new-password.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";

export interface BackupDialogProps {
  readonly messenger: Messenger;
  readonly kind: "save" | "restore";
  readonly onClose: () => void;
}

export function BackupDialog(props: BackupDialogProps): ReactElement {
  const t = useMessages();
  const { kind, onClose } = props;
  return (
    <Dialog
      open
      keepOpen
      onOpenChange={onClose}
      title={t(kind === "save" ? "backup.save" : "backup.restore")}
      description={t(kind === "save" ? "backup.saveText" : "backup.restoreText")}
    >
      {kind === "save" ? <SaveForm {...props} /> : <RestoreForm {...props} />}
    </Dialog>
  );
}

function SaveForm({ messenger, onClose }: BackupDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const [fileName] = useState(() => `parley-${new Date().toISOString().slice(0, 10)}.parleybackup`);
  const chosen = useNewPassword([fileName]);
  const [withFiles, setWithFiles] = useState(true);
  const save = useMutation({
    mutationFn: (password: string) => messenger.exportBackup(password, { withFiles, app: collectBackupData() }),
    onSuccess: (file) => {
      saveBytes(fileName, file);
      useProfiles.getState().markBackup(masterPub, Date.now());
      toasts.show({ title: t("backup.saved"), tone: "success" });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!save.isPending) chosen.submit((password) => save.mutate(password));
  };
  return (
    <form className={shared.stack4} onSubmit={submit}>
      <NewPasswordFields chosen={chosen} autoFocus />
      <Checkbox label={t("chat.withFiles")} hint={t("backup.withFilesHint")} checked={withFiles} onChange={setWithFiles} />
      <Problem error={save.error} />
      <Button type="submit" variant="primary" busy={save.isPending}>
        {t("backup.save")}
      </Button>
    </form>
  );
}

function RestoreForm({ messenger, onClose }: BackupDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [file, setFile] = useState<File>();
  const [password, setPassword] = useState("");
  const restore = useMutation({
    mutationFn: async (chosen: File) => {
      const restored = await messenger.importBackup(new Uint8Array(await chosen.arrayBuffer()), password);
      await restoreBackupData(restored.app);
      return restored;
    },
    onSuccess: ({ messages }) => {
      toasts.show({ title: t("backup.restored", { count: messages }), tone: "success" });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (file !== undefined) restore.mutate(file);
  };
  return (
    <form className={shared.stack4} onSubmit={submit}>
      <FileField label={t("backup.file")} accept="" fileName={file?.name} onChoose={setFile} />
      <PasswordField label={t("backup.password")} purpose="current" value={password} onChange={setPassword} />
      <Problem error={restore.error} />
      <Button type="submit" variant="primary" busy={restore.isPending} disabled={file === undefined || password === ""}>
        {t("backup.restore")}
      </Button>
    </form>
  );
}

function Problem({ error }: { readonly error: Error | null }): ReactElement | null {
  const t = useMessages();
  return error === null ? null : <Banner tone="danger">{t(problemKey(error))}</Banner>;
}

/** Words for what can be wrong with a backup. */
export function problemKey(error: unknown): PlainMessageKey {
  if (isCodedError(error, "BACKUP_WRONG_PASSWORD")) return "backup.wrongPassword";
  if (isCodedError(error, "BACKUP_FOREIGN")) return "network" in error.details ? "backup.otherNetwork" : "backup.foreign";
  if (isCodedError(error, "BACKUP_DAMAGED")) return "backup.damaged";
  if (isCodedError(error, "PAYLOAD_TOO_LARGE")) return "backup.tooLarge";
  return isCodedError(error, "STORAGE_NEWER") ? "backup.newer" : "backup.failed";
}
