// A relay of calls that serves: sockets, requests, and the clock that ends what is over.
import { randomBytes } from "node:crypto";
import type { CallRelayConfig } from "#node/config/network/call-relay-config.ts";
import { PeerRules } from "../rules/peer-rules.ts";
import type { RelaySocket } from "./allocation.ts";
import { type CallRelayFigures, RelayRequests } from "./requests.ts";
import { listenForClients, openRelaySocket } from "./sockets.ts";
import type { RelayDay } from "./traffic.ts";

const SWEEP_MS = 5_000;

/** How a relay is set up; can be sent to a thread. A port of 0 takes a free one. */
export interface CallRelaySettings extends CallRelayConfig {
  /** Of this start: credentials are made with it. */
  readonly secret: Uint8Array;
  /** What a thread before this one had passed on. */
  readonly day?: RelayDay;
}

export interface ServingRelay {
  /** Port for clients. */
  readonly port: number;
  figures(): CallRelayFigures;
  /** How far the day is. */
  day(): RelayDay;
  close(): Promise<void>;
}

/** Serves until it is closed. @throws the system's error where it cannot listen */
export async function serveCallRelay(settings: CallRelaySettings): Promise<ServingRelay> {
  const { secret, host, port, address, firstPort, lastPort, allowsPrivate, dailyBytes, day } = settings;
  const requests = new RelayRequests({
    secret,
    address,
    dailyBytes,
    ...(day && { day }),
    rules: new PeerRules(allowsPrivate, address),
    openSocket: (onPacket): Promise<RelaySocket | undefined> => openRelaySocket({ address: host, firstPort, lastPort }, onPacket),
    monotonicMs: (): number => performance.now(),
    nowSec: (): number => Math.floor(Date.now() / 1_000),
    randomBytes,
  });
  const listener = await listenForClients({ address: host, port }, requests);
  const sweeping = setInterval(() => requests.sweep(), SWEEP_MS);
  return {
    port: listener.port,
    figures: (): CallRelayFigures => requests.figures(),
    day: (): RelayDay => requests.day(),
    close: async (): Promise<void> => {
      clearInterval(sweeping);
      requests.close();
      await listener.close();
    },
  };
}
