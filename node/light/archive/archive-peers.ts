// The peers that say that they hold blocks which this node does not, and how many bytes they sent.

import type { PeerName } from "#node/network/peer-network.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import type { LightPeer } from "../light-peers.ts";
import type { LightRequester, ResponseTo } from "../peers/network-light-peers.ts";
import type { LightRequest } from "../wire/light-requests.ts";

/** What a header takes, each of its votes and of its validators, and an id of a history, about. */
const HEADER_BYTES = 512;
const VOTE_BYTES = 66;
const MEMBER_BYTES = 48;
const ENTRY_BYTES = 48;
const OTHER_BYTES = 2_048;

export interface ArchivePeersDependencies {
  readonly peers: LightRequester;
  /** The first block of this node. */
  readonly firstHeight: () => Height;
  readonly onBytes: (bytes: number) => void;
  /** True where the read that a request is made for has no time left. */
  readonly isOver: () => boolean;
}

/** Requests to those peers alone. */
export function createArchivePeers({ peers, firstHeight, onBytes, isOver }: ArchivePeersDependencies): LightRequester {
  const requireTime = (): void => {
    if (isOver()) throw new CodedError("UPSTREAM_FAILED", "Other nodes took too long for a block that this node does not hold");
  };
  return {
    peers: (): readonly LightPeer[] => {
      const first = firstHeight();
      return peers.peers().filter((peer) => peer.firstHeight !== undefined && peer.firstHeight < first);
    },
    lightBlock: async (...request): ReturnType<LightRequester["lightBlock"]> => {
      requireTime();
      const block = await peers.lightBlock(...request);
      onBytes(block === undefined ? OTHER_BYTES : blockBytes(block));
      return block;
    },
    header: async (...request): ReturnType<LightRequester["header"]> => {
      requireTime();
      return await peers.header(...request);
    },
    lightBlocks: async (...request): ReturnType<LightRequester["lightBlocks"]> => {
      requireTime();
      const blocks = await peers.lightBlocks(...request);
      onBytes(blocks.reduce((sum, block) => sum + blockBytes(block), OTHER_BYTES));
      return blocks;
    },
    ask: async <K extends LightRequest["kind"]>(
      peer: PeerName,
      request: Extract<LightRequest, { readonly kind: K }>,
      signal?: AbortSignal,
    ): Promise<ResponseTo<K>> => {
      requireTime();
      const response = await peers.ask<K>(peer, request, signal);
      onBytes(sizeOf(response));
      return response;
    },
    noteProven: (peer) => peers.noteProven(peer),
    report: (peer, offence) => peers.report(peer, offence),
  };
}

function blockBytes({ commit, validators }: LightBlock): number {
  return HEADER_BYTES + VOTE_BYTES * (commit?.signatures.length ?? 0) + MEMBER_BYTES * validators.length;
}

function sizeOf(response: ResponseTo<LightRequest["kind"]>): number {
  if (response.kind === "body") return response.block.length + response.receipts.length;
  if (response.kind === "transaction") return blockBytes(response.at) + response.transaction.bytes.length + response.receipt.bytes.length;
  return response.kind === "history" ? response.entryIds.length * ENTRY_BYTES : OTHER_BYTES;
}
