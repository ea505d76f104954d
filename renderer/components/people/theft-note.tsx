// That a device of a person has no key that goes after a while. It becomes known when something is sealed to them, at any moment of a visit:
// so it stands below all else, where it pushes nothing away.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Banner } from "../feedback/banner.tsx";

/** Nothing where all their devices have one, or nothing was sealed to them yet. */
export function TheftNote({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement | null {
  const t = useMessages();
  const isOpenToTheft = useMessengerValue(({ openToTheft }) => openToTheft.includes(publicKey));
  if (!isOpenToTheft) return null;
  return (
    <Banner tone="warning" isLasting title={t("contacts.openToTheft")}>
      {t("contacts.openToTheftText")}
    </Banner>
  );
}
