// A linked agent is a device of its person while the chain lists it. Once they unlinked it, no message is sealed for it any more.
import type { NodeClient } from "#shared/api/client.ts";
import type { LiveConnection } from "#shared/api/socket/websocket-client.ts";
import type { KeyringAccount } from "#shared/keyring/keyring-api.ts";

/** What the chain says of the account. */
export interface LinkSource {
  readonly client: Pick<NodeClient, "listDevices">;
  readonly live: Pick<LiveConnection, "state" | "onState" | "subscribe">;
}

/** Calls back once when the node lists the account's devices without this one; looks at each connection and each change of the devices. */
export function watchLink({ client, live }: LinkSource, { masterPub, devicePub }: KeyringAccount, onUnlinked: () => void): void {
  const stops: (() => void)[] = [];
  let isEnded = false;
  const look = async (): Promise<void> => {
    const { devices } = await client.listDevices({ master_pub: masterPub });
    if (isEnded || devices.some(({ x25519_pub_key: key }) => key === devicePub)) return;
    isEnded = true;
    for (const stop of stops) stop();
    onUnlinked();
  };
  // A node that cannot answer now is asked again at the next connection.
  const lookAgain = (): void => void look().catch(() => undefined);
  stops.push(
    live.onState((state) => {
      if (state === "open") lookAgain();
    }),
    live.subscribe(`account:${masterPub}`, ({ tx_type: type }) => {
      if (type.includes("DEVICE")) lookAgain();
    }),
  );
  if (live.state === "open") lookAgain();
}
