// The device that shows the code, as a pure machine: inputs in, next state and messages out. It lets in one device, once, within five
// minutes, and only with the two digits that the new one shows.
import type { BoxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { LinkSecret } from "./link-code.ts";
import { agreeOnSession, type LinkSession, matchesCommitment } from "./link-keys.ts";
import type { LinkEnd, LinkMessage, NewDevice } from "./link-message.ts";

/** A code holds so long. */
export const CODE_LIFETIME_MS = 300_000;

interface LinkOffer {
  readonly chainId: string;
  readonly secret: LinkSecret;
  /** Used for this linking only. */
  readonly own: BoxKeyPair;
  readonly expiresAtMs: number;
}

export type OldDeviceState =
  /** The code is shown. */
  | ({ readonly phase: "offering" } & LinkOffer)
  /** A device has answered; its key is still to come. */
  | ({ readonly phase: "answered"; readonly commitment: Uint8Array } & LinkOffer)
  /** The person types the digits; `device` follows by itself. */
  | ({
      readonly phase: "checking";
      readonly commitment: Uint8Array;
      readonly session: LinkSession;
      readonly device: NewDevice | undefined;
    } & LinkOffer)
  /** The digits were right: the person may let the device in. */
  | { readonly phase: "accepted"; readonly session: LinkSession; readonly device: NewDevice }
  | { readonly phase: "ended"; readonly reason: LinkEnd };

/** What happens to it. */
export type OldDeviceInput =
  | { readonly kind: "message"; readonly message: LinkMessage }
  | { readonly kind: "digits"; readonly digits: string }
  /** The device was notified that it is let in. */
  | { readonly kind: "granted" }
  | { readonly kind: "cancel" }
  | { readonly kind: "time" };

/** A step: the next state, and what is to be sent. */
export interface LinkStep<State> {
  readonly state: State;
  readonly send: readonly LinkMessage[];
}

/** A device that shows a code from now on. */
export function createLinkOffer(offer: Omit<LinkOffer, "expiresAtMs">, nowMs: number): OldDeviceState {
  return { phase: "offering", ...offer, expiresAtMs: nowMs + CODE_LIFETIME_MS };
}

/** The next state. */
export function stepOldDevice(state: OldDeviceState, input: OldDeviceInput, nowMs: number): LinkStep<OldDeviceState> {
  if (state.phase === "ended") return rejectLateDevice(state, input);
  if (input.kind === "cancel") return end("cancelled");
  if (input.kind === "message" && input.message.kind === "end")
    return { state: { phase: "ended", reason: input.message.reason }, send: [] };
  if (state.phase === "accepted") return stay(input.kind === "granted" ? { phase: "ended", reason: "done" } : state);
  if (nowMs >= state.expiresAtMs) return end("expired");
  if (input.kind === "message") return receive(state, input.message);
  if (input.kind === "digits" && state.phase === "checking") return check(state, input.digits);
  return stay(state);
}

function receive(state: Exclude<OldDeviceState, { readonly phase: "accepted" | "ended" }>, message: LinkMessage): LinkStep<OldDeviceState> {
  if (message.kind === "hello") {
    if (state.phase === "offering")
      return {
        state: { ...state, phase: "answered", commitment: message.commitment },
        send: [{ kind: "offer", key: state.own.publicKey }],
      };
    return equalBytes(message.commitment, state.commitment) ? stay(state) : end("used");
  }
  if (message.kind === "reveal" && state.phase === "answered") {
    const { chainId, secret, commitment, own } = state;
    const transcript = { chainId, secret, commitment, oldPub: own.publicKey, freshPub: message.key, nonce: message.nonce };
    const session = matchesCommitment(transcript) ? agreeOnSession(own.secretKey, message.key, transcript) : undefined;
    return session === undefined ? end("broken") : stay({ ...state, phase: "checking", session, device: undefined });
  }
  if (message.kind === "device" && state.phase === "checking" && state.device === undefined) {
    const { devicePub, signingPub, name } = message;
    return stay({ ...state, device: { devicePub, signingPub, name } });
  }
  return stay(state);
}

function check(state: Extract<OldDeviceState, { readonly phase: "checking" }>, digits: string): LinkStep<OldDeviceState> {
  const { session, device } = state;
  if (device === undefined) return stay(state);
  return digits === session.digits ? stay({ phase: "accepted", session, device }) : end("wrongDigits");
}

/** A device that uses the code once more gets the end. */
function rejectLateDevice(state: Extract<OldDeviceState, { readonly phase: "ended" }>, input: OldDeviceInput): LinkStep<OldDeviceState> {
  const isLate = input.kind === "message" && input.message.kind === "hello";
  return { state, send: isLate ? [{ kind: "end", reason: state.reason === "expired" ? "expired" : "used" }] : [] };
}

function end(reason: LinkEnd): LinkStep<OldDeviceState> {
  return { state: { phase: "ended", reason }, send: [{ kind: "end", reason }] };
}

function stay(state: OldDeviceState): LinkStep<OldDeviceState> {
  return { state, send: [] };
}
