// A private name for an own device. The one on the chain is public and stays.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, type SyntheticEvent, useId, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { usePrivateDeviceName } from "#renderer/lib/profile/use-device-label.ts";
import type { DeviceRecord } from "#shared/api/schemas/chain.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";

/** Longest name, characters. */
const MAX_NAME_CHARS = 64;

export interface RenameDeviceDialogProps {
  readonly device: DeviceRecord;
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

/** The dialog, open while it is shown. An empty name brings the public one back. */
export function RenameDeviceDialog({ device, messenger, onClose }: RenameDeviceDialogProps): ReactElement {
  const t = useMessages();
  const formId = useId();
  const [name, setName] = useState(usePrivateDeviceName(device.x25519_pub_key) ?? "");
  const rename = useMutation({
    mutationFn: () => messenger.setNotes([{ about: "device", key: device.x25519_pub_key, name: name.trim(), text: "", isContact: false }]),
    onSuccess: onClose,
  });
  return (
    <Dialog
      open
      title={t("settings.renameDevice")}
      description={t("settings.renameDeviceText", { name: device.device_name })}
      onOpenChange={(isOpen): void => {
        if (!isOpen) onClose();
      }}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" type="submit" form={formId} busy={rename.isPending}>
            {t("common.save")}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event: SyntheticEvent): void => {
          event.preventDefault();
          rename.mutate();
        }}
      >
        <TextField
          autoFocus
          label={t("common.name")}
          placeholder={device.device_name}
          value={name}
          onChange={setName}
          maxLength={MAX_NAME_CHARS}
          error={rename.error === null ? undefined : errorInWords(t, rename.error).title}
        />
      </form>
    </Dialog>
  );
}
