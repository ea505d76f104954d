// Sound and pictures of one call over WebRTC: the two devices find each other by the addresses in their descriptions, straight or through a
// relay that one of them has.
// Microphone and camera are let go of with the session, whatever happens.
import { hasRelayed } from "#renderer/lib/messenger/call-servers.ts";
import { checkedDescription, hasRelay, serversOf } from "./session-description.ts";

/** How long addresses of this device are collected, milliseconds. */
const GATHER_MS = 2_000;
/** How often it is looked whether pictures come. */
const WATCH_MS = 1_000;
const CODECS: Readonly<Record<string, readonly string[]>> = { audio: ["audio/opus"], video: ["video/vp8", "video/rtx"] };

/** How sound and pictures get to the other side. */
export type CallPath = "direct" | "relay";

/** This device shall be reached through a relay alone, and none answers. */
export class NoRelayError extends Error {}

export interface SessionOptions {
  readonly withVideo: boolean;
  /** Relays that this side may use. */
  readonly servers: Promise<RTCIceServer[]>;
  /** The other side learns no address of this device. */
  readonly isRelayOnly: boolean;
}

export interface SessionEvents {
  onConnected(): void;
  /** There is no path, or none any more. */
  onDisconnected(): void;
  /** The path is interrupted, or there again. */
  onShaky(isShaky: boolean): void;
  /** Pictures of the other side come, or no longer. */
  onRemoteVideo(isComing: boolean): void;
  onPath(path: CallPath): void;
}

/** One session. `stream` is what the own camera shows, `remote` what comes. */
export class PeerSession {
  readonly remote = new MediaStream();
  readonly #peer: RTCPeerConnection;
  readonly #own: MediaStream;
  readonly #watch: ReturnType<typeof setInterval>;
  readonly #events: SessionEvents;
  #frames = 0;
  #hasRemoteVideo = false;
  #isClosed = false;
  readonly #isRelayOnly: boolean;
  #path: CallPath | undefined;

  private constructor(
    own: MediaStream,
    servers: RTCIceServer[],
    { isRelayOnly, events }: { readonly isRelayOnly: boolean; readonly events: SessionEvents },
  ) {
    this.#own = own;
    this.#events = events;
    this.#isRelayOnly = isRelayOnly;
    this.#peer = new RTCPeerConnection({
      iceServers: servers,
      iceTransportPolicy: isRelayOnly ? "relay" : "all",
      bundlePolicy: "max-bundle",
      rtcpMuxPolicy: "require",
    });
    this.#peer.addEventListener("connectionstatechange", () => this.#follow());
    this.#watch = setInterval(() => void this.#look(), WATCH_MS);
  }

  /** Asks for the microphone, and the camera where it is wanted. @throws DOMException of the browser */
  static async open({ withVideo, servers, isRelayOnly }: SessionOptions, events: SessionEvents): Promise<PeerSession> {
    const own = await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
      video: withVideo ? VIDEO : false,
    });
    try {
      return new PeerSession(own, await servers, { isRelayOnly, events });
    } catch (error) {
      for (const track of own.getTracks()) track.stop();
      throw error;
    }
  }

  get ownVideo(): MediaStream | null {
    return this.#own.getVideoTracks().length === 0 ? null : this.#own;
  }

  /** Whether one of the two has an address of a relay. */
  get hasRelay(): boolean {
    const { localDescription, remoteDescription } = this.#peer;
    return [localDescription, remoteDescription].some((description) => hasRelay(description?.sdp ?? ""));
  }

  /** Describes this device to the one that is called. There is always a place for pictures, so that a camera can be turned on later. */
  async offer(): Promise<string> {
    for (const kind of ["audio", "video"] as const) {
      const [track] = this.#own.getTracks().filter((own) => own.kind === kind);
      this.#prefer(this.#peer.addTransceiver(track ?? kind, { direction: "sendrecv", streams: [this.#own] }), kind);
    }
    await this.#peer.setLocalDescription(await this.#peer.createOffer());
    return this.#described();
  }

  /** Describes this device to the one that calls. @throws TypeError or RangeError for a description that is none of a call */
  async answer(offer: string): Promise<string> {
    const sdp = checkedDescription(offer);
    if (!this.#isRelayOnly) {
      const configuration = this.#peer.getConfiguration();
      this.#peer.setConfiguration({ ...configuration, iceServers: [...(configuration.iceServers ?? []), ...serversOf(sdp)] });
    }
    await this.#peer.setRemoteDescription({ type: "offer", sdp });
    for (const transceiver of this.#peer.getTransceivers()) {
      const { kind } = transceiver.receiver.track;
      const [track] = this.#own.getTracks().filter((own) => own.kind === kind);
      transceiver.direction = "sendrecv";
      if (track !== undefined) await transceiver.sender.replaceTrack(track);
      this.#prefer(transceiver, kind);
    }
    await this.#peer.setLocalDescription(await this.#peer.createAnswer());
    this.#receive();
    return this.#described();
  }

  /** Takes what the other device has answered. @throws TypeError, RangeError, DOMException */
  async takeAnswer(answer: string): Promise<void> {
    await this.#peer.setRemoteDescription({ type: "answer", sdp: checkedDescription(answer) });
    this.#receive();
  }

  setMuted(isMuted: boolean): void {
    for (const track of this.#own.getAudioTracks()) track.enabled = !isMuted;
  }

  /** Turns the camera on, or off and lets go of it. @throws DOMException of the browser */
  async setCamera(isOn: boolean): Promise<void> {
    const sender = this.#peer.getTransceivers().find(({ receiver }) => receiver.track.kind === "video")?.sender;
    if (!isOn) {
      for (const track of this.#own.getVideoTracks()) {
        track.stop();
        this.#own.removeTrack(track);
      }
      await sender?.replaceTrack(null);
      return;
    }
    if (this.#own.getVideoTracks().length > 0) return;
    const [track] = (await navigator.mediaDevices.getUserMedia({ video: VIDEO })).getVideoTracks();
    if (track === undefined) return;
    if (this.#isClosed || sender === undefined) return track.stop();
    this.#own.addTrack(track);
    await sender.replaceTrack(track);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watch);
    for (const track of this.#own.getTracks()) track.stop();
    this.#peer.close();
  }

  #prefer(transceiver: RTCRtpTransceiver, kind: string): void {
    const wanted = CODECS[kind] ?? [];
    const codecs = (RTCRtpReceiver.getCapabilities(kind)?.codecs ?? []).filter(({ mimeType }) => wanted.includes(mimeType.toLowerCase()));
    if (codecs.length > 0) transceiver.setCodecPreferences?.(codecs);
  }

  #receive(): void {
    for (const { track } of this.#peer.getReceivers()) this.remote.addTrack(track);
  }

  /** The own description with all addresses that were found in time. @throws NoRelayError */
  async #described(): Promise<string> {
    const peer = this.#peer;
    if (this.#isRelayOnly && !(await hasRelayed(peer))) throw new NoRelayError("No relay answers");
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      const look = (): void => {
        if (peer.iceGatheringState !== "complete") return;
        clearTimeout(timer);
        resolve();
      };
      peer.addEventListener("icegatheringstatechange", look);
      look();
    });
    return checkedDescription(peer.localDescription?.sdp ?? "", this.#isRelayOnly);
  }

  #follow(): void {
    if (this.#isClosed) return;
    const { connectionState } = this.#peer;
    if (connectionState === "connected") {
      this.#events.onConnected();
      void this.#look();
    }
    if (connectionState === "failed" || connectionState === "closed") this.#events.onDisconnected();
    this.#events.onShaky(connectionState === "disconnected");
  }

  /** Which way the call goes, and whether pictures come. */
  async #look(): Promise<void> {
    if (this.#peer.connectionState !== "connected") return;
    const reports = await this.#peer.getStats();
    if (this.#isClosed) return;
    this.#lookForPictures(reports);
    const path = pathOf(reports);
    if (path === undefined || path === this.#path) return;
    this.#path = path;
    this.#events.onPath(path);
  }

  /** They come as long as there are new ones: a camera that is off sends none. */
  #lookForPictures(reports: RTCStatsReport): void {
    let frames = 0;
    for (const report of reports.values())
      if (report.type === "inbound-rtp" && report.kind === "video") frames += report.framesDecoded ?? 0;
    const isComing = frames > this.#frames;
    this.#frames = frames;
    if (isComing === this.#hasRemoteVideo) return;
    this.#hasRemoteVideo = isComing;
    this.#events.onRemoteVideo(isComing);
  }
}

/** The way of the pair of addresses in use; undefined before there is one. */
function pathOf(reports: RTCStatsReport): CallPath | undefined {
  for (const report of reports.values()) {
    const pair = report.type === "transport" ? reports.get(report.selectedCandidatePairId) : undefined;
    if (pair === undefined) continue;
    const ends = [pair.localCandidateId, pair.remoteCandidateId].map((id) => reports.get(id)?.candidateType);
    return ends.includes("relay") ? "relay" : "direct";
  }
  return undefined;
}

const VIDEO: MediaTrackConstraints = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };
