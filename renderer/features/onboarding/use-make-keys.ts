// The keys of this device, by one of three ways: new, from the phrase, or by another device that has linked this one.
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { forgetEnd } from "#renderer/lib/linking/interrupted-link.ts";
import { useProfiles } from "#renderer/lib/profile/profile-store.ts";
import type { GrantedLink } from "./link-step.tsx";

/** A way to keys. */
export type Path = "new" | "import" | "link";

/** What was said on the way. */
export interface FirstRunOptions {
  readonly path: Path;
  readonly phrase: string;
  readonly name: string;
  readonly isDamaged: boolean;
  readonly link: GrantedLink | undefined;
}

/** Makes keys and vault; resolves with the words of a new phrase, which were not shown yet. */
export function useMakeKeys({
  path,
  phrase,
  name,
  isDamaged,
  link,
}: FirstRunOptions): (password: string) => Promise<readonly string[] | undefined> {
  const { keyring } = useKeyringValue();
  const setName = useProfiles((profiles) => profiles.setName);
  return async (password) => {
    const words = path === "new" ? (await keyring.create({ password })).words : undefined;
    if (path === "import") await keyring.importPhrase({ phrase, password, ...(isDamaged && { replaceDamaged: true }) });
    if (path === "link" && link !== undefined) {
      const { masterPub, certificate } = link.grant;
      await keyring.finishLink({ masterPub, certificate, chainId: link.chainId, password });
      forgetEnd();
      const { storeDeviceTransfer } = await import("#shared/messenger/transfer/store-device-transfer.ts");
      const { openMessageDatabase } = await import("#renderer/storage/message-database.ts");
      await storeDeviceTransfer(await keyring.storeKeys(), link.session, openMessageDatabase);
    }
    const { account } = await keyring.status();
    const chosen = link?.grant.profileName ?? name.trim();
    if (account !== null && chosen !== "") setName(account.masterPub, chosen);
    return words;
  };
}
