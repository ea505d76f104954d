// Makes the keys of this device and says hello under a code.
import { useMutation } from "@tanstack/react-query";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { createLinkHost } from "#renderer/lib/linking/link-host.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { deviceNameOf } from "#renderer/lib/profile/device-name.ts";
import { enterLinkCode, type NewDeviceRun } from "#shared/linking/begin-link.ts";
import { parseLinkCode } from "#shared/linking/link-code.ts";

/** A linking under way on the new device. */
export interface BegunLink {
  readonly run: NewDeviceRun;
  /** Key that the chain must list. */
  readonly devicePub: string;
}

/** The way to begin; the argument is the code as typed. */
export function useBeginLink(
  chainId: string | undefined,
  onBegun: (begun: BegunLink) => void,
): { begin(code: string): void; readonly error: Error | null; reset(): void; readonly isPending: boolean } {
  const keyring = useKeyring();
  const node = useNode();
  const mutation = useMutation({
    mutationFn: async (code: string): Promise<BegunLink> => {
      const known = chainId ?? (await node.client.getNetworkInfo({})).chain_id;
      parseLinkCode(code, known);
      const keys = await keyring.beginLink();
      const run = enterLinkCode(createLinkHost(node, known), code, { ...keys, name: deviceNameOf(navigator.userAgent) });
      return { run, devicePub: keys.devicePub };
    },
    onSuccess: onBegun,
  });
  return { begin: mutation.mutate, error: mutation.error, reset: mutation.reset, isPending: mutation.isPending };
}
