// Records of the write-ahead log: inputs that the consensus core accepted, with the block body where one arrived first.
import type { LoggedInput } from "#node/consensus/inputs.ts";
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { list, named, nullable, record } from "#shared/codec/composites.ts";
import { boolean, hex, integer, numbered, view } from "#shared/codec/scalars.ts";
import { union } from "#shared/codec/unions.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { commitCodec, proposalCodec, voteCodec } from "#shared/protocol/chain/vote.ts";

/** An input with the block that came with it, if any. */
export interface LogRecord {
  readonly input: LoggedInput;
  readonly block: Block | null;
}

const position = { height: integer(), round: integer() };

/** Number of the type and content, one after the other. */
const inputCodec: Codec<LoggedInput> = union("type", "numbers", {
  workAvailable: named("height", integer()),
  proposal: record({ proposal: proposalCodec, isTimely: boolean }),
  vote: named("vote", voteCodec),
  certificate: named("votes", list(voteCodec)),
  commit: named("commit", commitCodec),
  blockValidated: record({ height: integer(), blockHash: hex(32), isValid: boolean }),
  proposalBuilt: record({ ...position, blockHash: hex(32) }),
  timeoutElapsed: named("timeout", record({ kind: numbered(["propose", "prevote", "precommit", "rebroadcast"], "timeout"), ...position })),
  nothingToPropose: record(position),
});

const recordCodec = record({ input: inputCodec, block: nullable(view) });

/** Bytes of a record. */
export function encodeLogRecord({ input, block }: LogRecord): Uint8Array {
  return encode(recordCodec, { input, block: block === null ? null : encodeBlock(block) });
}

/** Record of {@link encodeLogRecord}. @throws CodedError STORAGE_CORRUPT on any other bytes. */
export function decodeLogRecord(bytes: Uint8Array): LogRecord {
  try {
    const { input, block } = decode(recordCodec, bytes);
    return { input, block: block === null ? null : decodeBlock(block) };
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
