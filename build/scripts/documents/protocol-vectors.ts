// Golden vectors of every byte format of the protocol, made by the shared code from fixed inputs.
// Tests hold the committed file to this output and check it again by other libraries.

import { encode } from "#shared/codec/codec.ts";
import { type Block, encodeBlock, rootHex } from "#shared/protocol/chain/block.ts";
import { type Genesis, genesisHash, genesisSupply } from "#shared/protocol/chain/genesis.ts";
import { type BlockHeader, headerCodec, headerHash } from "#shared/protocol/chain/header.ts";
import { sortValidators, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitCodec, commitHash, proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { boxKeyPair, feeSignBytes, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { domainBytes, SIGNATURE_DOMAINS, type SignatureDomain } from "#shared/protocol/primitives/domains.ts";
import { HEADER_VERSION } from "#shared/protocol/primitives/limits.ts";
import { firstParams, paramsHash, upgradedParams, upgradeOf } from "#shared/protocol/primitives/params.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { signTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { encodePayload, type PayloadOf } from "#shared/protocol/transactions/payload.ts";
import { encodeReceipt, type Receipt } from "#shared/protocol/transactions/receipt.ts";
import { canonicalText, signBytes } from "#shared/protocol/transactions/sign-bytes.ts";
import type { Transaction, TransactionType, UnsignedTransaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { rewardId, signedBytes, transactionId, ZERO_SALT } from "#shared/protocol/transactions/transaction-id.ts";
import { fromHex, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import { authorisationVectors, contractVectors, PAYLOADS } from "./payload-vectors.ts";

const CHAIN_ID = "parley-vectors";
const TIMESTAMP = "2026-01-02T03:04:05Z";
const seedOf = (n: number): Uint8Array => new Uint8Array(32).fill(n);
const publicKeyOf = (n: number): string => toHex(ed25519PublicKey(seedOf(n)));
const ALICE = publicKeyOf(1);
const BOB = publicKeyOf(2);
const DEVICE = toHex(boxKeyPair(seedOf(3)).publicKey);

/** Everything that test/vectors/protocol.json holds. */
export function protocolVectors(): Readonly<Record<string, unknown>> {
  const transactions = transactionVectors();
  return {
    comment: "Made by `npm run vectors`. Bytes are hex unless a name says base64; keys and salts are fixed, for tests only.",
    chain_id: CHAIN_ID,
    keys: [1, 2, 9].map((n) => ({ seed: toHex(seedOf(n)), public_key: publicKeyOf(n), address: formatAddress(publicKeyOf(n)) })),
    x25519_keys: [3, 4].map((n) => ({ secret: toHex(seedOf(n)), public_key: toHex(boxKeyPair(seedOf(n)).publicKey) })),
    amounts: amountVectors(),
    timestamps: timestampVectors(),
    domains: domainVectors(),
    transactions: transactions.map(describeTransaction),
    authorisations: authorisationVectors(),
    contracts: contractVectors(),
    reward_id: { height: 12, id: rewardId(12) },
    receipts: receiptVectors(),
    genesis: genesisVectors(),
    chain: chainVectors(transactions),
    votes: voteVectors(),
    envelope: envelopeVectors(),
  };
}

function amountVectors(): readonly unknown[] {
  const amounts = [0, 1, 10, 1_000, 999_999, 1_000_000, 1_500_000, 1_234_567, 120_000_000, Number.MAX_SAFE_INTEGER];
  return amounts.map((amount_ut) => ({ amount_ut, text: formatAmount(amount_ut) }));
}

function timestampVectors(): readonly unknown[] {
  const valid = ["1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", TIMESTAMP, "2100-03-01T00:00:00Z", "9999-12-31T23:59:59Z"];
  const invalid = [
    "2026-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00+00:00",
    "2026-01-01t00:00:00z",
    "1969-12-31T23:59:59Z",
  ];
  return [...valid, ...invalid].map((text) => ({ text, time_ms: parseTimestamp(text) ?? null }));
}

function domainVectors(): readonly unknown[] {
  return Object.keys(SIGNATURE_DOMAINS).map((purpose) => ({
    purpose,
    value: ["x", 1],
    bytes: toHex(domainBytes(purpose as SignatureDomain, CHAIN_ID, ["x", 1])),
  }));
}

interface TransactionCase {
  readonly name: string;
  readonly seed: number;
  readonly salt: string | null;
  readonly tx: Transaction;
}

function transactionVectors(): readonly TransactionCase[] {
  const salted = <T extends TransactionType>(
    type: T,
    payload: PayloadOf<T>,
    fields: Partial<UnsignedTransaction>,
    n: number,
  ): TransactionCase => {
    const unsigned = { ...base(type), payload: encodePayload<T>(payload), ...fields };
    const salt = fromHex(`00000000000000${n.toString(16).padStart(2, "0")}`);
    const tx = { ...unsigned, id: transactionId(CHAIN_ID, salt, unsigned) };
    return { name: type, seed: 1, salt: toHex(salt), tx: signTransaction(tx, seedOf(1)) };
  };
  const transfer = { ...base("TRANSFER"), to: BOB, amount: 1_500_000, payload: encodePayload<"TRANSFER">({}) };
  const withoutId = { ...transfer, id: transactionId(CHAIN_ID, ZERO_SALT, transfer) };
  return [
    salted("TRANSFER", { memo: "Rent für März <3> \u2028 😀" }, { to: BOB, amount: 1_500_000 }, 1),
    salted("REGISTER_KEY", { x25519_pub_key: DEVICE, nickname: "Alice" }, {}, 2),
    salted("LINK_DEVICE", { x25519_pub_key: DEVICE, device_name: "Desk" }, {}, 3),
    salted("UNLINK_DEVICE", { x25519_pub_key: DEVICE }, {}, 4),
    salted("CONTACT_REQUEST", { intro: "Hello" }, { to: BOB, amount: 5_000 }, 5),
    salted("ACCEPT_CONTACT", {}, { to: BOB }, 6),
    salted("BLOCK_CONTACT", {}, { to: BOB, fee: Number.MAX_SAFE_INTEGER }, 7),
    salted("REGISTER_RELAY", PAYLOADS.relay, {}, 8),
    salted("RELAY_PROOF", PAYLOADS.proof, {}, 9),
    salted("HEARTBEAT", {}, {}, 10),
    salted("BIND_WALLET", PAYLOADS.binding, {}, 11),
    salted("ADD_VALIDATOR", PAYLOADS.addition, {}, 12),
    salted("REMOVE_VALIDATOR", PAYLOADS.removal, {}, 13),
    salted("SLASH", PAYLOADS.votes, {}, 14),
    salted("SLASH", PAYLOADS.proposals, {}, 15),
    salted("UPGRADE", PAYLOADS.upgrade, {}, 20),
    salted("ROTATE_KEY", PAYLOADS.rotation, {}, 21),
    salted("SUSPEND_RELAY", PAYLOADS.suspension, {}, 22),
    salted("OPEN_PAY_CHAN", PAYLOADS.opening, { to: BOB, amount: 1_000 }, 16),
    salted("CLOSE_PAY_CHAN", PAYLOADS.closing, { to: BOB }, 17),
    salted("DEPLOY_CONTRACT", PAYLOADS.deployment, {}, 18),
    salted("CALL_CONTRACT", PAYLOADS.call, { amount: 10_000 }, 19),
    { name: "TRANSFER submitted without id", seed: 1, salt: toHex(ZERO_SALT), tx: signTransaction(withoutId, seedOf(1)) },
    {
      name: "TRANSFER with an id of the client's own",
      seed: 1,
      salt: null,
      tx: signTransaction({ ...transfer, id: "client.id:1" }, seedOf(1)),
    },
    {
      name: "TRANSFER with an empty payload",
      seed: 1,
      salt: null,
      tx: signTransaction({ ...transfer, id: "client.id:2", payload: "" }, seedOf(1)),
    },
  ];
}

function base(type: TransactionType): UnsignedTransaction {
  return { id: "", type, from: ALICE, to: "", amount: 0, fee: 1_000, payload: "", timestamp: TIMESTAMP };
}

function describeTransaction({ name, seed, salt, tx }: TransactionCase): unknown {
  return {
    name,
    seed: toHex(seedOf(seed)),
    salt,
    tx,
    canonical_text: canonicalText(tx),
    sign_bytes: toHex(signBytes(tx)),
    signed_bytes: toHex(signedBytes(tx)),
    encoded: toHex(encodeTransaction(tx)),
  };
}

function receiptVectors(): unknown {
  const receipts: readonly Receipt[] = [
    { txId: "client.id:1", isOk: true, code: "", feeUt: 1_000, gasUsed: 0, logs: [], touched: [] },
    { txId: "client.id:2", isOk: false, code: "INSUFFICIENT_BALANCE", feeUt: 1_000, gasUsed: 0, logs: [], touched: [] },
    {
      txId: "client.id:3",
      isOk: true,
      code: "",
      feeUt: 1_000,
      gasUsed: 70_000,
      logs: [{ contractId: "0011223344556677", message: "hé" }],
      touched: [ALICE, BOB],
    },
  ];
  const leaves = receipts.map(encodeReceipt);
  return { list: receipts.map((receipt, index) => ({ receipt, encoded: toHex(leaves[index] ?? seedOf(0)) })), root: rootHex(leaves) };
}

function genesis(): Genesis {
  return {
    chain_id: CHAIN_ID,
    genesis_time: "2026-01-01T00:00:00Z",
    development: true,
    validators: [9, 2].map((n) => ({ pub_key: publicKeyOf(n), bond_ut: 1_000_000 })),
    accounts: [{ pub_key: ALICE, balance_ut: 10_000_000 }],
    params: { block_reward_ut: 50_000, min_block_interval_ms: 50, heartbeat_interval_ms: 60_000, validator_bond_ut: 1_000_000 },
    contracts: [],
  };
}

/** After an UPGRADE: every field counts then. */
const CHANGED_PARAMS = upgradedParams(firstParams(genesis().params), upgradeOf({ min_fee_ut: 2_000, max_block_bytes: 4_194_304 }, 3, 1));

function genesisVectors(): unknown {
  const validators = sortValidators(genesis().validators.map(({ pub_key, bond_ut }) => ({ publicKey: pub_key, bondUt: bond_ut })));
  return {
    json: genesis(),
    hash: genesisHash(genesis()),
    params_hash: paramsHash(firstParams(genesis().params)),
    changed_params: CHANGED_PARAMS,
    changed_params_hash: paramsHash(CHANGED_PARAMS),
    validators_hash: validatorsHash(validators),
    supply_ut: genesisSupply(genesis()),
  };
}

function commitVector(): Commit {
  const blockHash = "ab".repeat(32);
  const message = voteSignBytes(CHAIN_ID, { type: "precommit", height: 6, round: 1, blockHash });
  return {
    height: 6,
    round: 1,
    blockHash,
    bitmap: Uint8Array.of(0b11),
    signatures: [signEd25519(message, seedOf(2)), signEd25519(message, seedOf(9))],
  };
}

function chainVectors(cases: readonly TransactionCase[]): unknown {
  const transactions = cases.slice(0, 3).map(({ tx }) => tx);
  const header: BlockHeader = {
    version: HEADER_VERSION,
    chainId: CHAIN_ID,
    height: 7,
    timeMs: 1_767_323_046_789,
    parentHash: "ab".repeat(32),
    lastCommitHash: commitHash(commitVector()),
    txRoot: rootHex(transactions.map(encodeTransaction)),
    stateRoot: "11".repeat(32),
    receiptsRoot: "22".repeat(32),
    validatorsHash: "33".repeat(32),
    nextValidatorsHash: "44".repeat(32),
    paramsHash: paramsHash(firstParams(genesis().params)),
    evidenceRoot: rootHex([]),
    proposer: publicKeyOf(9),
    txCount: transactions.length,
  };
  const block: Block = { header, transactions, evidence: [utf8("evidence")], lastCommit: commitVector() };
  return {
    header,
    header_encoded: toHex(encode(headerCodec, header)),
    header_hash: headerHash(header),
    block_transactions: cases.slice(0, 3).map(({ name }) => name),
    block_evidence: block.evidence.map(toHex),
    block_encoded: toHex(encodeBlock(block)),
    first_block_encoded: toHex(encodeBlock({ header, transactions: [], evidence: [], lastCommit: null })),
  };
}

function voteVectors(): unknown {
  const vote = (type: "prevote" | "precommit", blockHash: string | null): unknown => {
    const bytes = voteSignBytes(CHAIN_ID, { type, height: 6, round: 1, blockHash });
    return { type, height: 6, round: 1, block_hash: blockHash, sign_bytes: toHex(bytes), signature: toHex(signEd25519(bytes, seedOf(9))) };
  };
  const proposal = (validRound: number): unknown => {
    const bytes = proposalSignBytes(CHAIN_ID, { height: 6, round: 1, validRound, blockHash: "ab".repeat(32) });
    return {
      height: 6,
      round: 1,
      valid_round: validRound,
      block_hash: "ab".repeat(32),
      sign_bytes: toHex(bytes),
      signature: toHex(signEd25519(bytes, seedOf(9))),
    };
  };
  const commit = commitVector();
  return {
    seed: toHex(seedOf(9)),
    votes: [vote("prevote", "ab".repeat(32)), vote("precommit", "ab".repeat(32)), vote("precommit", null)],
    proposals: [proposal(-1), proposal(0)],
    commit: {
      height: commit.height,
      round: commit.round,
      block_hash: commit.blockHash,
      bitmap: toHex(commit.bitmap),
      signatures: commit.signatures.map(toHex),
      encoded: toHex(encode(commitCodec, commit)),
      hash: commitHash(commit),
    },
  };
}

function envelopeVectors(): unknown {
  const plaintext = utf8("Grüße 😀");
  const recipient = boxKeyPair(seedOf(4));
  const envelope = sealEnvelope({
    plaintext,
    recipientPub: toHex(recipient.publicKey),
    sender: boxKeyPair(seedOf(3)),
    senderMasterPub: ALICE,
    nonce: new Uint8Array(24).fill(5),
    sentAt: 1_767_323_045,
  });
  const bytes = feeSignBytes(CHAIN_ID, envelope.id, 250);
  return {
    sender_secret: toHex(seedOf(3)),
    recipient_secret: toHex(seedOf(4)),
    plaintext: toHex(plaintext),
    envelope,
    fee_authorisation: {
      fee_ut: 250,
      sign_bytes: toHex(bytes),
      seed: toHex(seedOf(1)),
      signature_base64: toBase64(signEd25519(bytes, seedOf(1))),
    },
  };
}
