// One message for a group of 100 people on a real node: the writer in Chromium, the members on the chain with one or two devices each.
import { randomBytes, sign } from "node:crypto";
import { MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { toHex } from "#shared/util/bytes.ts";
import { openProfile } from "../../e2e/support/browser-profile.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { createTemporaryFolder } from "../../support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "../../support/nodes/start-node.ts";
import { type BenchAccount, createAccount } from "../load/accounts.ts";
import { fund, openEngine, processorOfChildren } from "./engine-page.ts";
import type { GroupTimes, GroupWriter } from "./group-page.ts";

/** What messages to the group cost. */
export interface GroupFigures extends GroupTimes {
  readonly members: number;
  /** Envelopes of one message. */
  readonly envelopes: number;
  /** Processor time of browser and node together, a message. */
  readonly processorMs: number;
}

/** Writes so many messages to a full group. */
export async function measureGroupFanOut(messages: number): Promise<GroupFigures> {
  await using folder = await createTemporaryFolder();
  await using node = await startNode({ dataDir: folder.path });
  await using profile = await openProfile();
  const writer = await openEngine<GroupWriter>(profile.page, node.baseUrl, "test/bench/browser/group-page.ts", "openWriter");
  const { members, devices } = await registerMembers(node, await writer.evaluate(({ masterPub }) => masterPub));
  await writer.evaluate((person) => person.link());
  const before = processorOfChildren();
  const times = await writer.evaluate((person, input) => person.measure(input.members, input.messages), { members, messages });
  const spent = processorOfChildren() - before;
  return { ...times, members: members.length + 1, envelopes: devices, processorMs: spent / (messages + 1) };
}

/** Puts the members with their devices on the chain, and gives the writer what listing a device costs. */
async function registerMembers(
  node: RunningNode,
  writer: string,
): Promise<{ readonly members: readonly string[]; readonly devices: number }> {
  const { chain_id: chainId } = await node.client.getNetworkInfo({});
  const members = Array.from({ length: MAX_GROUP_MEMBERS - 1 }, createAccount);
  await fund(node, [writer, ...members.map(({ publicKey }) => publicKey)]);
  const owners = members.flatMap((member, index) => (index % 2 === 0 ? [member] : [member, member]));
  for (const [index, owner] of owners.entries()) await linkDevice(node, owner, { chainId, name: `device ${index}` });
  const last = { master_pub: owners.at(-1)?.publicKey ?? "" };
  await pollUntil(async () => (await node.client.listDevices(last)).count > 0, { timeoutMs: 60_000 });
  return { members: members.map(({ publicKey }) => publicKey), devices: owners.length };
}

async function linkDevice(
  { client }: RunningNode,
  owner: BenchAccount,
  { chainId, name }: { readonly chainId: string; readonly name: string },
): Promise<void> {
  const payload = { x25519_pub_key: toHex(boxKeyPair(randomBytes(32)).publicKey), device_name: name };
  const context = { chainId, nowMs: Date.now(), random: (length: number): Uint8Array => randomBytes(length) };
  const unsigned = buildTransaction({ type: "LINK_DEVICE", from: owner.publicKey, payload }, context);
  const signature = sign(null, signedBytes(unsigned), owner.privateKey).toString("base64");
  await client.submitTransaction({ body: { ...unsigned, signature } });
}
