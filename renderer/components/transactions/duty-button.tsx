// A button for what needs the key of the own node. The command that does the same in a browser, which cannot ask for it, and where a signer
// has the key.
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { keyFlags, type OwnNode } from "#renderer/lib/node/use-own-node.ts";
import type { NodeDuty } from "#shared/desktop/node-duty.ts";
import { Button } from "../controls/button.tsx";
import { Copyable } from "../people/copyable.tsx";
import { useNodeDuty } from "./use-node-duty.ts";

export interface DutyButtonProps {
  readonly node: Pick<OwnNode, "desktop" | "signerKey">;
  readonly duty: NodeDuty;
  readonly label: string;
  /** Words of the command line behind `parley`, without the key. */
  readonly command: string;
  readonly isPrimary?: boolean;
  readonly isSmall?: boolean;
}

/** The button, or the command. */
export function DutyButton({ node, duty, label, command, isPrimary = false, isSmall = false }: DutyButtonProps): ReactElement {
  const t = useMessages();
  const ask = useNodeDuty(node.desktop);
  const isAtSigner = node.signerKey !== undefined;
  if (node.desktop === undefined || isAtSigner)
    return (
      <p className={shared.hint}>
        {t(isAtSigner ? "node.bySigner" : "node.byCommand", { action: label })}{" "}
        <Copyable text={`parley ${command} ${keyFlags(node)}`} label={t("node.copyCommand")} />
      </p>
    );
  return (
    <div className={shared.buttons}>
      <Button
        variant={isPrimary ? "primary" : "secondary"}
        {...(isSmall && { size: "small" as const })}
        busy={ask.isPending}
        onClick={(): void => ask.mutate(duty)}
      >
        {label}
      </Button>
    </div>
  );
}
