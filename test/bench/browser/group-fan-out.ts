// One message for a group of 100 people on a real node: the writer in Chromium, the members on the chain with one or two devices each, whose
// public cards are at the node.
import { randomBytes, sign } from "node:crypto";
import { MAX_GROUP_MEMBERS } from "#shared/protocol/groups/group-bounds.ts";
import { boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { PAIR_SIZES } from "#shared/protocol/pairs/pair-wire.ts";
import { publicCardNumber } from "#shared/protocol/pairs/public-card.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { openProfile } from "../../e2e/support/browser-profile.ts";
import { pollUntil } from "../../support/host/poll-until.ts";
import { createTemporaryFolder } from "../../support/host/temporary-folder.ts";
import { type RunningNode, startNode } from "../../support/nodes/start-node.ts";
import { publicCardOf } from "../../support/worlds/public-card-of.ts";
import { accountOfSeed, type BenchAccount } from "../load/accounts.ts";
import { fund, openEngine, processorOfChildren } from "./engine-page.ts";
import type { GroupWriter } from "./group-page.ts";
import { HandedEnvelopes } from "./handed-envelopes.ts";

/** Ciphertexts of envelopes under cards: each has the tag of its box. */
const BOX_BYTES: readonly number[] = PAIR_SIZES.map((size) => size + 16);

/** One message: milliseconds from the call until it is shown, until each member's first device has it, and until all devices have. */
export interface GroupMessage {
  readonly shownMs: number;
  readonly firstMs: number;
  readonly allMs: number;
  /** Of the requests that handed it in. */
  readonly bytes: number;
}

/** What messages to the group cost. */
export interface GroupFigures {
  readonly members: number;
  /** Envelopes of one message. */
  readonly envelopes: number;
  /** The first one, which looks up cards. */
  readonly first: GroupMessage;
  readonly messages: readonly GroupMessage[];
  /** Processor time of browser and node together, a message. */
  readonly processorMs: number;
}

interface Member extends BenchAccount {
  readonly seed: Uint8Array;
  readonly devices: readonly string[];
}

/** Writes so many messages to a full group. */
export async function measureGroupFanOut(messages: number): Promise<GroupFigures> {
  await using folder = await createTemporaryFolder();
  await using node = await startNode({ dataDir: folder.path });
  await using profile = await openProfile();
  const writer = await openEngine<GroupWriter>(profile.page, node.baseUrl, "test/bench/browser/group-page.ts", "openWriter");
  const members = await registerMembers(node, await writer.evaluate(({ masterPub }) => masterPub));
  await writer.evaluate((person) => person.link());
  const handed = new HandedEnvelopes(profile.page);
  const write = async (text: string): Promise<GroupMessage> => {
    handed.clear();
    const { writtenAt, shownAt } = await writer.evaluate((person, words) => person.write(words), text);
    const atMs = await untilHanded(handed, members);
    return { shownMs: shownAt - writtenAt, firstMs: atMs.first - writtenAt, allMs: atMs.all - writtenAt, bytes: handed.bytes };
  };
  await writer.evaluate(
    (person, keys) => person.begin(keys),
    members.map(({ publicKey }) => publicKey),
  );
  await untilHanded(handed, members);
  const first = await write("message -1");
  const before = processorOfChildren();
  const written: GroupMessage[] = [];
  for (let index = 0; index < messages; index += 1) written.push(await write(`message ${index}`));
  const processorMs = (processorOfChildren() - before) / messages;
  await writer.evaluate((person) => person.end());
  const envelopes = members.flatMap(({ devices }) => devices).length;
  return { members: members.length + 1, envelopes, first, messages: written, processorMs };
}

/** When one device of each member had an envelope, and all devices had one, milliseconds since 1970. Each is under a card. */
async function untilHanded(
  { envelopes }: HandedEnvelopes,
  members: readonly Member[],
): Promise<{ readonly first: number; readonly all: number }> {
  const timesOf = (): readonly (readonly (number | undefined)[])[] =>
    members.map(({ devices }) => devices.map((device) => envelopes.find(({ recipient }) => recipient === device)?.atMs));
  const isWhole = (): boolean => timesOf().every((times) => times.every((time) => time !== undefined));
  await pollUntil(isWhole, { timeoutMs: 120_000, what: "an envelope for each device" });
  const other = envelopes.find(({ boxBytes }) => !BOX_BYTES.includes(boxBytes));
  if (other !== undefined) throw new Error(`An envelope of ${other.boxBytes} bytes is not under a card`);
  const times = timesOf().map((ofMember) => ofMember.filter((time) => time !== undefined));
  return { first: Math.max(...times.map((ofMember) => Math.min(...ofMember))), all: Math.max(...times.flat()) };
}

/** Puts the members with their devices and cards on the node, and gives the writer what listing a device costs. */
async function registerMembers(node: RunningNode, writer: string): Promise<readonly Member[]> {
  const { chain_id: chainId } = await node.client.getNetworkInfo({});
  const members = Array.from({ length: MAX_GROUP_MEMBERS - 1 }, (_, index): Member => {
    const seed = randomBytes(32);
    const devices = Array.from({ length: 1 + (index % 2) }, () => toHex(boxKeyPair(randomBytes(32)).publicKey));
    return { ...accountOfSeed(seed), seed, devices };
  });
  await fund(node, [writer, ...members.map(({ publicKey }) => publicKey)]);
  for (const member of members) for (const device of member.devices) await linkDevice(node, member, { chainId, device });
  const last = members.at(-1);
  const lists = { master_pub: last?.publicKey ?? "" };
  await pollUntil(async () => (await node.client.listDevices(lists)).count === last?.devices.length, { timeoutMs: 60_000 });
  for (const member of members) for (const device of member.devices) await publishCard(node, member, { chainId, device });
  return members;
}

interface ListedDevice {
  readonly chainId: string;
  readonly device: string;
}

async function linkDevice({ client }: RunningNode, owner: Member, { chainId, device }: ListedDevice): Promise<void> {
  const payload = { x25519_pub_key: device, device_name: "bench" };
  const context = { chainId, nowMs: Date.now(), random: (length: number): Uint8Array => randomBytes(length) };
  const unsigned = buildTransaction({ type: "LINK_DEVICE", from: owner.publicKey, payload }, context);
  const signature = sign(null, signedBytes(unsigned), owner.privateKey).toString("base64");
  await client.submitTransaction({ body: { ...unsigned, signature } });
}

async function publishCard({ client }: RunningNode, { seed }: Member, { chainId, device }: ListedDevice): Promise<void> {
  const card = publicCardOf({ chainId, device, master: seed, number: publicCardNumber(Date.now()), height: 1 });
  await client.putCard({ device, body: { card: toBase64(card) } });
}
