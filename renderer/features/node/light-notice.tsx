// What stands in the way of a light node, in words: nobody connected, nobody who confirms, a checkpoint that is needed, a fork.
import type { ReactElement } from "react";
import { Banner } from "#renderer/components/banner.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import { troubleOf } from "./light-trouble.ts";

/** The notice; nothing for other nodes and while all is well. */
export function LightNotice({ status }: { readonly status: NodeStatus }): ReactElement | null {
  const t = useMessages();
  const trouble = troubleOf(status);
  if (trouble === undefined) return null;
  return (
    <Banner tone={trouble === "forked" || trouble === "expired" ? "danger" : "warning"} title={t(`node.light.${trouble}.title`)}>
      {t(`node.light.${trouble}.text`)}
    </Banner>
  );
}
