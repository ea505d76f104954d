// What the page makes of a deployed module: sources that fit their manifest, or none.
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inflate } from "#renderer/lib/node/access/inflate.ts";
import { type PublishedContract, readPublishedContract } from "#renderer/lib/node/access/published-contract.ts";
import type { DeploymentClient } from "#shared/api/reads/known-transaction.ts";
import {
  BUILD_SECTION,
  MAX_PUBLISHED_BYTES,
  SOURCE_SECTION,
  sourceHash,
  sourcesJson,
  withCustomSection,
} from "#shared/content/contract-source.ts";
import { buildTransaction, signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { deployedContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromBase64, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { buildModule } from "#test/support/vm/wasm-builder.ts";
import { alice } from "#test/support/worlds/ledger-world.ts";

const CHAIN = "test-chain";
const MODULE = buildModule({ functions: [{ code: [], export: "run" }] });
const FILES = new Map([["contract.ts", "export const NAME = 'a';"]]);
const MANIFEST = {
  ...{ format: 1, language: "as", compiler: "assemblyscript 0.28.20", options: ["-Oz"], memory_pages: 8, sdk: "ab".repeat(32) },
  sources: Object.fromEntries([...FILES].map(([path, text]) => [path, sourceHash(text)])),
};
const ABI = JSON.stringify({ contract: "a", version: "1", methods: [] });

const built = withCustomSection(MODULE, BUILD_SECTION, utf8(JSON.stringify(MANIFEST)));
const withSource = (files: ReadonlyMap<string, string>): Uint8Array =>
  withCustomSection(built, SOURCE_SECTION, deflateRawSync(sourcesJson(files)));

/** A node that tells of a deployment; `shown` is the module that it shows in place of the signed one. */
function deployed(code: Uint8Array, shown = code): { readonly client: DeploymentClient; readonly id: string } {
  const payload = (module: Uint8Array): { wasm_b64: string; abi_json: string; gas_limit: number } => ({
    wasm_b64: toBase64(module),
    abi_json: ABI,
    gas_limit: 1_000_000,
  });
  const context = { chainId: CHAIN, nowMs: 1_767_225_600_000, random: (length: number): Uint8Array => new Uint8Array(length) };
  const make = (module: Uint8Array): ReturnType<typeof signTransaction> =>
    signTransaction(buildTransaction({ type: "DEPLOY_CONTRACT", from: alice.pub, payload: payload(module) }, context), alice.seed);
  const tx = make(code);
  const id = deployedContractId(alice.pub, tx.id);
  const entry = { id: tx.id, type: "DEPLOY_CONTRACT", from: alice.pub };
  const detail = {
    ...entry,
    ...{ to: "", amount_ut: 0, fee_ut: tx.fee, gas_fee_ut: 0, time: tx.timestamp, block_index: 7 },
    payload_hex: toHex(fromBase64(make(shown).payload ?? "")),
  };
  const client = {
    getContract: async () => ({ deployed_at: 7, abi_json: ABI }),
    getBlock: async () => ({ transactions: [{ id: "tx0", type: "TRANSFER", from: alice.pub }, entry] }),
    getTransaction: async () => detail,
    getNetworkInfo: async () => ({ chain_id: CHAIN }),
  } as unknown as DeploymentClient;
  return { client, id };
}

async function published(code: Uint8Array, shown?: Uint8Array): Promise<PublishedContract> {
  const { client, id } = deployed(code, shown);
  return await readPublishedContract(client, id);
}

describe("a published contract", () => {
  it("has the sources of its manifest, and a module that its ids prove", async () => {
    expect(await published(withSource(FILES))).toMatchObject({
      isProven: true,
      isMismatch: false,
      files: FILES,
      manifest: MANIFEST,
      lines: undefined,
    });
  });

  it("has none that differ from its manifest in a byte, or are not in it", async () => {
    for (const files of [
      new Map([["contract.ts", "export const NAME = 'b';"]]),
      new Map([...FILES, ["more.ts", ""]]),
      new Map<string, string>(),
    ])
      expect(await published(withSource(files))).toMatchObject({ files: undefined, isMismatch: true });
  });

  it("may have a manifest alone, or nothing", async () => {
    expect(await published(built)).toMatchObject({ files: undefined, isMismatch: false, manifest: MANIFEST });
    expect(await published(MODULE)).toMatchObject({ files: undefined, isMismatch: false, manifest: undefined });
  });

  it("is not proven where the node shows another module than was signed", async () => {
    expect(await published(built, withSource(FILES))).toMatchObject({ isProven: false });
  });

  it("is missing where its block has no such deployment", async () => {
    const { client } = deployed(built);
    await expect(readPublishedContract(client, "0123456789abcdef")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("inflating in the browser", () => {
  it("ends at its bound, and at what is no deflate", async () => {
    expect(await inflate(deflateRawSync(utf8("x".repeat(100))), 100)).toEqual(utf8("x".repeat(100)));
    expect(await inflate(deflateRawSync(utf8("x".repeat(101))), 100)).toBeUndefined();
    expect(await inflate(deflateRawSync(new Uint8Array(64 * MAX_PUBLISHED_BYTES)), MAX_PUBLISHED_BYTES)).toBeUndefined();
    expect(await inflate(utf8("no deflate"), 100)).toBeUndefined();
  });
});
