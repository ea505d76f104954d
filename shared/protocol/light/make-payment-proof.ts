// Makes the file of a proof of payment out of what a node serves, and holds it to the rules of its reader before anyone gets it.
import { CodedError } from "#shared/errors/coded-error.ts";
import { genesisHash, parseGenesis } from "../chain/genesis.ts";
import type { Height } from "../chain/header.ts";
import type { LightBlock } from "../chain/light-block.ts";
import { blockOf, formatPaymentProof, MAX_PATH_BLOCKS, type SignedBlockJson, type TransactionProofJson } from "./payment-proof-file.ts";
import { genesisStart, isWithinReach } from "./proof-start.ts";
import { type ProofProblem, type ProofRules, verifyPaymentProof } from "./verify-payment-proof.ts";

/** What a node serves of a payment. */
export interface ProofSource {
  /** The genesis file, as JSON. */
  readonly genesis: unknown;
  readonly payment: TransactionProofJson;
  /** The signed block of a height. */
  readonly proveBlock: (height: Height) => Promise<SignedBlockJson>;
}

/** A file that holds, or why what the node serves gives none. */
export type MadeProof = { readonly text: string } | { readonly problem: ProofProblem };

/** The file for a payment. @throws CodedError UPSTREAM_FAILED when the node serves no usable blocks; and what `proveBlock` throws. */
export async function makePaymentProof({ genesis: file, payment, proveBlock }: ProofSource, rules: ProofRules): Promise<MadeProof> {
  const genesis = parseGenesis(file);
  const path = await pathTo(payment.block, genesisStart(genesis, rules.hash), proveBlock);
  const text = formatPaymentProof({ genesisHash: genesisHash(genesis), genesis: file, path, payment });
  const result = await verifyPaymentProof(text, { kind: "genesis", genesis }, rules);
  return result.isProven ? { text } : { problem: result.problem };
}

/** Blocks that lead from a trusted one to another: none while enough of the trusted validators sign. Ascending, without both ends. */
export async function pathTo(
  goal: SignedBlockJson,
  start: Pick<LightBlock, "header" | "validators">,
  proveBlock: ProofSource["proveBlock"],
): Promise<readonly SignedBlockJson[]> {
  const path: SignedBlockJson[] = [];
  const waiting: Reached[] = [];
  let reached = start;
  for (let next = decodedBlock(goal); ; ) {
    if (isWithinReach(reached, next.block)) {
      reached = next.block;
      const above = waiting.pop();
      if (above === undefined) return path;
      path.push(next.json);
      next = above;
      continue;
    }
    if (waiting.length + path.length >= MAX_PATH_BLOCKS)
      throw new CodedError("UPSTREAM_FAILED", "The validators changed too often since genesis for a proof in one file");
    waiting.push(next);
    next = decodedBlock(await proveBlock(middle(reached.header.height, next.block.header.height)));
  }
}

interface Reached {
  readonly json: SignedBlockJson;
  readonly block: LightBlock;
}

function decodedBlock(json: SignedBlockJson): Reached {
  const block = blockOf(json);
  if (block === undefined) throw new CodedError("UPSTREAM_FAILED", "The node serves a block that cannot be read");
  return { json, block };
}

function middle(low: Height, high: Height): Height {
  return low + Math.floor((high - low) / 2);
}
