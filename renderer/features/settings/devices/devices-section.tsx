// Devices that hold keys of this identity, as the chain lists them, with a way to link another one and to revoke each.

import { useMutation, useQuery } from "@tanstack/react-query";
import { MonitorSmartphone, Pencil, Plus } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount, useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { deviceNameOf } from "#renderer/lib/profile/device-name.ts";
import { useWasListed } from "#renderer/lib/profile/profile-store.ts";
import { useDeviceLabel, usePrivateDeviceName } from "#renderer/lib/profile/use-device-label.ts";
import { markDeviceGone } from "#renderer/lib/profile/use-device-updates.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { useSendIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import type { DeviceRecord } from "#shared/api/schemas/chain.ts";
import styles from "../settings.module.css";
import { LinkDeviceDialog } from "./link-device-dialog.tsx";
import { RenameDeviceDialog } from "./rename-device-dialog.tsx";

export function DevicesSection(): ReactElement {
  const t = useMessages();
  const account = useAccount();
  const devices = useQuery(useNodeQueries().devices(account.masterPub));
  const isLinked = useKeyringValue().status?.isLinked === true;
  const [isLinking, setLinking] = useState(false);
  const [unlinking, setUnlinking] = useState<DeviceRecord>();
  const [renaming, setRenaming] = useState<DeviceRecord>();
  const messenger = useMessenger();
  if (devices.error !== null) return <ErrorState error={devices.error} onRetry={(): void => void devices.refetch()} />;
  if (devices.data === undefined) return <SkeletonRows count={2} />;
  const isListed = devices.data.some((device) => device.x25519_pub_key === account.devicePub);
  return (
    <Section hideTitle title={t("settings.devices")} hint={t("settings.devicesHint")}>
      {!isListed && <ThisDeviceMissing />}
      {devices.data.length === 0 && <p className={shared.muted}>{t("settings.noDevices")}</p>}
      <ul className={styles.devices}>
        {devices.data.map((device) => (
          <li key={device.x25519_pub_key}>
            <DeviceRow
              device={device}
              isThis={device.x25519_pub_key === account.devicePub}
              onRename={(): void => setRenaming(device)}
              onUnlink={(): void => setUnlinking(device)}
            />
          </li>
        ))}
      </ul>
      {!isLinked && isListed && (
        <Button icon={Plus} onClick={(): void => setLinking(true)}>
          {t("settings.linkTitle")}
        </Button>
      )}
      {isLinked && <p className={shared.muted}>{t("settings.linkOnOtherDevice")}</p>}
      {isLinking && <LinkDeviceDialog onClose={(): void => setLinking(false)} />}
      {renaming !== undefined && messenger !== undefined && (
        <RenameDeviceDialog device={renaming} messenger={messenger} onClose={(): void => setRenaming(undefined)} />
      )}
      {unlinking !== undefined && (
        <UnlinkSheet
          device={unlinking}
          isThis={unlinking.x25519_pub_key === account.devicePub}
          onClose={(): void => setUnlinking(undefined)}
        />
      )}
    </Section>
  );
}

/** Not linked yet, or unlinked: then only its owner links it again. */
function ThisDeviceMissing(): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const leastFeeUt = useLeastFee();
  const { devicePub } = useAccount();
  const wasListed = useWasListed(devicePub);
  const send = useSendIntent();
  const link = useMutation({
    mutationFn: () => send({ kind: "linkDevice", deviceName: deviceNameOf(navigator.userAgent) }),
    onSuccess: () => toasts.show({ title: t("settings.linkDone"), tone: "success" }),
    onError: toasts.showError,
  });
  if (!wasListed) return <Banner tone="accent">{t("settings.thisNotLinked")}</Banner>;
  const again = (
    <Button size="small" busy={link.isPending} onClick={(): void => link.mutate()}>
      {t("settings.linkAgain")}
    </Button>
  );
  return (
    <Banner tone="warning" actions={again}>
      {t("settings.thisUnlinked", { fee: amountText(t, leastFeeUt) })}
    </Banner>
  );
}

interface DeviceRowProps {
  readonly device: DeviceRecord;
  readonly isThis: boolean;
  readonly onRename: () => void;
  readonly onUnlink: () => void;
}

function DeviceRow({ device, isThis, onRename, onUnlink }: DeviceRowProps): ReactElement {
  const t = useMessages();
  const phase = useMessengerValue((messenger) => messenger.phase);
  const privateName = usePrivateDeviceName(device.x25519_pub_key);
  return (
    <ListRow
      leading={<MonitorSmartphone size={18} aria-hidden="true" className={shared.muted} />}
      heading={privateName ?? device.device_name}
      subtitle={
        <>
          {privateName !== undefined && `${t("settings.devicePublished", { name: device.device_name })} · `}
          {t("settings.deviceAdded")} <Time at={device.added_at * 1000} />
        </>
      }
      meta={isThis ? <Badge tone="accent">{t("settings.thisDevice")}</Badge> : undefined}
      trailing={
        <>
          {phase === "running" && <IconButton size="small" icon={Pencil} label={t("settings.renameDevice")} onClick={onRename} />}
          <Button size="small" variant="ghost" onClick={onUnlink}>
            {t("settings.unlink")}
          </Button>
        </>
      }
    />
  );
}

interface UnlinkSheetProps {
  readonly device: DeviceRecord;
  readonly isThis: boolean;
  readonly onClose: () => void;
}

function UnlinkSheet({ device, isThis, onClose }: UnlinkSheetProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const leastFeeUt = useLeastFee();
  const send = useSendIntent();
  const { devicePub } = useAccount();
  const unlink = useMutation({
    mutationFn: () => send({ kind: "unlinkDevice", devicePub: device.x25519_pub_key }),
    onSuccess: () => {
      markDeviceGone(devicePub, device.x25519_pub_key);
      toasts.show({ title: t("settings.unlinkDone"), tone: "success" });
      onClose();
    },
  });
  const name = useDeviceLabel(device.x25519_pub_key, device.device_name);
  return (
    <ConfirmSheet
      open
      danger
      title={t("settings.unlinkTitle", { name })}
      sentence={t("settings.unlinkSentence", { name })}
      rows={[
        { label: t("settings.deviceKey"), value: device.x25519_pub_key, mono: true },
        { label: t("transactions.fee"), value: amountText(t, leastFeeUt) },
      ]}
      confirmLabel={t("settings.unlink")}
      busy={unlink.isPending}
      error={unlink.error}
      onCancel={onClose}
      onConfirm={(): void => unlink.mutate()}
    >
      {isThis && <Banner tone="warning">{t("settings.unlinkThis")}</Banner>}
    </ConfirmSheet>
  );
}
