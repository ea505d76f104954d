// The golden vectors: current, and right by code that shares nothing with the program (node:crypto, tweetnacl, a second CBOR
// encoder, a second bech32m decoder, plain JSON).
import { createHash, createPrivateKey, createPublicKey, diffieHellman, type KeyObject, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hsalsa, xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import nacl from "tweetnacl";
import { describe, expect, it } from "vitest";
import { errorsDocument } from "#build/scripts/documents/errors-document.ts";
import { protocolVectors } from "#build/scripts/documents/protocol-vectors.ts";
import { decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { decodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8");

interface TransactionFields {
  readonly id: string;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly fee: number;
  readonly payload: string;
  readonly timestamp: string;
  readonly signature: string;
}
interface TransactionVector {
  readonly name: string;
  readonly seed: string;
  readonly salt: string | null;
  readonly tx: TransactionFields;
  readonly canonical_text: string;
  readonly sign_bytes: string;
  readonly signed_bytes: string;
  readonly encoded: string;
}
interface SignedVector {
  readonly height: number;
  readonly round: number;
  readonly block_hash: string | null;
  readonly sign_bytes: string;
  readonly signature: string;
}
interface ReceiptFields {
  readonly txId: string;
  readonly isOk: boolean;
  readonly code: string;
  readonly feeUt: number;
  readonly gasUsed: number;
  readonly logs: readonly { readonly contractId: string; readonly message: string }[];
  readonly touched: readonly string[];
}
type SignedPart = number | string | null | { readonly hex: string } | readonly SignedPart[];

interface Vectors {
  readonly chain_id: string;
  readonly keys: readonly { readonly seed: string; readonly public_key: string; readonly address: string }[];
  readonly x25519_keys: readonly { readonly secret: string; readonly public_key: string }[];
  readonly amounts: readonly { readonly amount_ut: number; readonly text: string }[];
  readonly timestamps: readonly { readonly text: string; readonly time_ms: number | null }[];
  readonly domains: readonly { readonly purpose: string; readonly value: readonly unknown[]; readonly bytes: string }[];
  readonly transactions: readonly TransactionVector[];
  readonly authorisations: readonly {
    readonly purpose: string;
    readonly value: readonly SignedPart[];
    readonly sign_bytes: string;
    readonly seed: string;
    readonly signature_base64: string;
  }[];
  readonly contracts: {
    readonly native: Readonly<Record<string, string>>;
    readonly deployed: { readonly deployer: string; readonly tx_id: string; readonly contract_id: string };
  };
  readonly reward_id: { readonly height: number; readonly id: string };
  readonly receipts: { readonly list: readonly { readonly receipt: ReceiptFields; readonly encoded: string }[]; readonly root: string };
  readonly genesis: {
    readonly json: {
      readonly validators: readonly { readonly pub_key: string; readonly bond_ut: number }[];
      readonly params: Readonly<Record<string, number>>;
    };
    readonly hash: string;
    readonly params_hash: string;
    readonly changed_params: Readonly<Record<string, number>>;
    readonly changed_params_hash: string;
    readonly validators_hash: string;
    readonly supply_ut: number;
  };
  readonly chain: {
    readonly header: Readonly<Record<string, string | number>>;
    readonly header_encoded: string;
    readonly header_hash: string;
    readonly block_transactions: readonly string[];
    readonly block_evidence: readonly string[];
    readonly block_encoded: string;
    readonly first_block_encoded: string;
  };
  readonly votes: {
    readonly seed: string;
    readonly votes: readonly (SignedVector & { readonly type: string })[];
    readonly proposals: readonly (SignedVector & { readonly valid_round: number })[];
    readonly commit: {
      readonly height: number;
      readonly round: number;
      readonly block_hash: string;
      readonly bitmap: string;
      readonly signatures: readonly string[];
      readonly encoded: string;
      readonly hash: string;
    };
  };
  readonly envelope: {
    readonly sender_secret: string;
    readonly recipient_secret: string;
    readonly plaintext: string;
    readonly envelope: Readonly<Record<string, string>>;
    readonly fee_authorisation: {
      readonly fee_ut: number;
      readonly sign_bytes: string;
      readonly seed: string;
      readonly signature_base64: string;
    };
  };
}

const vectors = JSON.parse(read("test/vectors/protocol.json")) as Vectors;
const hex = (text: string): Buffer => Buffer.from(text, "hex");
const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash("sha256").update(Buffer.concat(parts)).digest();
const wrap = (oid: string, seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([hex(`302e020100300506032b65${oid}04220420`), seed]), format: "der", type: "pkcs8" });
const ed25519 = (seed: string): KeyObject => wrap("70", hex(seed));
const rawPublic = (key: KeyObject): string =>
  Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url").toString("hex");
const x25519Secret = (secret: string): KeyObject => wrap("6e", hex(secret));
const x25519Public = (key: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([hex("302a300506032b656e032100"), hex(key)]), format: "der", type: "spki" });

/** RFC 6962 §2.1 as its text says it. */
function treeRoot(leaves: readonly Uint8Array[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), only);
  let k = 1;
  while (k < leaves.length) k *= 2;
  k /= 2;
  return sha256(Buffer.of(1), treeRoot(leaves.slice(0, k)), treeRoot(leaves.slice(k)));
}

/** Bech32m decoder after BIP-350, by polynomial division. */
function decodeBech32m(text: string): { readonly prefix: string; readonly bytes: Buffer } | undefined {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  const at = lower.lastIndexOf("1");
  const prefix = lower.slice(0, at);
  const values = [...lower.slice(at + 1)].map((c) => "qpzry9x8gf2tvdw0s3jn54khce6mua7l".indexOf(c));
  const expanded = [...[...prefix].map((c) => c.charCodeAt(0) >> 5), 0, ...[...prefix].map((c) => c.charCodeAt(0) & 31), ...values];
  let checksum = 1;
  for (const value of expanded) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].entries())
      if ((top >> bit) & 1) checksum ^= generator;
  }
  if (at < 1 || values.includes(-1) || checksum >>> 0 !== 0x2bc830a3) return undefined;
  const bits = values
    .slice(0, -6)
    .map((value) => value.toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return { prefix, bytes: Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))) };
}

function expectSignature(seed: string, message: Buffer, signature: Buffer): void {
  expect(sign(null, message, ed25519(seed)).equals(signature)).toBe(true);
  expect(verify(null, message, createPublicKey(ed25519(seed)), signature)).toBe(true);
  expect(Buffer.from(nacl.sign.detached(message, nacl.sign.keyPair.fromSeed(hex(seed)).secretKey)).equals(signature)).toBe(true);
}

const domain = (name: string, value: unknown): Buffer =>
  Buffer.concat([Buffer.from(`parley-${name}\n${vectors.chain_id}\n`), miniCbor(value)]);
const transactionArray = (tx: TransactionFields): readonly unknown[] => [
  tx.id,
  tx.type,
  hex(tx.from),
  hex(tx.to),
  tx.amount,
  tx.fee,
  Buffer.from(tx.payload, "base64"),
  tx.timestamp,
  Buffer.from(tx.signature, "base64"),
];
const canonical = (tx: TransactionFields, id = tx.id): string => {
  const { type, from, to, amount, fee, payload, timestamp } = tx;
  return JSON.stringify({ id, type, from, to, amount, fee, payload, timestamp });
};
const HEADER_HASHES =
  "parentHash lastCommitHash txRoot stateRoot receiptsRoot validatorsHash nextValidatorsHash paramsHash evidenceRoot proposer".split(" ");
const headerArray = (header: Vectors["chain"]["header"]): readonly unknown[] => [
  header.version,
  header.chainId,
  header.height,
  header.timeMs,
  ...HEADER_HASHES.map((name) => hex(String(header[name]))),
  header.txCount,
];
const { commit } = vectors.votes;
const commitArray = [commit.height, commit.round, hex(commit.block_hash), hex(commit.bitmap), commit.signatures.map(hex)];

describe("committed files", () => {
  it("test/vectors/protocol.json is what `npm run vectors` writes", () => {
    expect(vectors).toEqual(JSON.parse(JSON.stringify(protocolVectors())));
  });

  it("docs/errors.md is what `npm run vectors` writes", () => {
    expect(read("docs/errors.md")).toBe(errorsDocument());
  });
});

describe("keys and addresses", () => {
  it.each([
    "A1LQFN3A",
    "a1lqfn3a",
    "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
    "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
    "?1v759aa",
  ])("the second decoder accepts BIP-350's %s", (text) => expect(decodeBech32m(text)).toBeDefined());

  it.each(["y1b0jsk6g", "M1VUXWEZ", "16plkw9", "au1s5cgom"])("the second decoder refuses BIP-350's %s", (text) =>
    expect(decodeBech32m(text)).toBeUndefined(),
  );

  it.each(vectors.keys)("Ed25519 $public_key", ({ seed, public_key, address }) => {
    expect(rawPublic(ed25519(seed))).toBe(public_key);
    expect(Buffer.from(nacl.sign.keyPair.fromSeed(hex(seed)).publicKey).toString("hex")).toBe(public_key);
    const decoded = decodeBech32m(address);
    expect([decoded?.prefix, decoded?.bytes.toString("hex"), address.length]).toEqual(["pl", public_key, 61]);
  });

  it.each(vectors.x25519_keys)("X25519 $public_key", ({ secret, public_key }) => {
    expect(rawPublic(x25519Secret(secret))).toBe(public_key);
  });
});

describe("texts", () => {
  it.each(vectors.amounts)("$amount_ut µT is $text", ({ amount_ut, text }) => {
    const [whole = "", fraction = ""] = text.replace(" T", "").split(".");
    expect(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, "0"))).toBe(BigInt(amount_ut));
    expect(text).toMatch(/^\d+(\.\d{0,5}[1-9])? T$/);
  });

  it.each(vectors.timestamps)("$text is $time_ms", ({ text, time_ms }) => {
    expect(isExact(text)).toBe(time_ms !== null);
    if (time_ms !== null) expect(time_ms).toBe(Date.parse(text));
  });
});

/** True for a text that a Date writes back as it is, from 1970 on. */
function isExact(text: string): boolean {
  const time = Date.parse(text);
  return time >= 0 && `${new Date(time).toISOString().slice(0, 19)}Z` === text;
}

/** Names of domains that are not those of their purposes. */
const DOMAIN_NAMES: Readonly<Record<string, string>> = { webSocket: "ws", publicCard: "public" };

describe("signatures of purpose", () => {
  it.each(vectors.domains)("domain of $purpose", ({ purpose, value, bytes }) => {
    expect(domain(DOMAIN_NAMES[purpose] ?? purpose, value).toString("hex")).toBe(bytes);
  });

  it.each(vectors.authorisations)("$purpose over $value", ({ purpose, value, sign_bytes, seed, signature_base64 }) => {
    const read = (part: SignedPart): unknown => {
      if (Array.isArray(part)) return part.map(read);
      return typeof part === "object" && part !== null && "hex" in part ? hex(part.hex) : part;
    };
    const parts = value.map(read);
    const bytes = domain(purpose, parts);
    expect(bytes.toString("hex")).toBe(sign_bytes);
    expectSignature(seed, bytes, Buffer.from(signature_base64, "base64"));
  });

  it.each(vectors.votes.votes)("$type for $block_hash", (vote) => {
    const hash = vote.block_hash === null ? null : hex(vote.block_hash);
    const bytes = domain("vote", [vote.type === "prevote" ? 1 : 2, vote.height, vote.round, hash]);
    expect(bytes.toString("hex")).toBe(vote.sign_bytes);
    expectSignature(vectors.votes.seed, bytes, hex(vote.signature));
  });

  it.each(vectors.votes.proposals)("proposal with valid round $valid_round", (proposal) => {
    const bytes = domain("proposal", [proposal.height, proposal.round, proposal.valid_round, hex(proposal.block_hash ?? "")]);
    expect(bytes.toString("hex")).toBe(proposal.sign_bytes);
    expectSignature(vectors.votes.seed, bytes, hex(proposal.signature));
  });

  it("commit", () => {
    expect(miniCbor(commitArray).toString("hex")).toBe(commit.encoded);
    expect(sha256(hex(commit.encoded)).toString("hex")).toBe(commit.hash);
    const message = domain("vote", [2, commit.height, commit.round, hex(commit.block_hash)]);
    for (const [index, n] of ["02", "09"].entries()) expectSignature(n.repeat(32), message, hex(commit.signatures[index] ?? ""));
  });
});

describe("transactions", () => {
  it.each(vectors.transactions)("$name", ({ seed, salt, tx, ...vector }) => {
    expect(vector.canonical_text).toBe(canonical(tx));
    expect(hex(vector.sign_bytes).toString("utf8")).toBe(canonical(tx));
    const withoutId = Buffer.from(canonical(tx, ""));
    if (salt !== null)
      expect(tx.id).toBe(`tx1${salt}${sha256(Buffer.from(`${vectors.chain_id}\0`), hex(salt), withoutId).toString("hex")}`);
    const message = salt === "0000000000000000" ? withoutId : Buffer.from(canonical(tx));
    expect(vector.signed_bytes).toBe(message.toString("hex"));
    expectSignature(seed, message, Buffer.from(tx.signature, "base64"));
    expect(miniCbor(transactionArray(tx)).toString("hex")).toBe(vector.encoded);
    expect(decodeTransaction(hex(vector.encoded))).toEqual(tx);
    expect(typeof JSON.parse(Buffer.from(tx.payload, "base64").toString() || "{}")).toBe("object");
  });

  it("contract ids are the first 8 bytes of a hash", () => {
    const { native, deployed } = vectors.contracts;
    const idOf = (...parts: readonly Uint8Array[]): string =>
      sha256(...parts)
        .subarray(0, 8)
        .toString("hex");
    for (const [name, id] of Object.entries(native)) expect(idOf(Buffer.from(`native:${name}`))).toBe(id);
    expect(Object.keys(native)).toEqual(["username_registry", "tokens", "nfts", "escrow"]);
    expect(idOf(hex(deployed.deployer), Buffer.from(deployed.tx_id))).toBe(deployed.contract_id);
  });

  it("the reward's id names its height", () => {
    expect(vectors.reward_id).toEqual({ height: 12, id: "reward-12" });
  });

  it("receipts and their root", () => {
    const leaves = vectors.receipts.list.map(({ receipt, encoded }) => {
      const logs = receipt.logs.map(({ contractId, message }) => [contractId, message]);
      const bytes = miniCbor([receipt.txId, receipt.isOk, receipt.code, receipt.feeUt, receipt.gasUsed, logs, receipt.touched.map(hex)]);
      expect(bytes.toString("hex")).toBe(encoded);
      return bytes;
    });
    expect(treeRoot(leaves).toString("hex")).toBe(vectors.receipts.root);
  });
});

describe("genesis and blocks", () => {
  const { genesis, chain } = vectors;

  it("genesis hash is over the JSON with sorted keys and no white space", () => {
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      );
    };
    expect(sha256(Buffer.from(JSON.stringify(sorted(genesis.json)))).toString("hex")).toBe(genesis.hash);
    expect(genesis.supply_ut).toBe(12_000_000);
  });

  it("parameters and validators", () => {
    const { params, validators } = genesis.json;
    const list = [params.block_reward_ut, params.min_block_interval_ms, params.heartbeat_interval_ms, params.validator_bond_ut];
    expect(sha256(miniCbor(list)).toString("hex")).toBe(genesis.params_hash);
    const { changed_params: changed } = genesis;
    const limits = [changed.max_block_bytes, changed.max_block_txs, changed.max_block_gas, changed.min_fee_ut];
    const all = [...list, ...limits, changed.retention_s, changed.version];
    expect(all).toEqual([50_000, 50, 60_000, 1_000_000, 4_194_304, 4_096, 100_000_000, 2_000, 1_814_400, 3]);
    expect(sha256(miniCbor(all)).toString("hex")).toBe(genesis.changed_params_hash);
    const byKey = [...validators].sort((a, b) => Buffer.compare(hex(a.pub_key), hex(b.pub_key)));
    expect(byKey).not.toEqual(validators);
    expect(treeRoot(byKey.map(({ pub_key, bond_ut }) => miniCbor([hex(pub_key), bond_ut]))).toString("hex")).toBe(genesis.validators_hash);
  });

  it("header", () => {
    expect(miniCbor(headerArray(chain.header)).toString("hex")).toBe(chain.header_encoded);
    expect(sha256(hex(chain.header_encoded)).toString("hex")).toBe(chain.header_hash);
  });

  it("block", () => {
    const txs = chain.block_transactions.map((name) => vectors.transactions.find((vector) => vector.name === name)?.tx);
    const arrays = txs.map((tx) => (tx === undefined ? [] : transactionArray(tx)));
    const header = headerArray(chain.header);
    expect(miniCbor([header, arrays, chain.block_evidence.map(hex), commitArray]).toString("hex")).toBe(chain.block_encoded);
    expect(miniCbor([header, [], [], null]).toString("hex")).toBe(chain.first_block_encoded);
    expect(treeRoot(arrays.map(miniCbor)).toString("hex")).toBe(chain.header.txRoot);
    expect(treeRoot([]).toString("hex")).toBe(chain.header.evidenceRoot);
    for (const encoded of [chain.block_encoded, chain.first_block_encoded])
      expect(Buffer.from(encodeBlock(decodeBlock(hex(encoded)))).toString("hex")).toBe(encoded);
  });
});

describe("envelopes", () => {
  const { envelope, ...vector } = vectors.envelope;
  const nonce = Buffer.from(envelope.nonce ?? "", "base64");
  const ciphertext = Buffer.from(envelope.ciphertext ?? "", "base64");

  it("open by node's X25519 and another XSalsa20-Poly1305", () => {
    const shared = diffieHellman({ privateKey: x25519Secret(vector.recipient_secret), publicKey: x25519Public(envelope.sender_pub ?? "") });
    const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer);
    const key = new Uint32Array(8);
    hsalsa(words(Buffer.from("expand 32-byte k")), words(shared), new Uint32Array(4), key);
    const plaintext = xsalsa20poly1305(new Uint8Array(key.buffer), nonce).decrypt(ciphertext);
    expect(Buffer.from(plaintext).toString("hex")).toBe(vector.plaintext);
    expect(rawPublic(x25519Secret(vector.sender_secret))).toBe(envelope.sender_pub);
  });

  it("are named by nonce and ciphertext", () => {
    expect(sha256(nonce, ciphertext).subarray(0, 16).toString("hex")).toBe(envelope.id);
  });

  it("authorise a fee under their own domain", () => {
    const { fee_ut, sign_bytes, seed, signature_base64 } = vector.fee_authorisation;
    const bytes = domain("fee", [envelope.id, fee_ut]);
    expect(bytes.toString("hex")).toBe(sign_bytes);
    expectSignature(seed, bytes, Buffer.from(signature_base64, "base64"));
  });
});
