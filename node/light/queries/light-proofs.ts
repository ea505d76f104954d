// Proofs for the clients of a light node: a peer's, after they were checked here, against a header that this node has verified.
import { provenBlock, transactionProof } from "#node/explorer/queries/proof-queries.ts";
import { contractStateKey } from "#node/ledger/records/contract-records.ts";
import type { Namespace } from "#node/ledger/state-view.ts";
import type { ProofQueries } from "#node/queries/read-queries.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { Output } from "#shared/api/api.ts";
import type { ProvenBlock, StateProof } from "#shared/api/schemas/proofs.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { verifyStateProof } from "#shared/protocol/chain/state-proof.ts";
import { fromHex, isHex, toHex, utf8 } from "#shared/util/bytes.ts";
import type { StateKey } from "../light-source.ts";
import { requireUnverified } from "../reads/unverified-reads.ts";
import type { LightReader } from "./light-reader.ts";

export function createLightProofs(reader: LightReader): ProofQueries {
  const { reads } = reader;
  const { source } = reads;
  return {
    account: async (publicKey) =>
      checked(reader, stateKey("account", fromHex(publicKey)), await requireUnverified(source, "proveAccount", { pubkey: publicKey })),
    identity: async (publicKey) =>
      checked(reader, stateKey("identity", fromHex(publicKey)), await requireUnverified(source, "proveIdentity", { pubkey: publicKey })),
    contractState: async (id, key) =>
      checked(
        reader,
        stateKey("contract_state", contractStateKey(id, utf8(key))),
        await requireUnverified(source, "proveContractState", { contractID: id, key }),
      ),
    transaction: (id) => reads.read((chain) => transactionProof(chain, id)),
    block: async (height): Promise<ProvenBlock | undefined> => {
      const block = await source.blockAt(height);
      return block === undefined ? undefined : blockProof(block);
    },
  };
}

function stateKey(namespace: Namespace, key: Uint8Array): StateKey {
  return { namespace, key };
}

/** The proof with the block as this node knows it. @throws CodedError UPSTREAM_FAILED when it proves nothing */
async function checked(
  { genesis, reads }: LightReader,
  { namespace, key }: StateKey,
  unverified: Output<"proveAccount">,
): Promise<StateProof> {
  const block = await reads.source.blockAt(unverified.block.index);
  if (block === undefined || !proves(block, { namespace, key }, unverified))
    throw new CodedError("UPSTREAM_FAILED", "Another node gave a proof that proves nothing");
  const { siblings, other_leaf, value_hex } = unverified;
  return {
    chain_id: genesis.chain_id,
    namespace,
    key_hex: toHex(key),
    value_hex,
    siblings: [...siblings],
    other_leaf,
    block: blockProof(block),
  };
}

function blockProof(block: TrustedBlock): ProvenBlock {
  return provenBlock({ validatorSets: { at: () => block.validators } }, { block, hash: block.hash, commit: block.commit });
}

function proves({ header }: TrustedBlock, { namespace, key }: StateKey, { value_hex, siblings, other_leaf }: StateProof): boolean {
  const hashes = [...siblings, ...(other_leaf === null ? [] : [other_leaf.path, other_leaf.value_hash])];
  if (!hashes.every((hash) => isHex(hash, 32)) || !(value_hex === null || /^(?:[0-9a-f]{2})*$/.test(value_hex))) return false;
  const value = value_hex === null ? undefined : fromHex(value_hex);
  const otherLeaf = other_leaf === null ? null : { path: fromHex(other_leaf.path), valueHash: fromHex(other_leaf.value_hash) };
  return verifyStateProof(
    fromHex(header.stateRoot),
    { namespace, key, value },
    { siblings: siblings.map(fromHex), otherLeaf },
    nativeSha256,
  );
}
