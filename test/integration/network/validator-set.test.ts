// The validator set of real processes changes under load: a node is let in, another is removed by the others, one that signs two
// things is reported, pays and is out, and one leaves by itself. Before that it approves a change of the network, and takes it back.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Output } from "#shared/api/api.ts";
import { pageCommands, runPageCommand } from "#test/support/cli/page-commands.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { NetworkLoad } from "#test/support/nodes/network-load.ts";
import { findBroken, readMailboxes, untilIdle } from "#test/support/nodes/network-state.ts";
import { ProcessNetwork, type ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { approve, fund, haveSet, keyOf, signTwice } from "#test/support/nodes/set-changes.ts";

const [CANDIDATE, REMOVED, OFFENDER] = [4, 1, 3];
const BOND_UT = 1_000_000_000;
const WAIT = { timeoutMs: 60_000, intervalMs: 100 };

let network: ProcessNetwork;
let load: NetworkLoad;

const heightOf = async (node: ProcessNode): Promise<number> => (await node.client.getStatus({})).sync.height;
const modeOf = async (node: ProcessNode): Promise<string> => (await node.client.getStatus({})).mode;
const statsOf = (node: ProcessNode): Promise<Output<"getNodeStats">> =>
  network.node(0).client.getNodeStats({ pubkey: keyOf(node).publicKey });

async function grows(blocks: number): Promise<void> {
  const start = await heightOf(network.node(0));
  await pollUntil(async () => (await heightOf(network.node(0))) >= start + blocks, { ...WAIT, what: `${blocks} blocks after ${start}` });
}

/** A command with the key of a node, at that node, until it is in a block. */
async function run(node: ProcessNode, ...args: readonly string[]): Promise<void> {
  const key = join(node.dataDir, "keys", "node-key.json");
  const ended = await runParley([...args, "--key", key, "--node", node.baseUrl, "--wait", "--json"]);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  network = await ProcessNetwork.create({ validators: 4, nodes: 2, isDirect: true });
  await network.start();
  load = new NetworkLoad(network);
  await Promise.all(network.nodes.map((node) => readMailboxes(node, load)));
  // As in faults.test.ts: what is tried is the set, and each block has its transfers.
  await load.start(100);
  for (const index of [0, REMOVED, 2]) await fund(network, network.node(index), 1);
  await fund(network, network.node(CANDIDATE), 2);
});
afterAll(async () => {
  await load?.stop();
  await network?.[Symbol.asyncDispose]();
});

describe("a validator set under load", WHOLE_ONLY, () => {
  it("approves a change of the network with the commands of docs/operators.md, and takes it back", async () => {
    const [propose, show, cosign, cancel, ...rest] = pageCommands("operators.md", "## Changing the network", "## ");
    expect(rest).toEqual([]);
    type Command = typeof propose;
    const keyFile = (index: number): string => join(network.node(index).dataDir, "keys", "node-key.json");
    const as = async (index: number, command: Command, id?: string): Promise<Readonly<Record<string, unknown>>> => {
      const names = { "data/keys/node-key.json": keyFile(index), ...(id === undefined ? {} : { ID: id.slice(0, 8) }) };
      return JSON.parse(await runPageCommand(command, names, "--node", network.node(index).baseUrl));
    };
    const refused = async (index: number, ...args: readonly string[]): Promise<string> => {
      const result = await runParley(["upgrade", ...args, "--key", keyFile(index), "--node", network.node(index).baseUrl]);
      expect(result).toMatchObject({ code: 1, stdout: "" });
      return result.stderr;
    };
    const change = { set: { min_fee_ut: 2_000 } };
    const { proposal } = await as(0, propose);
    // Another one who proposes the same thing does not begin again.
    expect(await as(1, propose)).toMatchObject({ proposal });
    const shown = JSON.parse(await runPageCommand(show, {}, "--node", network.node(2).baseUrl));
    expect(shown.proposals).toMatchObject([{ ...change, id: proposal, approval_count: 2, approvals_required: 3 }]);
    expect(await refused(CANDIDATE, "cosign", String(proposal))).toContain("is no validator");
    expect(await as(2, cosign, String(proposal))).toMatchObject({ pending: change });
    expect((await network.node(OFFENDER).client.getStatus({})).upgrade).toMatchObject({ is_known: true });
    expect(await refused(0, "cosign", String(proposal))).toContain("Nothing is missing");
    const { proposal: cancelled } = await as(0, cancel);
    expect(await as(1, cancel)).toMatchObject({ proposal: cancelled });
    await as(2, cosign, String(cancelled));
    const { pending, proposals } = await network.node(0).client.getParams({});
    expect([pending, proposals]).toEqual([undefined, []]);
    expect(await refused(0, "propose", "--cancel")).toContain("nothing to cancel");
  });

  it("takes in a follower that asked and that the others approved, which votes and proposes by itself", async () => {
    const candidate = network.node(CANDIDATE);
    expect(await modeOf(candidate)).toBe("full");
    await run(candidate, "validator", "request");
    for (const index of [0, 1]) await run(network.node(index), "validator", "approve", keyOf(candidate).publicKey);
    await haveSet(network, [0, 1, 2, 3]);
    await run(network.node(2), "validator", "approve", keyOf(candidate).publicKey);
    await haveSet(network, [0, 1, 2, 3, CANDIDATE]);
    await pollUntil(async () => (await modeOf(candidate)) === "validator", { ...WAIT, what: "the node to be a validator" });
    const isAtWork = ({ validator, blocks_produced }: Output<"getNodeStats">): boolean =>
      (validator?.commits_signed ?? 0) > 5 && blocks_produced > 0;
    await pollUntil(async () => isAtWork(await statsOf(candidate)), { ...WAIT, what: "votes and blocks of the new validator" });
  });

  it("removes one that the others want out, which follows from then on", async () => {
    const removed = network.node(REMOVED);
    await run(network.node(0), "validator", "remove", keyOf(removed).publicKey);
    for (const index of [2, OFFENDER]) await approve(network, { node: network.node(index), type: "REMOVE_VALIDATOR", target: removed });
    await haveSet(network, [0, REMOVED, 2, OFFENDER, CANDIDATE]);
    await approve(network, { node: network.node(CANDIDATE), type: "REMOVE_VALIDATOR", target: removed });
    await haveSet(network, [0, 2, OFFENDER, CANDIDATE]);
    await pollUntil(async () => (await modeOf(removed)) === "full", { ...WAIT, what: "the node to be none" });
    await grows(5);
  });

  it("reports one whose key signs two votes for one height, takes its seat and some of its bond, and continues", async () => {
    const offender = network.node(OFFENDER);
    const before = await heightOf(network.node(0));
    // Its own process would receive the two votes as well, and report itself as soon as the others do.
    await offender.end("SIGKILL");
    await signTwice(network, offender);
    await offender.start();
    await haveSet(network, [0, 2, CANDIDATE]);
    const stats = await statsOf(offender);
    expect(stats.slash_count).toBeGreaterThan(0);
    expect(stats.validator?.in_set).toBe(false);
    expect(stats.validator?.bond_ut).toBeLessThan(BOND_UT);
    const others = network.nodes.filter((node) => node !== offender).map((node) => keyOf(node).publicKey);
    const reporters = await reportersSince(before);
    expect(reporters.length).toBeGreaterThan(0);
    for (const reporter of reporters) expect(others).toContain(reporter);
    await grows(5);
  });

  it("lets one leave that wants to", async () => {
    const leaving = network.node(CANDIDATE);
    await run(leaving, "validator", "leave");
    await haveSet(network, [0, 2]);
    await pollUntil(async () => (await modeOf(leaving)) === "full", { ...WAIT, what: "the node to be none" });
    await grows(5);
  });

  it("has lost nothing and agrees on everything afterwards", async () => {
    await load.stop();
    const height = await untilIdle(network);
    expect(load.placements.size).toBeGreaterThan(100);
    expect(await findBroken(network, load, height)).toEqual([]);
    expect(await Promise.all(network.nodes.map(modeOf))).toEqual(["validator", "full", "validator", "full", "full", "full"]);
  });
});

/** Who sent the reports in the blocks after a height. */
async function reportersSince(height: number): Promise<readonly string[]> {
  const reporters: string[] = [];
  const { client } = network.node(0);
  const tip = await heightOf(network.node(0));
  for (let index = height + 1; index <= tip; index += 1) {
    // A node under load may have no time for a block at once.
    const { transactions } = await pollUntil(() => client.getBlock({ index }), { ...WAIT, what: `block ${index}` });
    for (const { type, from } of transactions) if (type === "SLASH") reporters.push(from);
  }
  return reporters;
}
