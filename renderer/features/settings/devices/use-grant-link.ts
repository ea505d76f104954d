// Lets a device in: the master key vouches for it, LINK_DEVICE goes to the chain, the device gets its grant, and the messenger hands over.
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useAccount, useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { collectSavedNotes } from "#renderer/lib/linking/saved-notes.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useChosenName } from "#renderer/lib/profile/profile-store.ts";
import { markDeviceSeen } from "#renderer/lib/profile/use-device-updates.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { OldDeviceRun } from "#shared/linking/begin-link.ts";

/** How much history the new device gets. */
export const HISTORY_SCOPES = ["none", "recent", "all"] as const;
export type HistoryScope = (typeof HISTORY_SCOPES)[number];

const RECENT_MS = 45 * 86_400_000;
const SINCE_MS: Readonly<Record<HistoryScope, () => number | null>> = {
  none: () => null,
  recent: () => Date.now() - RECENT_MS,
  all: () => 0,
};

/** What the person has decided. */
export interface LinkConsent {
  readonly password: string;
  readonly scope: HistoryScope;
}

/** The way to let the device of a run in. */
export function useGrantLink(run: OldDeviceRun): (consent: LinkConsent) => Promise<void> {
  const t = useMessages();
  const toasts = useToasts();
  const keyring = useKeyring();
  const messenger = useMessenger();
  const send = useSendIntent();
  const { client } = useNode();
  const { masterPub, devicePub: own } = useAccount();
  const name = useChosenName(masterPub) ?? "";
  return async ({ password, scope }) => {
    const { state } = run.getSnapshot();
    if (state.phase !== "accepted") throw new CodedError("BAD_REQUEST", "The digits were not right");
    if (messenger?.getSnapshot().phase !== "running")
      throw new CodedError("MESSENGER_UNAVAILABLE", "The messenger is not running in this window");
    const { device, session } = state;
    const { chain_id: chainId } = await client.getNetworkInfo({});
    const certificate = await keyring.certifyDevice({ devicePub: device.devicePub, signingPub: device.signingPub, chainId, password });
    if ((await keyring.status()).state !== "unlocked") await keyring.unlock({ password });
    // The try before this one may have failed after its transaction.
    const { devices } = await client.listDevices({ master_pub: masterPub });
    const isListed = devices.some(({ x25519_pub_key }) => x25519_pub_key === device.devicePub);
    if (!isListed) await send({ kind: "linkDevice", deviceName: device.name, devicePub: device.devicePub });
    const { devicePub, name: deviceName } = device;
    try {
      if (run.getSnapshot().state.phase === "ended") throw new CodedError("BAD_REQUEST", "The linking ended while it was granted");
      // Noted before the device may ask: should this page be closed now, the next start knows whom it let in.
      const sinceMs = SINCE_MS[scope]();
      await messenger.sendDeviceTransfer({ session: session.key, deviceName, devicePub, keepsakes: collectSavedNotes(), sinceMs });
      await run.send({ kind: "grant", masterPub, certificate, profileName: name, hasHistory: true });
    } catch (error) {
      await messenger.noteUnfinishedLink({ devicePub, name: deviceName });
      throw error;
    } finally {
      markDeviceSeen(own, device);
    }
    run.input({ kind: "granted" });
    toasts.show({ title: t("settings.linkDone"), tone: "success" });
  };
}
