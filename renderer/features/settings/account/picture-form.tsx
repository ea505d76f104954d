// The picture that contacts receive in sealed messages, beside the name.
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { PictureChoice } from "#renderer/components/people/picture-choice.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import styles from "../settings.module.css";

/** The picture with its buttons; the picture alone while messages are not open in this window. */
export function PictureForm(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const messenger = useMessenger();
  const { phase, profilePicture } = useMessengerSnapshot();
  return (
    <div className={styles.picture}>
      <Avatar publicKey={masterPub} size={72} />
      {messenger !== undefined && phase === "running" && (
        <PictureChoice
          hasPicture={profilePicture !== ""}
          savedTitle={t("settings.profileSaved")}
          onChoose={(data): Promise<void> => messenger.setProfilePicture(data)}
        />
      )}
    </div>
  );
}
