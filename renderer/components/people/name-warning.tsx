// Says that the name of a person reads like another one's, or is written in letters of several scripts.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNameWarning } from "#renderer/lib/people/names/use-name-warning.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Banner } from "../feedback/banner.tsx";
import { AddressChip } from "./address-chip.tsx";

/** Nothing for a name without a doubt. */
export function NameWarning({ publicKey }: { readonly publicKey: PublicKeyHex }): ReactElement | null {
  const t = useMessages();
  const warning = useNameWarning(publicKey);
  if (warning === undefined) return null;
  if (warning.kind === "mixesScripts") return <Banner tone="warning" title={t("common.mixedName")} />;
  return (
    <Banner tone="warning" title={t("common.similarName", { name: warning.name })}>
      {t("common.similarNameText")} <AddressChip publicKey={warning.other} />
    </Banner>
  );
}
