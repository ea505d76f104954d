// What one should know of one's own devices, wherever one is: one was linked or unlinked, this one is no longer listed, something is
// handed over.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/banner.tsx";
import { Button } from "#renderer/components/button.tsx";
import { ButtonLink } from "#renderer/components/button-link.tsx";
import { useToasts } from "#renderer/components/toast.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useWasListed } from "#renderer/lib/profile/profile-store.ts";
import { type DeviceNews, useDeviceNews } from "#renderer/lib/profile/use-device-news.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";

/** All notices about devices that apply. */
export function DeviceNotices(): ReactElement {
  const { news, seen } = useDeviceNews();
  return (
    <>
      <UnlinkedNotice />
      {news.map((item) => (
        <DeviceNotice key={`${item.kind} ${item.devicePub}`} item={item} onSeen={(): void => seen(item)} />
      ))}
      <HandoverNotice />
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
    <Banner
      flush
      tone="danger"
      title={t("shell.unlinkedTitle")}
      actions={
        <ButtonLink size="small" to="/settings/$section" params={{ section: "devices" }}>
          {t("shell.showDevices")}
        </ButtonLink>
      }
    >
      {t("shell.unlinkedText")}
    </Banner>
  );
}

/** Another device came or went; one that came can be unlinked at once. */
function DeviceNotice({ item, onSeen }: { readonly item: DeviceNews; readonly onSeen: () => void }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const send = useSendIntent();
  const [isBusy, setBusy] = useState(false);
  const unlink = async (): Promise<void> => {
    setBusy(true);
    try {
      await send({ kind: "unlinkDevice", devicePub: item.devicePub });
      toasts.show({ title: t("settings.unlinkDone"), tone: "success" });
      onSeen();
    } catch (error) {
      toasts.showError(error);
    }
    setBusy(false);
  };
  return (
    <Banner
      flush
      tone={item.kind === "linked" ? "warning" : "neutral"}
      title={t(`shell.device.${item.kind}`, { name: item.name })}
      actions={
        <>
          {item.kind === "linked" && (
            <Button size="small" busy={isBusy} onClick={(): void => void unlink()}>
              {t("settings.unlink")}
            </Button>
          )}
          <Button size="small" variant="ghost" onClick={onSeen}>
            {t("shell.deviceSeen")}
          </Button>
        </>
      }
    >
      {t(`shell.deviceText.${item.kind}`)}
    </Banner>
  );
}

function HandoverNotice(): ReactElement | null {
  const t = useMessages();
  const messenger = useMessenger();
  const { handover } = useMessengerSnapshot();
  if (handover === null) return null;
  const { role, phase, done, total, deviceName } = handover;
  const name = deviceName ?? "";
  const cancel = (): void => void messenger?.cancelHandover().catch(() => undefined);
  return (
    <Banner
      flush
      tone={phase === "cancelled" ? "warning" : phase === "done" ? "success" : "accent"}
      title={t(`shell.handover.${role}.${phase}`, { name })}
      actions={
        <Button size="small" variant="ghost" onClick={cancel}>
          {t(phase === "running" ? "common.cancel" : "common.dismiss")}
        </Button>
      }
    >
      {total > 0 && t("shell.handoverCount", { done, total })}
    </Banner>
  );
}
