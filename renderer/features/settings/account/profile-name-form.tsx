// The name that contacts receive in sealed messages. It costs nothing and is published nowhere else.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { isProfileName, MAX_PROFILE_NAME_CHARS } from "#shared/content/profile-name.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import styles from "../settings.module.css";

export interface ProfileNameFormProps {
  /** What people see while there is none. */
  readonly placeholder: string;
}

/** The form; nothing while messages are not open in this window. */
export function ProfileNameForm({ placeholder }: ProfileNameFormProps): ReactElement | null {
  const messenger = useMessenger();
  const { phase, profileName } = useMessengerSnapshot();
  if (phase === "idle" || phase === "starting") return <Pending />;
  if (messenger === undefined || phase !== "running") return null;
  return <ProfileForm key={profileName} messenger={messenger} current={profileName} placeholder={placeholder} />;
}

interface ProfileFormProps extends ProfileNameFormProps {
  readonly messenger: Messenger;
  readonly current: string;
}

function ProfileForm({ messenger, current, placeholder }: ProfileFormProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [name, setName] = useState(current);
  const trimmed = name.trim();
  const isPossible = isProfileName(trimmed);
  const save = useMutation({
    mutationFn: () => messenger.setProfileName(trimmed),
    onSuccess: () => toasts.show({ id: "profile", title: t("settings.profileSaved"), tone: "success" }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isPossible) save.mutate();
  };
  const refusal = save.error === null ? undefined : errorInWords(t, save.error).text;
  return (
    <form className={styles.inline} onSubmit={submit}>
      <TextField
        label={t("common.name")}
        placeholder={placeholder}
        value={name}
        onChange={setName}
        spellCheck={false}
        maxLength={MAX_PROFILE_NAME_CHARS}
        error={isPossible ? refusal : t("common.nameCharacters")}
      />
      {trimmed !== current && (
        <Button type="submit" disabled={!isPossible} busy={save.isPending}>
          {t("common.save")}
        </Button>
      )}
    </form>
  );
}
