// Changing the published name: a transaction, so it says what it costs.

import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
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
import styles from "../settings.module.css";

/** The form. Before the keys are published the name is only stored: it is published with them. */
export function NameForm(props: { readonly published: IdentityInfo | undefined }): ReactElement {
  const { published } = props;
  const t = useMessages();
  const leastFeeUt = useLeastFee();
  const toasts = useToasts();
  const account = useAccount();
  const chosen = useChosenName(account.masterPub);
  const setChosen = useProfiles((profiles) => profiles.setName);
  const send = useSendIntent();
  const isRegistered = published?.registered === true;
  const current = isRegistered ? published.nickname : (chosen ?? "");
  const [name, setName] = useState(current);
  const trimmed = name.trim();
  const isTooLong = utf8(trimmed).length > MAX_NICKNAME_BYTES;
  const save = useMutation({
    mutationFn: async () => {
      if (isRegistered) await send({ kind: "registerKey", nickname: trimmed });
      setChosen(account.masterPub, trimmed);
    },
    onSuccess: () => {
      if (isRegistered) toasts.show({ title: t("settings.namePublished"), tone: "success" });
    },
  });
  const problem = isTooLong ? t("onboarding.nameTooLong") : save.error === null ? undefined : errorInWords(t, save.error).text;
  return (
    <div className={styles.inline}>
      <TextField
        label={t("settings.publicName")}
        value={name}
        onChange={setName}
        spellCheck={false}
        error={problem}
        hint={t("settings.nameHint", { fee: amountText(t, leastFeeUt) })}
      />
      {trimmed !== current && (
        <Button busy={save.isPending} disabled={isTooLong} onClick={(): void => save.mutate()}>
          {t(isRegistered ? "settings.namePublish" : "common.save")}
        </Button>
      )}
    </div>
  );
}
