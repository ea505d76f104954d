// The new end of a linking over a real node, without an interface: the code, the digits, the chain's word, the vault.
import { createLinkHost } from "#renderer/lib/linking/link-host.ts";
import type { NodeAccess } from "#renderer/lib/node/access/node-access.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringAccount } from "#shared/keyring/keyring-api.ts";
import { enterLinkCode } from "#shared/linking/begin-link.ts";
import { LinkChannel } from "#shared/linking/link-channel.ts";
import { sessionMailboxes } from "#shared/linking/link-keys.ts";
import { SESSION_KINDS } from "#shared/linking/link-message.ts";
import { fromUtf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "../host/poll-until.ts";

/** A linking that shows its digits. */
export interface EnteredLink {
  readonly digits: string;
  /** Once the device was let in and its own node lists it: makes its vault. Resolves with the key of the linking. */
  finish(): Promise<{ readonly account: KeyringAccount; readonly session: Uint8Array }>;
}

/** Enters the code that another device shows. */
export async function enterLink(
  access: NodeAccess,
  {
    keyring,
    chainId,
    code,
    name,
    password,
  }: { readonly keyring: Keyring; readonly chainId: string; readonly code: string; readonly name: string; readonly password: string },
): Promise<EnteredLink> {
  const keys = await keyring.beginLink();
  const run = enterLinkCode(createLinkHost(access, chainId), code, { ...keys, name });
  const stateOf = (): ReturnType<typeof run.getSnapshot>["state"] => run.getSnapshot().state;
  const reach = (phase: "showing" | "granted"): Promise<boolean> =>
    pollUntil(() => stateOf().phase === phase, { timeoutMs: 60_000, what: `the new device to be ${phase}` });
  await reach("showing");
  const shown = stateOf();
  return {
    digits: shown.phase === "showing" ? shown.session.digits : "",
    finish: async (): ReturnType<EnteredLink["finish"]> => {
      await reach("granted");
      run.stop();
      const granted = stateOf();
      if (granted.phase !== "granted") throw new Error(`The linking is ${granted.phase}`);
      const { masterPub, certificate } = granted.grant;
      await pollUntil(
        async () => {
          const { devices } = await access.client.listDevices({ master_pub: masterPub });
          return devices.some(({ x25519_pub_key: key }) => key === keys.devicePub);
        },
        { timeoutMs: 60_000, what: "the chain to list the device" },
      );
      const { account } = await keyring.finishLink({ masterPub, certificate, chainId, password });
      if (account === null) throw new Error("no account");
      return { account, session: granted.session.key };
    },
  };
}

/** Everything that is handed over to a device under the key of its linking, as text. */
export async function takeEverything(access: NodeAccess, chainId: string, session: Uint8Array): Promise<string> {
  const channel = new LinkChannel(createLinkHost(access, chainId), {
    mailboxes: sessionMailboxes(session),
    side: "fresh",
    kinds: SESSION_KINDS,
  });
  const parts: string[] = [];
  let after = "";
  for (let isLast = false; !isLast; ) {
    // The end that let the device in may still read the mailbox: what it takes is asked for again.
    const part = await pollUntil(
      async () => {
        await channel.send({ kind: "want", after, window: 1 });
        return pollUntil(async () => (await channel.receive()).find((message) => message.kind === "part" && message.from === after), {
          timeoutMs: 3_000,
          intervalMs: 200,
        });
      },
      { timeoutMs: 60_000, what: "the next part" },
    );
    if (part.kind !== "part") throw new Error("no part");
    parts.push(fromUtf8(part.data));
    ({ next: after, isLast } = part);
  }
  await channel.send({ kind: "end", reason: "done" });
  return parts.join("\n");
}
