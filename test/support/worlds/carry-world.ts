// Members of a directory that carry each other's mail, in one process: what each is asked goes from function to function, and a test may
// change it on the way.
import { randomBytes } from "node:crypto";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import { createLog } from "#node/observability/log.ts";
import { MailCarriers } from "#node/relay/keepers/carry/mail-carriers.ts";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import { KeeperRanks } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CarryOutcome, CarryRequest, CarryResponse } from "#shared/protocol/mail/carry-messages.ts";
import type { MailRequest, MailResponse } from "#shared/protocol/mail/mail-messages.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { VirtualTime } from "../host/virtual-time.ts";
import { directoryOf, keeperOf } from "../nodes/mail-keepers.ts";
import { actor, CHAIN_ID } from "./ledger-world.ts";

const START_MS = 1_700_000_000_000;

/** A request as it came to a node as a keeper: by whom it was passed on, or asked directly. */
export interface AskedOf {
  readonly node: number;
  readonly by: number;
  readonly isDirect: boolean;
  readonly request: MailRequest;
}

/** What a test does to requests between nodes, by their numbers: undefined leaves them as they are. */
export type Interfere = (
  request: CarryRequest,
  way: { readonly from: number; readonly to: number },
  pass: (request: CarryRequest) => Promise<CarryOutcome>,
) => Promise<CarryOutcome> | undefined;

/** The nodes of a world. */
export interface CarryWorld {
  readonly time: VirtualTime;
  readonly directory: HeldDirectory;
  readonly ranks: KeeperRanks;
  readonly members: readonly number[];
  readonly asked: AskedOf[];
  /** News that node {@link CarryWorld.asker} got, by the keeper that said it. */
  readonly told: { readonly keeper: PublicKeyHex; readonly request: MailRequest }[];
  /** Names of nodes whose connections have ended. */
  readonly away: Set<PeerName>;
  /** Keepers that this node is to watch again. */
  readonly gone: PublicKeyHex[];
  /** Mailboxes that are read at it, which it has not opened. */
  readonly readers: string[];
  readonly asker: MailCarriers;
  interfere: Interfere;
  /** What keepers respond; `done` unless a test says so. */
  respond: (node: number, request: MailRequest) => MailResponse | undefined;
  nodeOf(n: number): MailCarriers;
  numberOf(key: PublicKeyHex): number;
  ask(keeper: number, request: MailRequest): Promise<MailResponse>;
  /** Number of the node that carried the request before. */
  carrierOf(keeper: number, box: string): Promise<number>;
}

/** Number of the node that asks, which is no member. */
export const ASKER = 20;
const SILENT = createLog("json", { write: () => undefined });

/** So many members, and one node that asks. `older` do not speak the protocol. */
export function carryWorld({
  members: count = 10,
  older = [],
  isWanted = true,
}: {
  members?: number;
  older?: readonly number[];
  isWanted?: boolean;
} = {}): CarryWorld {
  const time = new VirtualTime();
  const clock = time.clock(START_MS);
  const directory = new HeldDirectory();
  const ranks = new KeeperRanks(directory, clock);
  const members = Array.from({ length: count }, (_, n) => 30 + n);
  const numbers = new Map([...members, ASKER].map((n) => [actor(n).pub, n]));
  const numberOf = (key: PublicKeyHex): number => numbers.get(key) ?? 0;
  const names = new Map([...members, ASKER].map((n) => [peerNameOf(actor(n).pub), n]));
  const nodes = new Map<number, MailCarriers>();
  const deliver = async (from: number, to: number, request: CarryRequest): Promise<CarryOutcome> => {
    if (older.includes(to)) return { type: "unsupported" };
    const response: CarryResponse | undefined = await nodes.get(to)?.respond(request, peerNameOf(actor(from).pub));
    if (response === undefined) throw new CodedError("UPSTREAM_FAILED", "It does not respond");
    return response;
  };
  const world: CarryWorld = {
    ...{ time, directory, ranks, members, asked: [], told: [], gone: [], away: new Set<PeerName>(), readers: ["aa".repeat(32)] },
    interfere: (): undefined => undefined,
    respond: (): MailResponse => ({ type: "done" }),
    get asker(): MailCarriers {
      return world.nodeOf(ASKER);
    },
    nodeOf(n): MailCarriers {
      const node = nodes.get(n);
      if (node === undefined) throw new Error(`There is no node ${n}`);
      return node;
    },
    numberOf,
    ask: (keeper, request): Promise<MailResponse> => world.asker.mail.ask(actor(keeper).pub, request, new AbortController().signal),
    async carrierOf(keeper, box): Promise<number> {
      await world.ask(keeper, { type: "typing", to: box, from: box, isNews: false });
      return world.asked.at(-1)?.by ?? 0;
    },
  };
  for (const n of [...members, ASKER]) {
    const answer = (request: MailRequest, by: number, isDirect: boolean): MailResponse | undefined => {
      world.asked.push({ node: n, by, isDirect, request });
      return world.respond(n, request);
    };
    const node = new MailCarriers({
      ...{ chainId: CHAIN_ID, ownKey: actor(n).pub, ranks, isWanted, clock, random: randomBytes, log: SILENT },
      relaySecret: new Uint8Array(32).fill(n),
      secret: (): Uint8Array => new Uint8Array(32).fill(n),
      readers: { all: n === ASKER ? world.readers : [] },
      isOpened: (): boolean => false,
      askDirectly: async (keeper, request): Promise<MailResponse> => {
        const to = numberOf(keeper);
        world.asked.push({ node: to, by: n, isDirect: true, request });
        return await Promise.resolve(world.respond(to, request) ?? { type: "busy" });
      },
      send: async ({ key }, request): Promise<CarryOutcome> => {
        const [to, pass] = [numberOf(key), (changed: CarryRequest): Promise<CarryOutcome> => deliver(n, numberOf(key), changed)];
        return await (world.interfere(request, { from: n, to }, pass) ?? pass(request));
      },
      isConnected: (peer: PeerName): boolean => names.has(peer) && !world.away.has(peer),
      partyOf: (peer): string => peer,
      networkOf: (peer): string => peer,
      kept: (boxes): Promise<readonly string[]> => Promise.resolve(boxes),
      respond: (request, from): Promise<MailResponse | undefined> => Promise.resolve(answer(request, names.get(from) ?? 0, false)),
      onNews: (request, from): void => {
        if (n === ASKER) world.told.push({ keeper: actor(names.get(from) ?? 0).pub, request });
      },
      onGone: (keeper): void => void world.gone.push(keeper),
    });
    nodes.set(n, node);
  }
  directory.give(
    directoryOf(
      members.map((n) => keeperOf(n, `/ip4/1.1.${n}.1/tcp/1`)),
      START_MS / 1_000 - 7_200,
    ),
  );
  return world;
}
