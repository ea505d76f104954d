// Joining an identity from another device: the code that it shows, two digits, and the chain's word that this device is listed.
import { type ReactElement, useState } from "react";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import type { LinkGrant } from "#shared/linking/link-message.ts";
import { LinkCodeCard } from "./link-code-card.tsx";
import { LinkDigitsCard } from "./link-digits-card.tsx";
import type { BegunLink } from "./use-begin-link.ts";

/** A linking that was granted, and that the chain confirms. */
export interface GrantedLink {
  readonly grant: LinkGrant;
  readonly chainId: string;
  readonly session: Uint8Array;
}

export interface LinkStepProps {
  readonly onLinked: (link: GrantedLink) => void;
  readonly onBack: () => void;
}

/** The cards of a linking on the new device. */
export function LinkStep({ onLinked, onBack }: LinkStepProps): ReactElement {
  const chainId = useChainId();
  const [begun, setBegun] = useState<BegunLink>();
  if (begun === undefined || chainId === undefined) return <LinkCodeCard chainId={chainId} onBegun={setBegun} onBack={onBack} />;
  return (
    <LinkDigitsCard
      begun={begun}
      onGranted={(grant, session): void => onLinked({ grant, session, chainId })}
      onAgain={(): void => setBegun(undefined)}
    />
  );
}
