// Records of the write-ahead log: inputs that the consensus core accepted, with the block body where one arrived first.

import type { LoggedInput, TimeoutKind } from "#node/consensus/inputs.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/block.ts";
import { type CborValue, decodeCbor, encodeCbor } from "#shared/protocol/cbor.ts";
import { commitFromCbor, commitToCbor } from "#shared/protocol/vote.ts";
import { assertNever } from "#shared/util/assert.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { bytesOf, countOf, hashOf, listOf, proposalFromCbor, proposalToCbor, voteFromCbor, voteToCbor } from "./message-encoding.ts";

/** An input with the block that came with it, if any. */
export interface LogRecord {
  readonly input: LoggedInput;
  readonly block: Block | null;
}

const INPUT_TYPES = [
  "workAvailable",
  "proposal",
  "vote",
  "certificate",
  "commit",
  "blockValidated",
  "proposalBuilt",
  "timeoutElapsed",
  "nothingToPropose",
] as const satisfies readonly LoggedInput["type"][];
const TIMEOUT_KINDS = ["propose", "prevote", "precommit", "rebroadcast"] as const satisfies readonly TimeoutKind[];

/** CBOR of [type, fields, block or null]. */
export function encodeLogRecord({ input, block }: LogRecord): Uint8Array {
  return encodeCbor([INPUT_TYPES.indexOf(input.type), fieldsOf(input), block === null ? null : encodeBlock(block)]);
}

/** Record of {@link encodeLogRecord}. @throws CodedError STORAGE_CORRUPT on any other bytes. */
export function decodeLogRecord(bytes: Uint8Array): LogRecord {
  try {
    const [type, fields, block] = listOf(decodeCbor(bytes), 3);
    return { input: inputOf(INPUT_TYPES[countOf(type)], fields), block: block === null ? null : decodeBlock(bytesOf(block)) };
  } catch (cause) {
    throw new CodedError("STORAGE_CORRUPT", "A record of the consensus log is not readable by this version", { cause });
  }
}

/** Height that an input belongs to. */
export function inputHeight(input: LoggedInput): number {
  switch (input.type) {
    case "proposal":
      return input.proposal.height;
    case "vote":
      return input.vote.height;
    case "certificate":
      return input.votes[0]?.height ?? 0;
    case "commit":
      return input.commit.height;
    case "timeoutElapsed":
      return input.timeout.height;
    default:
      return input.height;
  }
}

function fieldsOf(input: LoggedInput): CborValue {
  switch (input.type) {
    case "workAvailable":
      return input.height;
    case "proposal":
      return [proposalToCbor(input.proposal), input.isTimely];
    case "vote":
      return voteToCbor(input.vote);
    case "certificate":
      return input.votes.map(voteToCbor);
    case "commit":
      return commitToCbor(input.commit);
    case "blockValidated":
      return [input.height, fromHex(input.blockHash), input.isValid];
    case "proposalBuilt":
      return [input.height, input.round, fromHex(input.blockHash)];
    case "nothingToPropose":
      return [input.height, input.round];
    case "timeoutElapsed":
      return [TIMEOUT_KINDS.indexOf(input.timeout.kind), input.timeout.height, input.timeout.round];
    default:
      return assertNever(input);
  }
}

function inputOf(type: LoggedInput["type"] | undefined, fields: CborValue | undefined): LoggedInput {
  switch (type) {
    case "workAvailable":
      return { type, height: countOf(fields) };
    case "proposal": {
      const [proposal, isTimely] = listOf(fields, 2);
      return { type, proposal: proposalFromCbor(proposal), isTimely: isTimely === true };
    }
    case "vote":
      return { type, vote: voteFromCbor(fields) };
    case "certificate":
      return { type, votes: Array.isArray(fields) ? fields.map(voteFromCbor) : [] };
    case "commit":
      return { type, commit: commitFromCbor(fields ?? null) };
    case "blockValidated": {
      const [height, hash, isValid] = listOf(fields, 3);
      return { type, height: countOf(height), blockHash: hashOf(hash), isValid: isValid === true };
    }
    case "proposalBuilt": {
      const [height, round, hash] = listOf(fields, 3);
      return { type, height: countOf(height), round: countOf(round), blockHash: hashOf(hash) };
    }
    case "nothingToPropose": {
      const [height, round] = listOf(fields, 2);
      return { type, height: countOf(height), round: countOf(round) };
    }
    case "timeoutElapsed":
      return { type, timeout: timeoutOf(fields) };
    default:
      throw new TypeError("Expected a record type");
  }
}

function timeoutOf(fields: CborValue | undefined): Extract<LoggedInput, { type: "timeoutElapsed" }>["timeout"] {
  const [kind, height, round] = listOf(fields, 3);
  const name = TIMEOUT_KINDS[countOf(kind)];
  if (name === undefined) throw new TypeError("Expected a timeout");
  return { kind: name, height: countOf(height), round: countOf(round) };
}
