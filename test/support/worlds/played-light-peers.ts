// Full nodes that a test plays for a light one: each answers from a real chain, or as the test bends it, over a network of function calls.
import { systemTimers } from "#node/config/system-clock.ts";
import type { LightSource } from "#node/light/light-source.ts";
import { NetworkLightPeers } from "#node/light/peers/network-light-peers.ts";
import type { VerifiedHeaders } from "#node/light/peers/peer-responses.ts";
import { VerifiedSource } from "#node/light/proofs/verified-source.ts";
import { type LightRequest, lightRequestCodec } from "#node/light/wire/light-requests.ts";
import { type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import type { ChainStatus, EncodedRequest, PeerName, PeerOffence, PeerView } from "#node/network/peer-network.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { LightServerWorld } from "./light-server-world.ts";

/** Bends the honest answer to a request; bytes go as they are. */
export type Bend = (response: LightResponse, request: LightRequest) => LightResponse | Uint8Array | Promise<LightResponse | Uint8Array>;

/** A light node's source and the peers behind it. */
export interface PlayedLight {
  readonly source: VerifiedSource;
  readonly peers: NetworkLightPeers;
  /** `<peer> <offence>`, in order. */
  readonly reports: string[];
  /** `<peer> <kind>`, in order. */
  readonly asked: string[];
  /** Moves the tip, as a chain does that receives a block. */
  follow(height: number): void;
  /** Adds a peer that answers honestly, or as it is bent. */
  join(name: PeerName, bend?: Bend, status?: Partial<ChainStatus>): void;
}

const HONEST: Bend = (response) => response;
const UNKNOWN: LightResponse = { kind: "unknown" };

/** A light node at genesis, without peers. */
export function playLight({ server, reader, world }: LightServerWorld): PlayedLight {
  const reports: string[] = [];
  const asked: string[] = [];
  const played = new Map<PeerName, { readonly bend: Bend; readonly view: PeerView }>();
  const report = (peer: PeerName, offence: PeerOffence): void => void reports.push(`${peer} ${offence}`);
  const network = {
    peers: (): readonly PeerView[] => [...played.values()].map(({ view }) => view),
    report,
    requestLight: async (peer: PeerName, { bytes }: EncodedRequest): Promise<Uint8Array> => {
      const request = tryDecode(lightRequestCodec, bytes);
      const { bend = HONEST } = played.get(peer) ?? {};
      if (request === undefined) throw new Error("A light node asks nonsense");
      asked.push(`${peer} ${request.kind}`);
      // What a bent peer is given to pass on it keeps to itself.
      const isKept = request.kind === "submit" && bend !== HONEST;
      const honest = isKept ? UNKNOWN : tryDecode(lightResponseCodec, (await server.respond(bytes, "light")) ?? new Uint8Array());
      const response = await bend(honest ?? UNKNOWN, request);
      return response instanceof Uint8Array ? response : encode(lightResponseCodec, response);
    },
  };
  const peers = new NetworkLightPeers({ network, clock: world.clock, timers: systemTimers });
  const chain = new TruthfulHeaders(reader, report);
  const log = { warn: (): void => undefined };
  return {
    source: new VerifiedSource({ chain, peers, hash: nativeSha256, timers: systemTimers, log }),
    peers,
    reports,
    asked,
    follow: (height) => chain.follow(height),
    join: (name, bend = HONEST, status = {}): void => {
      const facts = { height: reader.blocks.tipHeight() ?? 0, tipHash: "00".repeat(32), firstHeight: 1, ...status };
      played.set(name, { bend, view: viewOf(name, facts) });
    },
  };
}

function viewOf(name: PeerName, status: ChainStatus): PeerView {
  const nothing = {
    nodeKey: null,
    address: "",
    isRelayed: false,
    version: null,
    apiVersion: null,
    connectedAtMs: 0,
    latencyMs: null,
    score: 0,
  };
  return { name, status, direction: "outbound", ...nothing };
}

/** Headers that are held against the chain itself: what a light node's own verification says in the end. */
class TruthfulHeaders implements VerifiedHeaders, Pick<LightSource, "onTip"> {
  readonly #reader: LightServerWorld["reader"];
  readonly #report: (peer: PeerName, offence: PeerOffence) => void;
  readonly #listeners = new Set<(tip: TrustedBlock) => void>();
  #height = 0;

  constructor(reader: LightServerWorld["reader"], report: (peer: PeerName, offence: PeerOffence) => void) {
    this.#reader = reader;
    this.#report = report;
  }

  follow(height: number): void {
    this.#height = height;
    for (const listener of this.#listeners) listener(this.tip());
  }

  tip(): TrustedBlock {
    return this.#at(this.#height);
  }

  onTip(listener: (tip: TrustedBlock) => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  blockAt(height: number): Promise<TrustedBlock | undefined> {
    return Promise.resolve(height > this.#height ? undefined : this.#at(height));
  }

  accept({ header }: { readonly header: TrustedBlock["header"] }, peer: PeerName): Promise<string> {
    if (headerHash(header) !== this.#reader.blocks.summary(header.height)?.hash) {
      this.#report(peer, "invalid");
      return Promise.resolve("invalid");
    }
    if (header.height <= this.#height) return Promise.resolve("known");
    this.follow(header.height);
    return Promise.resolve("advanced");
  }

  #at(height: number): TrustedBlock {
    const { blocks, validatorSets } = this.#reader;
    const header = blocks.header(height);
    if (header === undefined) throw new CodedError("INVARIANT", `The chain has no block ${height}`);
    return { header, hash: headerHash(header), commit: blocks.commit(height) ?? null, validators: validatorSets.at(height) };
  }
}
