// What views ask of the part that runs calls, which is loaded apart.
import { create } from "zustand";
import type { CallMedia } from "#shared/content/chat/call-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

interface CallRequests {
  /** Whom to call; taken by the part that does it. */
  readonly wanted: { readonly peer: PublicKeyHex; readonly media: CallMedia } | null;
}

export const useCallRequests = create<CallRequests>()(() => ({ wanted: null }));

/** Calls a contact, once the person at this desk knows what a call shows. */
export function requestCall(peer: PublicKeyHex, media: CallMedia): void {
  useCallRequests.setState({ wanted: { peer, media } });
}

/** Takes the request. */
export function takeCallRequest(): CallRequests["wanted"] {
  const { wanted } = useCallRequests.getState();
  if (wanted !== null) useCallRequests.setState({ wanted: null });
  return wanted;
}

/** False where the browser takes no calls, as on a page without TLS from another machine. */
export function canCall(): boolean {
  return typeof RTCPeerConnection === "function" && navigator.mediaDevices?.getUserMedia !== undefined;
}
