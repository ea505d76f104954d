// The approval of a validator that joins or leaves, with the key that may give it: of the own node or its signer, or of a wallet that votes.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useOwnNode } from "#renderer/lib/node/use-own-node.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { Button } from "../controls/button.tsx";
import { DutyButton } from "./duty-button.tsx";
import { ValidatorSheet } from "./validator-sheet.tsx";

/** Who approves. */
export interface Approver {
  readonly kind: "node" | "wallet";
  readonly publicKey: PublicKeyHex;
}

/** The key whose approval counts; undefined where none of this person's keys is a validator. */
export function useApprover(): Approver | undefined {
  const { masterPub } = useAccount();
  const { publicKey, signerKey, isOther } = useOwnNode();
  const nodeKey = signerKey ?? publicKey;
  const { data } = useQuery(useNodeQueries().validators());
  const isMember = (key: PublicKeyHex): boolean => data?.validators.some(({ pub_key: member }) => member === key) === true;
  if (nodeKey !== undefined && !isOther && isMember(nodeKey)) return { kind: "node", publicKey: nodeKey };
  return isMember(masterPub) ? { kind: "wallet", publicKey: masterPub } : undefined;
}

export interface ApproveActionProps {
  readonly action: "add" | "remove";
  /** The other validator. */
  readonly publicKey: PublicKeyHex;
  readonly label: string;
  readonly isSmall?: boolean;
}

/** The button; it cannot be pressed where no approval of this person counts. */
export function ApproveAction({ action, publicKey, label, isSmall = false }: ApproveActionProps): ReactElement {
  const node = useOwnNode();
  const approver = useApprover();
  const [isOpen, setOpen] = useState(false);
  const size = isSmall && { size: "small" as const };
  if (approver?.kind === "node")
    return (
      <DutyButton
        node={node}
        duty={{ duty: action === "add" ? "approve" : "approve_removal", pub_key: publicKey }}
        label={label}
        command={`validator ${action === "add" ? "approve" : "remove"} ${formatAddress(publicKey)}`}
        isSmall={isSmall}
      />
    );
  return (
    <div>
      <Button {...size} disabled={approver === undefined} onClick={(): void => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <ValidatorSheet action={action} publicKey={publicKey} onClose={(): void => setOpen(false)} />}
    </div>
  );
}
