// Keeps what the lock screen shows of the person up to date, where they allowed it; else there is nothing of it.
import { useEffect } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { usePerson, usePicture } from "#renderer/lib/people/people-context.tsx";
import { readLockFace, storeLockFace } from "#renderer/lib/profile/lock-face.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";

export function useLockFace(): void {
  const { masterPub } = useAccount();
  const isAllowed = useSettings(({ lockFace }) => lockFace);
  const { name } = usePerson(masterPub);
  const picture = usePicture(masterPub);
  // Before messages are open their name and picture are not known: what is stored stays.
  const isKnown = useMessengerValue(({ phase }) => phase === "running");
  const hasPicture = useMessengerValue(({ profilePicture }) => profilePicture !== "");
  useEffect(() => {
    if (!isAllowed) storeLockFace(undefined);
    else if (isKnown) {
      const before = readLockFace(masterPub);
      const face = { account: masterPub, name: name ?? "", picture: picture ?? (hasPicture ? before?.picture : undefined) };
      storeLockFace(face.name === "" ? undefined : face);
    }
  }, [isAllowed, isKnown, masterPub, name, picture, hasPicture]);
}
