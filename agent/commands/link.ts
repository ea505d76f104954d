// parley agent init --link: a device that another one of the person links. It gets the messages, and neither the words nor the money.
import { setTimeout as delay } from "node:timers/promises";
import type { Terminal } from "#node/cli/session/terminal.ts";
import { openMessagesIn } from "#node/storage/messages/message-database.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { importStoreKeys } from "#shared/keyring/port.ts";
import { enterLinkCode, type NewDeviceRun } from "#shared/linking/begin-link.ts";
import { createLinkNode } from "#shared/messenger/node/link-node.ts";
import { storeDeviceTransfer } from "#shared/messenger/transfer/store-device-transfer.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import { openAgentKeyring } from "../keyring/agent-keyring.ts";
import { newAgentPassword, type PasswordSources } from "../keyring/password.ts";
import { followingClient, followingConnection } from "../network/followed-node.ts";
import { importStoreKey } from "../network/import-store-key.ts";
import type { NodeSource } from "../process-messages.ts";
import { identityOf, type MadeIdentity, neverLock, requireEmpty } from "./init.ts";

type NewDevicePhase = ReturnType<NewDeviceRun["getSnapshot"]>["state"];

const LOOK_MS = 1_000;
/** The transaction that lists the device is in a block within seconds. */
const LISTED_WITHIN_MS = 120_000;

/** Links a new folder. @throws CodedError LINK_CODE_INVALID, LINK_OTHER_NETWORK, DENIED in words, VAULT_EXISTS. */
export async function linkAgent(
  { dir, name, node }: { readonly dir: string; readonly name: string; readonly node: NodeSource },
  sources: PasswordSources & { readonly terminal: Terminal },
): Promise<MadeIdentity> {
  const agent = await openAgentKeyring(dir);
  const client = followingClient(node);
  const live = followingConnection(node);
  try {
    await requireEmpty(agent);
    const { terminal } = sources;
    const { chain_id: chainId } = await client.getNetworkInfo({});
    const password = await newAgentPassword(sources);
    const code = await terminal.askSecret("Code that your other device shows: ");
    if (code === undefined) throw new CodedError("CONFIG_INVALID", "The code is typed: run this at a terminal");
    const keys = await agent.keyring.beginLink();
    const host = { node: createLinkNode({ client, live }, chainId), clock: hostClock, random: hostRandom, timers: hostTimers };
    const run = enterLinkCode(host, code, { ...keys, name });
    const shown = await phaseOf(run, "showing");
    terminal.err(`Type these digits on your other device: ${shown.session.digits}`);
    const granted = await phaseOf(run, "granted");
    run.stop();
    const { masterPub, certificate } = granted.grant;
    await untilListed(client, masterPub, keys.devicePub);
    await agent.keyring.finishLink({ masterPub, certificate, chainId, password });
    await neverLock(agent, password);
    const storeKeys = await importStoreKeys(await agent.keyring.storeKeys(), importStoreKey);
    await storeDeviceTransfer(storeKeys, granted.session.key, openMessagesIn(dir));
    return identityOf(await agent.keyring.status());
  } finally {
    live.close();
    await agent.close();
  }
}

/** Waits for a phase. @throws CodedError when the linking ended. */
function phaseOf<Phase extends NewDevicePhase["phase"]>(
  run: NewDeviceRun,
  phase: Phase,
): Promise<Extract<NewDevicePhase, { readonly phase: Phase }>> {
  const { promise, resolve, reject } = Promise.withResolvers<Extract<NewDevicePhase, { readonly phase: Phase }>>();
  const look = (): void => {
    const { state } = run.getSnapshot();
    if (state.phase === phase) resolve(state as Extract<NewDevicePhase, { readonly phase: Phase }>);
    else if (state.phase === "ended") reject(new CodedError("UNAVAILABLE", `The linking has ended (${state.reason}): begin again`));
  };
  const stop = run.subscribe(look);
  look();
  return promise.finally(() => void stop());
}

async function untilListed(client: NodeClient, masterPub: string, devicePub: string): Promise<void> {
  const endMs = hostClock.monotonicMs() + LISTED_WITHIN_MS;
  while (hostClock.monotonicMs() < endMs) {
    try {
      const { devices } = await client.listDevices({ master_pub: masterPub });
      if (devices.some(({ x25519_pub_key: key }) => key === devicePub)) return;
    } catch (error) {
      if (!isCodedError(error)) throw error;
    }
    await delay(LOOK_MS);
  }
  throw new CodedError("UNAVAILABLE", "The chain does not list this device: link it again");
}
