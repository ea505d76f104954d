// parley agent publish: the agent's message key on the chain, so that others can write to it. Each step costs a fee.
import { setTimeout as delay } from "node:timers/promises";
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { readLeastFee } from "#shared/api/reads/least-fee.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import { openAgentKeyring } from "../keyring/agent-keyring.ts";
import { followingClient } from "../network/followed-node.ts";
import type { NodeSource } from "../process-messages.ts";

const LOOK_MS = 500;
const COMMITTED_WITHIN_MS = 120_000;

/** Publishes what is missing; resolves with the transactions, none where all was there. @throws CodedError of keyring and node. */
export async function publishAgent(
  { dir, name, node }: { readonly dir: string; readonly name: string; readonly node: NodeSource },
  askPassword: () => Promise<string>,
): Promise<readonly string[]> {
  const agent = await openAgentKeyring(dir);
  const client = followingClient(node);
  try {
    const password = await askPassword();
    const { account } = await agent.keyring.unlock({ password });
    if (account === null) throw new CodedError("INVARIANT", "An open vault has no account");
    const { chain_id: chainId } = await client.getNetworkInfo({});
    const leastFeeUt = await readLeastFee(client);
    const fee = leastFeeUt === undefined ? {} : { leastFeeUt };
    const published: string[] = [];
    for (const intent of await missing(client, account, name)) {
      const { transaction } = await agent.keyring.sign({ intent, chainId, password, ...fee });
      await client.submitTransaction({ body: transaction });
      await untilCommitted(client, transaction.id);
      published.push(transaction.id);
    }
    return published;
  } finally {
    await agent.close();
  }
}

async function missing(
  client: NodeClient,
  { masterPub, devicePub }: { readonly masterPub: string; readonly devicePub: string },
  deviceName: string,
): Promise<readonly Intent[]> {
  const identity = await unlessUnknown(client.getIdentity({ pubkey: masterPub }));
  const devices = (await unlessUnknown(client.listDevices({ master_pub: masterPub })))?.devices ?? [];
  const isRegistered = identity !== undefined && identity.x25519_pub !== "";
  const isListed = devices.some(({ x25519_pub_key: key }) => key === devicePub);
  return [...(isRegistered ? [] : [{ kind: "registerKey" } as const]), ...(isListed ? [] : [{ kind: "linkDevice", deviceName } as const])];
}

async function untilCommitted(client: NodeClient, id: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < COMMITTED_WITHIN_MS; waitedMs += LOOK_MS) {
    const found = await unlessUnknown(readCommitted(client, id));
    if (found?.status === "failed") throw new CodedError("TX_REJECTED", `The transaction ${id} failed in its block`);
    if (found !== undefined) return;
    await delay(LOOK_MS);
  }
  throw new CodedError("UNAVAILABLE", `The transaction ${id} is in no block yet: look again with "parley tx ${id}"`);
}

async function unlessUnknown<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND") || (error instanceof HttpError && error.httpStatus === 404)) return undefined;
    throw error;
  }
}
