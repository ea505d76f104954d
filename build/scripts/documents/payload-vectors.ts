// Payloads with signatures of their own for the golden vectors, and what those signatures are over.

import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { type DigestContent, digestSignBytes } from "#shared/protocol/keepers/kept-digest.ts";
import { boxKeyPair, feeSignBytes } from "#shared/protocol/mail/envelope.ts";
import { upgradeOf } from "#shared/protocol/primitives/params.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import {
  approvalSignBytes,
  rotationSignBytes,
  upgradeSignBytes,
  voucherSignBytes,
  walletSignBytes,
} from "#shared/protocol/transactions/authorisations.ts";
import { deployedContractId, NATIVE_CONTRACTS, nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import type { DigestStatement, PayloadOf } from "#shared/protocol/transactions/payload.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";

const CHAIN_ID = "parley-vectors";
const SIGNED_AT = 1_767_323_045;
const ENVELOPE_ID = "00112233445566778899aabbccddeeff";
const CHANNEL_ID = "0123456789abcdef0123456789abcdef";

const seedOf = (n: number): Uint8Array => new Uint8Array(32).fill(n);
const publicKeyOf = (n: number): string => toHex(ed25519PublicKey(seedOf(n)));
const signed = (bytes: Uint8Array, n: number): string => toBase64(signEd25519(bytes, seedOf(n)));
const ALICE = publicKeyOf(1);
const BOB = publicKeyOf(2);
const VALIDATOR = publicKeyOf(9);
const DIGEST_PLACE = { slot: 16_383, version: 2_945_538 } as const;
const DIGESTS = [
  { count: 3, fingerprint: "ab".repeat(32) },
  { count: 2, fingerprint: "cd".repeat(32) },
] as const satisfies readonly DigestContent[];
const UPGRADE_SET = { min_fee_ut: 2_000, max_block_bytes: 4_194_304 };

/** Payloads of the types beside payments, identities and contacts. */
export const PAYLOADS = {
  relay: { x25519_pub_key: toHex(boxKeyPair(seedOf(3)).publicKey), fee_per_msg_ut: 250, multiaddr: "/dns4/relay.example/tcp/4001" },
  proof: {
    claims: [
      {
        envelope_id: ENVELOPE_ID,
        recipient_pub: toHex(boxKeyPair(seedOf(4)).publicKey),
        sender_pub: BOB,
        fee_ut: 250,
        fee_sig: signed(feeSignBytes(CHAIN_ID, ENVELOPE_ID, 250), 2),
      },
    ],
  },
  binding: { wallet_pub: BOB, wallet_sig: signed(walletSignBytes(CHAIN_ID, ALICE), 2) },
  addition: { pub_key: BOB, cosigs: [cosignature("add")] },
  removal: { pub_key: BOB, cosigs: [cosignature("remove")] },
  votes: {
    evidence: {
      validator_pub: VALIDATOR,
      height: 6,
      round: 1,
      step: "precommit",
      first: voteStatement("ab".repeat(32)),
      second: voteStatement(null),
    },
  },
  proposals: {
    evidence: {
      validator_pub: VALIDATOR,
      height: 6,
      round: 1,
      step: "proposal",
      first: proposalStatement("ab".repeat(32), -1),
      second: proposalStatement("cd".repeat(32), 0),
    },
  },
  upgrade: {
    set: UPGRADE_SET,
    version: 3,
    at_height: 1_000,
    cosigs: [
      {
        validator_pub: VALIDATOR,
        signed_at: SIGNED_AT,
        signature: signed(upgradeSignBytes(CHAIN_ID, upgradeOf(UPGRADE_SET, 3, 1_000), SIGNED_AT), 9),
      },
    ],
  },
  rotation: { new_pub: BOB, new_sig: signed(rotationSignBytes(CHAIN_ID, ALICE, BOB), 2) },
  suspension: {
    evidence: { relay_pub: VALIDATOR, ...DIGEST_PLACE, first: digestStatement(DIGESTS[0]), second: digestStatement(DIGESTS[1]) },
  },
  opening: { channel_id: CHANNEL_ID, expires_at: SIGNED_AT + 86_400 },
  closing: { channel_id: CHANNEL_ID, paid_ut: 700, voucher_sig: signed(voucherSignBytes(CHAIN_ID, CHANNEL_ID, 700), 2) },
  deployment: { wasm_b64: "AGFzbQEAAAA=", abi_json: '{"contract":"empty","version":"1","methods":[]}', gas_limit: 200_000 },
  call: {
    contract_id: nativeContractId("username_registry"),
    method: "register",
    args_json: '["alice.1"]',
    gas_limit: 1_000_000,
  },
} as const satisfies Readonly<
  Record<
    string,
    PayloadOf<
      | "REGISTER_RELAY"
      | "RELAY_PROOF"
      | "BIND_WALLET"
      | "ADD_VALIDATOR"
      | "SLASH"
      | "UPGRADE"
      | "ROTATE_KEY"
      | "SUSPEND_RELAY"
      | "OPEN_PAY_CHAN"
      | "CLOSE_PAY_CHAN"
      | "DEPLOY_CONTRACT"
      | "CALL_CONTRACT"
    >
  >
>;

/** Signatures inside payloads, with the bytes they are over. */
export function authorisationVectors(): unknown {
  const vector = (purpose: string, seed: number, bytes: Uint8Array, value: readonly unknown[]): unknown => ({
    purpose,
    value,
    sign_bytes: toHex(bytes),
    seed: toHex(seedOf(seed)),
    signature_base64: signed(bytes, seed),
  });
  const approval = (action: "add" | "remove"): Uint8Array => approvalSignBytes(CHAIN_ID, { action, publicKey: BOB, signedAt: SIGNED_AT });
  return [
    vector("wallet", 2, walletSignBytes(CHAIN_ID, ALICE), [{ hex: ALICE }]),
    vector("approval", 9, approval("add"), [1, { hex: BOB }, SIGNED_AT]),
    vector("approval", 9, approval("remove"), [2, { hex: BOB }, SIGNED_AT]),
    vector("upgrade", 9, upgradeSignBytes(CHAIN_ID, upgradeOf(UPGRADE_SET, 3, 1_000), SIGNED_AT), [
      [
        ["max_block_bytes", 4_194_304],
        ["min_fee_ut", 2_000],
      ],
      3,
      1_000,
      SIGNED_AT,
    ]),
    vector("upgrade", 9, upgradeSignBytes(CHAIN_ID, upgradeOf({}, undefined, 1), SIGNED_AT), [[], null, 1, SIGNED_AT]),
    vector("rotation", 2, rotationSignBytes(CHAIN_ID, ALICE, BOB), [{ hex: ALICE }, { hex: BOB }]),
    vector("digest", 9, digestSignBytes(CHAIN_ID, { ...DIGEST_PLACE, ...DIGESTS[0] }), [
      DIGEST_PLACE.slot,
      DIGEST_PLACE.version,
      DIGESTS[0].count,
      { hex: DIGESTS[0].fingerprint },
    ]),
    vector("voucher", 2, voucherSignBytes(CHAIN_ID, CHANNEL_ID, 700), [{ hex: CHANNEL_ID }, 700]),
  ];
}

/** Ids of contracts. */
export function contractVectors(): unknown {
  return {
    native: Object.fromEntries(NATIVE_CONTRACTS.map((name) => [name, nativeContractId(name)])),
    deployed: { deployer: ALICE, tx_id: "client.id:1", contract_id: deployedContractId(ALICE, "client.id:1") },
  };
}

function cosignature(action: "add" | "remove"): { readonly validator_pub: string; readonly signed_at: number; readonly signature: string } {
  const bytes = approvalSignBytes(CHAIN_ID, { action, publicKey: BOB, signedAt: SIGNED_AT });
  return { validator_pub: VALIDATOR, signed_at: SIGNED_AT, signature: signed(bytes, 9) };
}

function voteStatement(blockHash: string | null): { readonly block_hash: string | null; readonly signature: string } {
  return { block_hash: blockHash, signature: signed(voteSignBytes(CHAIN_ID, { type: "precommit", height: 6, round: 1, blockHash }), 9) };
}

function digestStatement(content: DigestContent): DigestStatement {
  return { ...content, signature: signed(digestSignBytes(CHAIN_ID, { ...DIGEST_PLACE, ...content }), 9) };
}

function proposalStatement(
  blockHash: string,
  validRound: number,
): { readonly block_hash: string; readonly valid_round: number; readonly signature: string } {
  const bytes = proposalSignBytes(CHAIN_ID, { height: 6, round: 1, validRound, blockHash });
  return { block_hash: blockHash, valid_round: validRound, signature: signed(bytes, 9) };
}
