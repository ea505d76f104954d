// The picture that contacts receive in sealed messages, beside the name.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useRef } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import styles from "../settings.module.css";
import { squarePicture } from "./square-picture.ts";

/** The picture with its buttons; the picture alone while messages are not open in this window. */
export function PictureForm(): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const messenger = useMessenger();
  const { phase, profilePicture } = useMessengerSnapshot();
  const field = useRef<HTMLInputElement>(null);
  const save = useMutation({
    mutationFn: async (file: Blob | null) => {
      const data = file === null ? new Uint8Array() : await squarePicture(file);
      if (data !== undefined) await messenger?.setProfilePicture(data);
      return data !== undefined;
    },
    onSuccess: (isPicture) =>
      toasts.show({ title: t(isPicture ? "settings.profileSaved" : "settings.pictureUnreadable"), tone: isPicture ? "success" : "danger" }),
    onError: toasts.showError,
  });
  return (
    <div className={styles.picture}>
      <Avatar publicKey={masterPub} size={56} />
      {messenger !== undefined && phase === "running" && (
        <>
          <Button size="small" busy={save.isPending} onClick={(): void => field.current?.click()}>
            {t(profilePicture === "" ? "settings.pictureChoose" : "settings.pictureChange")}
          </Button>
          {profilePicture !== "" && (
            <Button size="small" variant="ghost" disabled={save.isPending} onClick={(): void => save.mutate(null)}>
              {t("settings.pictureRemove")}
            </Button>
          )}
          <VisuallyHidden>
            <input
              ref={field}
              type="file"
              accept="image/*"
              tabIndex={-1}
              aria-hidden="true"
              onChange={(event): void => {
                const file = event.target.files?.[0];
                event.target.value = "";
                if (file !== undefined) save.mutate(file);
              }}
            />
          </VisuallyHidden>
        </>
      )}
    </div>
  );
}
