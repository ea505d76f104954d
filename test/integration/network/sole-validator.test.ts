// Procedures of docs/operators.md with their commands, as one would type them, and wrong ones beside them, at a chain of one validator: the
// bond of a relay, copies, the way back to a block far below, and a new chain that begins there. The chain began weeks ago by its own clock.
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { readKey, type StoredKey } from "#node/config/files/key-store.ts";
import { readChainTip } from "#node/storage/folder-readers.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { pageCommands, runPageCommand } from "#test/support/cli/page-commands.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { agedNetworkOf, writePast } from "#test/support/nodes/aged-network.ts";
import { ProcessNetwork, ProcessNode } from "#test/support/nodes/process-network.ts";
import { runParley } from "#test/support/nodes/run-program.ts";
import { keyOf } from "#test/support/nodes/set-changes.ts";
import { deviceKey } from "#test/support/worlds/ledger-world.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A bond that was withdrawn so long ago can be fetched. */
const AGE_MS = 22 * DAY_MS;
/** More than the hundred that are taken back at once. */
const PAST_BLOCKS = 115;
const FAR_BELOW = 6;
const BOND_UT = 50_000_000;
const ADDRESS = "/ip4/81.2.69.142/tcp/4001";
const WAIT = { timeoutMs: 90_000, intervalMs: 100 };

let folder: TemporaryFolder;
let network: ProcessNetwork;
let node: ProcessNode;
let key = "";
const further: ProcessNode[] = [];
const inFolder = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await createTemporaryFolder("parley-sole-");
  const startMs = Math.floor((Date.now() - AGE_MS) / 1_000) * 1_000;
  network = await ProcessNetwork.create({ validators: 1, nodes: 0, isDirect: true, startMs });
  node = network.node(0);
  key = dataFolderPaths(node.dataDir).nodeKey;
  const faucet = readKey(dataFolderPaths(node.dataDir).faucetKey, "ed25519");
  if (faucet === undefined) throw new Error("a development network has a faucet");
  const own = keyOf(node);
  const timeOf = (height: number): number => startMs + height * MINUTE_MS;
  const transactions: Readonly<Record<number, Transaction>> = {
    1: signedAt(timeOf(1), faucet, { type: "TRANSFER", to: own.publicKey, amount: 4 * BOND_UT, payload: {} }),
    2: signedAt(timeOf(2), own, { type: "REGISTER_RELAY", payload: announced(BOND_UT) }),
    3: signedAt(timeOf(3), own, { type: "REGISTER_RELAY", payload: announced(0) }),
  };
  const past = Array.from({ length: PAST_BLOCKS }, (_, index) => {
    const transaction = transactions[index + 1];
    return { timeMs: timeOf(index + 1), transactions: transaction === undefined ? [] : [transaction] };
  });
  await writePast(agedNetworkOf(network), past);
  await node.start();
}, 120_000);
afterAll(async () => {
  for (const each of further) await each.end("SIGKILL");
  await network?.[Symbol.asyncDispose]();
  await folder?.remove();
});

function announced(bondUt: number): PayloadOf<"REGISTER_RELAY"> {
  return { x25519_pub_key: deviceKey(1), fee_per_msg_ut: 0, multiaddr: ADDRESS, bond_ut: bondUt };
}

function signedAt<T extends TransactionType>(nowMs: number, from: StoredKey, draft: Omit<TransactionDraft<T>, "from">): Transaction {
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
  const surroundings = { chainId: network.genesis.chain_id, nowMs, random };
  return signTransaction(buildTransaction({ ...draft, from: from.publicKey } as TransactionDraft<T>, surroundings), from.secret);
}

const heightOf = async ({ client }: ProcessNode): Promise<number> => (await client.getStatus({})).sync.height;
const balance = async (): Promise<number> => (await node.client.getAddress({ addr: keyOf(node).publicKey })).balance_ut;

/** The one sentence of a command that is refused. */
async function refusal(code: number, ...args: readonly string[]): Promise<string> {
  const result = await runParley(args);
  expect(result, result.stderr).toMatchObject({ code, stdout: "" });
  expect(result.stderr.trim().split("\n"), result.stderr).toHaveLength(1);
  return result.stderr;
}

/** Starts a node with another folder in the place of the first one, which does not run. */
async function startIn(dataDir: string, ...flags: readonly string[]): Promise<ProcessNode> {
  const started = new ProcessNode(0, { dataDir, url: node.baseUrl, isValidator: true });
  further.push(started);
  await started.start(flags);
  return started;
}

async function makesBlocks(at: ProcessNode): Promise<void> {
  const from = await heightOf(at);
  await at.client.requestFaucet({ body: { to: keyOf(node).publicKey, amount_ut: 1_000 } });
  await pollUntil(async () => (await heightOf(at)) > from, { ...WAIT, what: "a further block" });
}

describe("the bond of a relay", () => {
  const [lock, status, withdraw, ...rest] = pageCommands("operators.md", "## A relay that keeps mail", "### ");
  const at = (): readonly string[] => ["--node", node.baseUrl];
  const keyWord = (): Readonly<Record<string, string>> => ({ "data/keys/node-key.json": key });
  const bondOf = async (): Promise<unknown> => JSON.parse(await runPageCommand(status, keyWord(), ...at())).keeper;

  it("is fetched 21 days after it was withdrawn, once", async () => {
    expect(rest).toEqual([]);
    expect(await bondOf()).toMatchObject({ bond_ut: 0, withdrawn_ut: BOND_UT });
    const before = await balance();
    await runPageCommand(withdraw, keyWord(), ...at());
    expect(await balance()).toBeGreaterThan(before + BOND_UT - 10_000);
    expect(await refusal(1, "relay", "withdraw", "--key", key, ...at())).toContain("has no bond");
  });

  it("is locked and withdrawn again by the same commands, and costs no fee where it cannot be", async () => {
    const words = (bond: string): Readonly<Record<string, string>> => ({ ...keyWord(), ADDRESS, AMOUNT: bond });
    const announce = (bond: string): readonly string[] => [
      ...["relay", "register", "--key", key, "--relay-fee", "0", "--multiaddr", ADDRESS, "--bond", bond],
      ...at(),
    ];
    const before = await balance();
    expect(await refusal(1, ...announce("49T"))).toContain("is 50 T or more, not 49 T");
    expect(await refusal(1, ...announce("900T"))).toContain("are missing for a bond of 900 T");
    expect(await balance()).toBe(before);
    await runPageCommand(lock, words("50T"), ...at());
    await runPageCommand(lock, words("60T"), ...at());
    expect(await bondOf()).toMatchObject({ bond_ut: 60_000_000 });
    expect(await refusal(1, ...announce("50T"))).toContain("60 T are locked already");
    await runPageCommand(withdraw, keyWord(), ...at());
    expect(await bondOf()).toMatchObject({ bond_ut: 0, withdrawn_ut: 60_000_000 });
    expect(await refusal(1, "relay", "withdraw", "--key", key, ...at())).toContain("is locked until");
  });
});

describe("copies, and the way back", () => {
  it("copies the folder while its node runs, into an empty folder and no other", async () => {
    const [backup, check] = pageCommands("operators.md", "## A copy to start from", "## ");
    await runPageCommand(backup, { "/mnt/backup/2026-11-23": inFolder("copy"), DIR: node.dataDir });
    await runPageCommand(check, { "/mnt/backup/2026-11-23": inFolder("copy") });
    expect(await refusal(2, "backup", inFolder("copy"), "--data-dir", node.dataDir)).toContain("is not empty");
    expect(await refusal(2, "backup", join(node.dataDir, "copy"), "--data-dir", node.dataDir)).toContain("inside the data folder itself");
    expect(await refusal(2, "backup", inFolder("other"), "--data-dir", inFolder("nowhere"))).toContain("nowhere");
    expect(existsSync(inFolder("other"))).toBe(false);
    for (const command of [["rollback", "--to", "5"], ["check"]])
      expect(await refusal(3, ...command, "--data-dir", node.dataDir)).toContain("Another node uses the data folder");
  });

  it(
    "takes the only validator of a chain back in a copy without keys alone, and exports a block far below out of that",
    WHOLE_ONLY,
    async () => {
      expect(await node.end("SIGTERM")).toBe(0);
      const tip = readChainTip(node.dataDir)?.height ?? 0;
      const [backup, rollback, exportGenesis] = pageCommands("operators.md", "## Back to an earlier block", "## ");
      const far = String(FAR_BELOW);
      const back = (dir: string, to: string): readonly string[] => ["rollback", "--data-dir", dir, "--to", to];
      for (const to of [far, String(tip - 2)])
        expect(await refusal(6, ...back(node.dataDir, to))).toContain(`is the only validator of block ${Number(to) + 1} and has signed it`);
      expect(await refusal(2, ...back(node.dataDir, String(tip + 1)))).toContain("its newest block is below");
      const plan = { "parley-2": "parley-again", "pl1…": keyOf(node).publicKey, "new-chain": inFolder("new-chain") };
      const early = ["--data-dir", node.dataDir, "--chain-id", "parley-again", "--validator", keyOf(node).publicKey, "--out"];
      expect(await refusal(2, "export-genesis", ...early, inFolder("early"), "--height", far)).toContain(
        `${tip - 100} to ${tip}, not ${far}`,
      );
      expect(existsSync(inFolder("early"))).toBe(false);

      await runPageCommand(backup, { COPY: inFolder("bare") }, "--data-dir", node.dataDir);
      expect(readdirSync(inFolder("bare"))).not.toContain("keys");
      const rolled = await runPageCommand(rollback, { COPY: inFolder("bare"), HEIGHT: far });
      expect(JSON.parse(rolled)).toMatchObject({ from_height: tip, height: FAR_BELOW });
      expect(JSON.parse(await runPageCommand(rollback, { COPY: inFolder("bare"), HEIGHT: far }))).toMatchObject({ from_height: FAR_BELOW });
      const made = JSON.parse(await runPageCommand(exportGenesis, { COPY: inFolder("bare"), HEIGHT: far, ...plan }));
      expect(made).toMatchObject({ chain_id: "parley-again", previous: { height: FAR_BELOW } });
      const again = ["--data-dir", inFolder("bare"), "--chain-id", "parley-again", "--validator", keyOf(node).publicKey, "--out"];
      expect(await refusal(2, "export-genesis", ...again, inFolder("new-chain"))).toContain("name another folder with --out");
      const begun = await startNew();
      await makesBlocks(begun);
      expect((await begun.client.getGenesis({})).previous).toMatchObject({ height: FAR_BELOW });
      expect(await begun.end("SIGTERM")).toBe(0);
    },
  );

  /** A node of the exported chain, with the key and configuration of the old one. */
  async function startNew(): Promise<ProcessNode> {
    for (const name of ["keys", "config.json"]) cpSync(join(node.dataDir, name), inFolder(`new/${name}`), { recursive: true });
    return await startIn(inFolder("new"), "--genesis", inFolder("new-chain/genesis.json"));
  }

  it("does not start as a validator from a backup, and votes from a copy of the whole stopped folder", WHOLE_ONLY, async () => {
    expect(await refusal(6, "node", "--data-dir", inFolder("copy"))).toContain("the data folder is an old copy");
    cpSync(node.dataDir, inFolder("whole"), { recursive: true });
    const whole = await startIn(inFolder("whole"));
    await makesBlocks(whole);
    expect((await whole.client.getStatus({})).voting).toBe(true);
    expect(await whole.end("SIGTERM")).toBe(0);
  });
});
