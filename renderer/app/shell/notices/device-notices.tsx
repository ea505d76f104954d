// What one should know of one's own devices, wherever one is: one was linked or unlinked, this one is no longer listed.
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { SettingsNotice } from "#renderer/components/feedback/settings-notice.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useWasListed } from "#renderer/lib/profile/profile-store.ts";
import { useDeviceLabel } from "#renderer/lib/profile/use-device-label.ts";
import { type DeviceUpdate, markDeviceGone, useDeviceUpdates } from "#renderer/lib/profile/use-device-updates.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { UnfinishedLink } from "#shared/messenger/model/device-transfer.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { BlockNotice } from "./block-notice.tsx";

/** All notices that apply about devices, and about what the nodes of contacts report. */
export function DeviceNotices(): ReactElement {
  const { updates, seen } = useDeviceUpdates();
  return (
    <>
      <UnlinkedNotice />
      {updates.map((item) => (
        <DeviceNotice key={`${item.kind} ${item.devicePub}`} item={item} onSeen={(): void => seen(item)} />
      ))}
      <UnfinishedLinks />
      <BlockNotice />
    </>
  );
}

/** This device was listed before and is not any more. */
function UnlinkedNotice(): ReactElement | null {
  const t = useMessages();
  const { masterPub, devicePub } = useAccount();
  const devices = useQuery(useNodeQueries().devices(masterPub)).data;
  const wasListed = useWasListed(devicePub);
  if (devices === undefined || !wasListed || devices.some((device) => device.x25519_pub_key === devicePub)) return null;
  return (
    <SettingsNotice tone="danger" title={t("notices.unlinkedTitle")} section="devices" action={t("settings.devices")}>
      {t("notices.unlinkedText")}
    </SettingsNotice>
  );
}

/** Another device came or went; one that came can be unlinked at once. */
function DeviceNotice({ item, onSeen }: { readonly item: DeviceUpdate; readonly onSeen: () => void }): ReactElement {
  const t = useMessages();
  const { isPending, unlink } = useUnlink(item.devicePub, onSeen);
  const name = useDeviceLabel(item.devicePub, item.name);
  return (
    <Banner
      flush
      tone={item.kind === "linked" ? "warning" : "neutral"}
      title={t(`notices.device.${item.kind}`, { name })}
      actions={
        <>
          {item.kind === "linked" && (
            <Button size="small" busy={isPending} onClick={unlink}>
              {t("settings.unlink")}
            </Button>
          )}
          <Button size="small" variant="ghost" onClick={onSeen}>
            {t("notices.deviceSeen")}
          </Button>
        </>
      }
    >
      {t(`notices.deviceText.${item.kind}`)}
    </Banner>
  );
}

/** A way to take a device off the chain's list. */
function useUnlink(devicePub: X25519KeyHex, onUnlinked: () => void): { readonly isPending: boolean; unlink(): void } {
  const t = useMessages();
  const toasts = useToasts();
  const send = useSendIntent();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send({ kind: "unlinkDevice", devicePub }),
    onSuccess: () => {
      toasts.show({ title: t("settings.unlinkDone"), tone: "success" });
      onUnlinked();
    },
    onError: toasts.showError,
  });
  return { isPending, unlink: (): void => mutate() };
}

/** Devices that this one let in, and that never came for what is theirs. */
function UnfinishedLinks(): ReactElement {
  const { masterPub } = useAccount();
  const devices = useQuery(useNodeQueries().devices(masterPub)).data ?? [];
  const unfinishedLinks = useMessengerValue((messenger) => messenger.unfinishedLinks);
  const isListed = ({ devicePub }: UnfinishedLink): boolean => devices.some((device) => device.x25519_pub_key === devicePub);
  return (
    <>
      {unfinishedLinks.filter(isListed).map((link) => (
        <UnfinishedLinkNotice key={link.devicePub} link={link} />
      ))}
    </>
  );
}

function UnfinishedLinkNotice({ link: { devicePub, name: published } }: { readonly link: UnfinishedLink }): ReactElement {
  const t = useMessages();
  const messenger = useMessenger();
  const { devicePub: own } = useAccount();
  const name = useDeviceLabel(devicePub, published);
  const forget = (): void => void messenger?.forgetUnfinishedLink(devicePub).catch(() => undefined);
  const { isPending, unlink } = useUnlink(devicePub, () => {
    markDeviceGone(own, devicePub);
    forget();
  });
  return (
    <Banner
      flush
      tone="warning"
      title={t("notices.unfinishedLink", { name })}
      actions={
        <>
          <Button size="small" busy={isPending} onClick={unlink}>
            {t("settings.unlink")}
          </Button>
          <Button size="small" variant="ghost" onClick={forget}>
            {t("common.dismiss")}
          </Button>
        </>
      }
    >
      {t("notices.unfinishedLinkText")}
    </Banner>
  );
}
