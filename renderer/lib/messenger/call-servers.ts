// Which relays a call may use: the one that the person named, else the one that their node offers.
import type { NodeClient } from "#shared/api/client.ts";
import { type OwnCallRelay, relayUrls } from "./own-call-relay.ts";

/** How long the node may take: a call does not wait for it. */
const ASK_MS = 3_000;
/** How long a relay may take to answer, milliseconds. */
export const RELAY_ANSWER_MS = 5_000;

/** The servers for one call; none where there is no relay. Never fails. */
export async function callServers(client: Pick<NodeClient, "openCallRelay">, own: OwnCallRelay | null): Promise<RTCIceServer[]> {
  if (own !== null) {
    const { address, username, password } = own;
    return [{ urls: [...(relayUrls(address) ?? [])], username, credential: password }].filter(({ urls }) => urls.length > 0);
  }
  try {
    const { urls, username, credential } = await client.openCallRelay({ body: {} }, { signal: AbortSignal.timeout(ASK_MS) });
    return [{ urls, username, credential }];
  } catch {
    // The node offers none, offers it to its owner alone, or is gone.
    return [];
  }
}

/** Whether a relay gives this device an address. */
export async function isRelayThere(servers: RTCIceServer[]): Promise<boolean> {
  if (servers.length === 0) return false;
  const peer = new RTCPeerConnection({ iceServers: servers, iceTransportPolicy: "relay" });
  try {
    peer.createDataChannel("");
    await peer.setLocalDescription();
    return await hasRelayed(peer);
  } catch {
    return false;
  } finally {
    peer.close();
  }
}

/** Resolves with the first address of a relay, with false once there is none or it takes too long. */
export function hasRelayed(peer: RTCPeerConnection): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), RELAY_ANSWER_MS);
    const look = (): void => {
      const isFound = / typ relay /.test(peer.localDescription?.sdp ?? "");
      if (!isFound && peer.iceGatheringState !== "complete") return;
      clearTimeout(timer);
      resolve(isFound);
    };
    peer.addEventListener("icecandidate", look);
    peer.addEventListener("icegatheringstatechange", look);
    look();
  });
}
