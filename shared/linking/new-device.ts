// The device that is to be linked, as a pure machine: it says hello under the code, shows two digits, and waits to be let in.
import { type BoxKeyPair, boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { LinkSecret } from "./link-code.ts";
import { agreeOnSession, commitmentTo, type LinkSession } from "./link-keys.ts";
import type { LinkEnd, LinkGrant, LinkMessage, NewDevice } from "./link-message.ts";
import { CODE_LIFETIME_MS, type LinkStep } from "./old-device.ts";

/** A device that shows its code answers within seconds: after this time there is none, or its code is of no use any more. */
export const RESPONSE_TIMEOUT_MS = 30_000;
const KEY_BYTES = 32;
const NONCE_BYTES = 16;

interface Asking {
  readonly chainId: string;
  readonly secret: LinkSecret;
  readonly own: BoxKeyPair;
  readonly nonce: Uint8Array;
  readonly device: NewDevice;
  readonly startedAtMs: number;
}

export type NewDeviceState =
  | ({ readonly phase: "asking" } & Asking)
  /** The digits are shown. */
  | { readonly phase: "showing"; readonly session: LinkSession; readonly startedAtMs: number }
  | { readonly phase: "granted"; readonly session: LinkSession; readonly grant: LinkGrant }
  /** `silent`: no device has responded. */
  | { readonly phase: "ended"; readonly reason: LinkEnd | "silent" };

/** What happens to it. */
export type NewDeviceInput =
  | { readonly kind: "message"; readonly message: LinkMessage }
  | { readonly kind: "cancel" }
  | { readonly kind: "time" };

/** Begins: the state, and the first message. */
export function askForLink(
  ask: Pick<Asking, "chainId" | "secret" | "device">,
  nowMs: number,
  random: RandomBytes,
): LinkStep<NewDeviceState> {
  const own = boxKeyPair(random(KEY_BYTES));
  const nonce = random(NONCE_BYTES);
  return {
    state: { phase: "asking", ...ask, own, nonce, startedAtMs: nowMs },
    send: [{ kind: "hello", commitment: commitmentTo(own.publicKey, nonce) }],
  };
}

/** The next state. */
export function stepNewDevice(state: NewDeviceState, input: NewDeviceInput, nowMs: number): LinkStep<NewDeviceState> {
  if (state.phase === "ended" || state.phase === "granted") return stay(state);
  if (input.kind === "cancel") return { state: { phase: "ended", reason: "cancelled" }, send: [{ kind: "end", reason: "cancelled" }] };
  if (input.kind === "message") return receive(state, input.message);
  const limitMs = state.phase === "asking" ? RESPONSE_TIMEOUT_MS : CODE_LIFETIME_MS;
  if (nowMs - state.startedAtMs < limitMs) return stay(state);
  return stay({ phase: "ended", reason: state.phase === "asking" ? "silent" : "expired" });
}

function receive(state: Extract<NewDeviceState, { readonly phase: "asking" | "showing" }>, message: LinkMessage): LinkStep<NewDeviceState> {
  if (message.kind === "end") return stay({ phase: "ended", reason: message.reason });
  if (message.kind === "offer" && state.phase === "asking") return reveal(state, message.key);
  if (message.kind === "grant" && state.phase === "showing") {
    const { kind: _, ...grant } = message;
    return stay({ phase: "granted", session: state.session, grant });
  }
  return stay(state);
}

function reveal(state: Extract<NewDeviceState, { readonly phase: "asking" }>, oldPub: Uint8Array): LinkStep<NewDeviceState> {
  const { chainId, secret, own, nonce, device, startedAtMs } = state;
  const commitment = commitmentTo(own.publicKey, nonce);
  const session = agreeOnSession(own.secretKey, oldPub, { chainId, secret, commitment, oldPub, freshPub: own.publicKey, nonce });
  if (session === undefined) return { state: { phase: "ended", reason: "broken" }, send: [{ kind: "end", reason: "broken" }] };
  return {
    state: { phase: "showing", session, startedAtMs },
    send: [
      { kind: "reveal", key: own.publicKey, nonce },
      { kind: "device", ...device },
    ],
  };
}

function stay(state: NewDeviceState): LinkStep<NewDeviceState> {
  return { state, send: [] };
}
