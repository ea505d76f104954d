// Changing the public name. Where keys are published it is a transaction, so it says what it costs; else it is only stored.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, type SyntheticEvent, useId, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useChosenName, useProfiles } from "#renderer/lib/profile/profile-store.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { IdentityInfo } from "#shared/api/schemas/chain.ts";
import { MAX_NICKNAME_BYTES } from "#shared/protocol/primitives/limits.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { publicNameOf } from "./public-name.ts";

export interface PublicNameDialogProps {
  readonly published: IdentityInfo | undefined;
  readonly onClose: () => void;
}

/** The dialog, open while it is shown. */
export function PublicNameDialog({ published, onClose }: PublicNameDialogProps): ReactElement {
  const t = useMessages();
  const formId = useId();
  const fee = amountText(t, useLeastFee());
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const setChosen = useProfiles((profiles) => profiles.setName);
  const send = useSendIntent();
  const isRegistered = published?.registered === true;
  const current = publicNameOf(published, useChosenName(masterPub));
  const [name, setName] = useState(current);
  const trimmed = name.trim();
  const isTooLong = utf8(trimmed).length > MAX_NICKNAME_BYTES;
  const canSave = !isTooLong && trimmed !== current;
  const save = useMutation({
    mutationFn: async () => {
      if (isRegistered) await send({ kind: "registerKey", nickname: trimmed });
      setChosen(masterPub, trimmed);
    },
    onSuccess: () => {
      onClose();
      if (isRegistered) toasts.show({ title: t("settings.namePublished"), tone: "success" });
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (canSave && !save.isPending) save.mutate();
  };
  const refusal = save.error === null ? undefined : errorInWords(t, save.error).text;
  return (
    <Dialog
      open
      title={t("settings.publicName")}
      description={t("settings.publicNameText")}
      onOpenChange={(isOpen): void => {
        if (!isOpen) onClose();
      }}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button variant="primary" type="submit" form={formId} busy={save.isPending} disabled={!canSave}>
            {t(isRegistered ? "settings.namePublish" : "common.save")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <TextField
          autoFocus
          label={t("settings.publicName")}
          value={name}
          onChange={setName}
          spellCheck={false}
          error={isTooLong ? t("onboarding.nameTooLong") : refusal}
          hint={isRegistered ? t("settings.nameHint", { fee }) : t("settings.nameHintLater")}
        />
      </form>
    </Dialog>
  );
}
