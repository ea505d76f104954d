// What stops a light node, in words: no peer, no witness, a checkpoint that is needed, a fork.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import { CheckpointDialog } from "./checkpoint-dialog.tsx";
import { faultOf } from "./light-fault.ts";

/** The notice; nothing for other nodes and while all is well. On the desktop a checkpoint is given here, else where the node starts. */
export function LightNotice({ status }: { readonly status: NodeStatus }): ReactElement | null {
  const t = useMessages();
  const desktop = desktopApi();
  const [isAsking, setAsking] = useState(false);
  const fault = faultOf(status);
  if (fault === undefined) return null;
  const title = t(`node.light.${fault}.title`);
  if (fault !== "forked" && fault !== "expired")
    return (
      <Banner tone="warning" title={title}>
        {t(`node.light.${fault}.text`)}
      </Banner>
    );
  const text = t(`node.light.${fault}.text`);
  if (desktop === undefined)
    return (
      <Banner tone="danger" title={title}>
        {text} {t("node.light.checkpointFlag")}
      </Banner>
    );
  return (
    <Banner
      tone="danger"
      title={title}
      actions={
        <Button size="small" onClick={(): void => setAsking(true)}>
          {t("node.checkpointAction")}
        </Button>
      }
    >
      {text}
      <CheckpointDialog desktop={desktop} open={isAsking} onClose={(): void => setAsking(false)} />
    </Banner>
  );
}
