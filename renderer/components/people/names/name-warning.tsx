// Says that the name of a person reads like another one's, or is written in letters of several scripts.
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNameWarning } from "#renderer/lib/people/names/use-name-warning.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Banner } from "../../feedback/banner.tsx";
import { AddressChip } from "../address-chip.tsx";

export interface NameWarningProps {
  readonly publicKey: PublicKeyHex;
  /** Fills the width of the view, as other notices above a chat do. */
  readonly flush?: boolean;
}

/** Nothing for a name without a doubt. */
export function NameWarning({ publicKey, flush = false }: NameWarningProps): ReactElement | null {
  const t = useMessages();
  const warning = useNameWarning(publicKey);
  if (warning === undefined) return null;
  if (warning.kind === "mixesScripts") return <Banner flush={flush} tone="warning" title={t("common.mixedName")} />;
  return (
    <Banner flush={flush} tone="warning" title={t("common.similarName", { name: warning.name })}>
      {t("common.similarNameText")} <AddressChip publicKey={warning.other} />
    </Banner>
  );
}
