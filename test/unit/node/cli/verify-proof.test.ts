// parley verify-proof: what it says of files, good and hostile, without any node.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "#node/cli/program.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { createNodeClient } from "#shared/api/client.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { makePaymentProof } from "#shared/protocol/light/make-payment-proof.ts";
import { MAX_PAYMENT_PROOF_BYTES } from "#shared/protocol/light/payment-proof-file.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { type FakeCommandContext, fakeCommandContext } from "#test/support/cli/fake-command-context.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";
import { alice, bob, GENESIS, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const noNode = (): Promise<number> => Promise.reject(new Error("no node was asked for"));
const NOW_MS = START_MS + 86_400_000;
const OWN = genesisHash(GENESIS);

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  await using world = await createApiWorld();
  const client = createNodeClient({ baseUrl: "", fetch: injectFetch(world.server.app) });
  const { id } = await client.submitTransaction({
    body: signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1_500_000, payload: { memo: "for\u202e May" } }),
  });
  world.commit();
  const source = { genesis: GENESIS, payment: await client.proveTransaction({ txid: id }) };
  const rules = { verify: createNativeVerifier(), hash: nativeSha256, nowMs: NOW_MS };
  const made = await makePaymentProof({ ...source, proveBlock: (index) => client.proveBlock({ index }) }, rules);
  if ("problem" in made) throw new Error(made.problem);
  writeFileSync(join(folder.path, "proof.json"), made.text);
  writeFileSync(join(folder.path, "genesis.json"), JSON.stringify(GENESIS));
  writeFileSync(join(folder.path, "altered.json"), made.text.replace("1a0016e360", "1a0016e361"));
  writeFileSync(join(folder.path, "giant.json"), `${made.text}${" ".repeat(MAX_PAYMENT_PROOF_BYTES)}`);
});
afterAll(() => folder.remove());

async function run(name: string, ...options: readonly string[]): Promise<FakeCommandContext & { readonly code: number }> {
  const context = fakeCommandContext({ nowMs: NOW_MS });
  const code = await runCommandLine(["verify-proof", join(folder.path, name), ...options], context, noNode);
  return { ...context, code };
}

describe("parley verify-proof", () => {
  it("says what is proven, by whom and from where, and what is not", async () => {
    const { code, out } = await run("proof.json", "--genesis", join(folder.path, "genesis.json"));
    expect(code).toBe(0);
    const text = out.join("\n");
    for (const part of [
      "Proven: this payment is in block 1",
      "1.5 T",
      formatAddress(alice.pub),
      formatAddress(bob.pub),
      "1 of 1 validators",
      "Not proven:",
      "more than a third of those that you trust",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("\u202e");
  });

  it("takes the hash of the genesis or a block instead, and prints JSON", async () => {
    const { code, out } = await run("proof.json", "--genesis", OWN.toUpperCase(), "--json");
    const proven = JSON.parse(out.join("")) as { readonly block_hash: string };
    expect({ code, proven }).toMatchObject({
      code: 0,
      proven: { status: "proven", amount_ut: 1_500_000, block_index: 1, trusted_block_index: 0 },
    });
    const byBlock = ["--checkpoint", `1:${proven.block_hash}`];
    expect((await run("proof.json", ...byBlock)).out.join("\n")).toContain("block 1, ");
    expect(JSON.parse((await run("proof.json", ...byBlock, "--json")).out.join(""))).toMatchObject({
      status: "proven",
      genesis_hash: null,
    });
  });

  it.each([
    ["altered.json", ["--genesis", OWN], "it was altered"],
    ["giant.json", ["--genesis", OWN], "larger than 4 MiB"],
    ["genesis.json", ["--genesis", OWN], "no proof of payment"],
    ["proof.json", ["--genesis", "00".repeat(32)], "another network"],
    ["proof.json", ["--checkpoint", `7:${"00".repeat(32)}`], "newer than the payment"],
  ])("says in words why %s with %j proves nothing", async (name, options, words) => {
    const { code, err, out } = await run(name, ...options);
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err.join("\n")).toContain(words);
  });

  it.each([
    [["proof.json"], "Say what you trust"],
    [["proof.json", "--genesis", OWN, "--checkpoint", `1:${OWN}`], "Say what you trust"],
    [["none.json", "--genesis", OWN], "cannot be read"],
    [["proof.json", "--checkpoint", "x"], "is no checkpoint"],
  ])("refuses %j before anything is checked", async ([name = "", ...options], words) => {
    const { code, err } = await run(name, ...options);
    expect(code).toBe(2);
    expect(err.join("\n")).toContain(words);
  });

  it("reads a file of the wallet as it is", () => {
    expect(JSON.parse(readFileSync(join(folder.path, "proof.json"), "utf8"))).toMatchObject({
      format: "parley-payment-proof",
      version: 1,
      path: [],
    });
  });
});
