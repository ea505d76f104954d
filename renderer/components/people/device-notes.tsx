// What is to be known of the devices of a person: one has no key that goes after a while, or nothing proves that they are theirs. It becomes
// known when something is sealed to them, at any moment of a visit: so it stands below all else, where it pushes nothing away.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Banner } from "../feedback/banner.tsx";

/** Nothing where all their devices have such a key and are proven, or none was looked up yet. */
export function DeviceNotes({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const isOpenToTheft = useMessengerValue(({ openToTheft }) => openToTheft.includes(publicKey));
  const isUnchecked = useMessengerValue(({ uncheckedDevices }) => uncheckedDevices.includes(publicKey));
  return (
    <>
      {isUnchecked && (
        <Banner tone="warning" isLasting title={t("contacts.uncheckedDevices")}>
          {t("contacts.uncheckedDevicesText")}
        </Banner>
      )}
      {isOpenToTheft && (
        <Banner tone="warning" isLasting title={t("contacts.openToTheft")}>
          {t("contacts.openToTheftText")}
        </Banner>
      )}
    </>
  );
}
