// A libp2p node without manners: it speaks the network's protocols byte by byte and says what it likes.
import { type GossipSub, gossipsub, StrictNoSign } from "@libp2p/gossipsub";
import { identify } from "@libp2p/identify";
import type { Connection, Libp2p, Stream } from "@libp2p/interface";
import { noise } from "@libp2p/noise";
import { type TCPSocketOptions, tcp } from "@libp2p/tcp";
import { yamux } from "@libp2p/yamux";
import { multiaddr } from "@multiformats/multiaddr";
import { createLibp2p } from "libp2p";
import { libp2pKey } from "#node/network/peer-name.ts";
import type { ChainStatus } from "#node/network/peer-network.ts";
import { FIRST_STATUS_PROTOCOL, type ProtocolNames, protocolNames, type Topic } from "#node/network/protocol-names.ts";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import { firstStatusCodec } from "#node/network/wire/wire-codec.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { encode } from "#shared/codec/codec.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { pollUntil } from "../host/poll-until.ts";
import { actor, CHAIN_ID } from "../worlds/ledger-world.ts";
import { GENESIS_HASH } from "./test-network.ts";

/** What a rude peer says of itself. */
export interface RudePeerOptions {
  /** Chain whose protocols it speaks; the one of the test networks by default. */
  readonly network?: string;
  readonly chainId?: string;
  readonly genesisHash?: string;
  readonly status?: ChainStatus;
  /** False to tell nothing. */
  readonly tellsStatus?: boolean;
  /** Addresses under which it claims to be reached. */
  readonly announce?: readonly string[];
  /** Address of this machine that it dials from. */
  readonly from?: string;
  /** Seed of its key instead of that of an actor. */
  readonly seed?: Uint8Array;
  /** Protocols that it speaks without saying so, and what it does with a stream. */
  readonly unnamed?: Readonly<Record<string, (stream: Stream) => void>>;
}

/** A connected rude peer. */
export interface RudePeer extends AsyncDisposable {
  readonly name: string;
  readonly names: ProtocolNames;
  readonly libp2p: Libp2p;
  /** False once the other side hung up. */
  readonly isConnected: boolean;
  /** Publishes bytes on a topic. */
  shout(topic: Topic, data: Uint8Array): Promise<void>;
  /** Opens a stream of a protocol. */
  open(protocol: string): Promise<Stream>;
  /** Connects again. */
  dial(): Promise<Connection>;
}

/** A rude peer with the key of actor n, connected to an address, whose gossip the other side listens to. */
export async function connectRudePeer(n: number, address: string, options: RudePeerOptions = {}): Promise<RudePeer> {
  const key = options.seed === undefined ? actor(n) : { seed: options.seed, pub: toHex(ed25519PublicKey(options.seed)) };
  const names = protocolNames(options.network ?? CHAIN_ID);
  const libp2p = await createLibp2p({
    privateKey: libp2pKey({ publicKey: key.pub, secret: key.seed }),
    addresses: { listen: [], announce: [...(options.announce ?? [])] },
    transports: [tcp({ dialOpts: (options.from === undefined ? {} : { localAddress: options.from }) as TCPSocketOptions })],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionMonitor: { enabled: false },
    services: {
      identify: identify({ protocolPrefix: names.prefix }),
      pubsub: gossipsub({
        globalSignaturePolicy: StrictNoSign,
        floodPublish: true,
        allowPublishToZeroTopicPeers: false,
        ignoreDuplicatePublishError: true,
        msgIdFn: (message) => nativeSha256(message.data).subarray(0, 20),
      }),
    },
  });
  const pubsub = libp2p.services.pubsub as GossipSub & { readonly streamsOutbound: ReadonlyMap<string, unknown> };
  await libp2p.handle(FIRST_STATUS_PROTOCOL, (stream) =>
    readFrames(stream, { maxBytes: 1_024, onFrame: () => undefined, onEnd: () => undefined }),
  );
  for (const [protocol, onStream] of Object.entries(options.unnamed ?? {})) await libp2p.handle(protocol, onStream);
  const named = libp2p.getProtocols().filter((protocol) => options.unnamed?.[protocol] === undefined);
  await libp2p.peerStore.patch(libp2p.peerId, { protocols: named });
  const dial = (): Promise<Connection> => libp2p.dial(multiaddr(address));
  const peer: RudePeer = {
    name: libp2p.peerId.toString(),
    names,
    libp2p,
    get isConnected(): boolean {
      return libp2p.getConnections().length > 0;
    },
    async shout(topic, data): Promise<void> {
      // What it has no stream for yet the library drops without a word.
      const isListenedTo = (): boolean => pubsub.getSubscribers(names.topics[topic]).length > 0 && pubsub.streamsOutbound.size > 0;
      await pollUntil(isListenedTo, { what: "a subscriber", intervalMs: 5 });
      await pubsub.publish(names.topics[topic], data);
    },
    async open(protocol): Promise<Stream> {
      const [connection] = libp2p.getConnections();
      if (connection === undefined) throw new Error("The rude peer is not connected");
      return await connection.newStream(protocol);
    },
    dial,
    [Symbol.asyncDispose]: async () => void (await libp2p.stop()),
  };
  await dial();
  if (options.tellsStatus !== false) {
    const { chainId = options.network ?? CHAIN_ID, genesisHash = GENESIS_HASH } = options;
    const status = options.status ?? { height: 5, tipHash: GENESIS_HASH, firstHeight: 0 };
    writeFrame(await peer.open(FIRST_STATUS_PROTOCOL), encode(firstStatusCodec, { chainId, genesisHash, ...status }));
  }
  return peer;
}
