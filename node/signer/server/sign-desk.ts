// Decides about one request for a signature: what the bytes are, whether the request says the same, and what the memory allows.
import { comparePositions } from "#node/engine/log/sign-guard.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { RememberedSignature, SignerMemory, SigningOutcome } from "../memory/signer-memory.ts";
import type { LastSigned, SignRequest } from "../wire/messages.ts";
import { readSignedBytes, type SignedContent } from "../wire/signed-bytes.ts";

/** A signature, a refusal of this request, or what no node of this validator would ever ask for. */
export type DeskOutcome = SigningOutcome | { readonly offence: string };

export interface SignDeskOptions {
  readonly chainId: string;
  readonly publicKey: PublicKeyHex;
  readonly memory: SignerMemory;
}

/** Signs for a validator on one chain. */
export class SignDesk {
  readonly #options: SignDeskOptions;

  constructor(options: SignDeskOptions) {
    this.#options = options;
  }

  get chainId(): string {
    return this.#options.chainId;
  }

  get publicKey(): PublicKeyHex {
    return this.#options.publicKey;
  }

  /** The newest signature, as it is sent. */
  get last(): LastSigned {
    return lastOf(this.#options.memory.last);
  }

  /** @throws what storing the signature failed with: nothing was signed. */
  sign(nodeKey: PublicKeyHex, request: SignRequest): DeskOutcome {
    const { chainId, memory } = this.#options;
    const content = readSignedBytes(chainId, request.bytes);
    if (content.type === "unsignable") return { offence: content.reason };
    if (!isSame(request, content)) return { offence: "the request names another purpose or position than its bytes" };
    if (content.type === "consensus") return memory.sign(nodeKey, { ...content, signBytes: request.bytes });
    if (content.type === "parts") return memory.signParts(content, request.bytes);
    const { validator, node } = content.seat;
    if (validator !== this.#options.publicKey || node !== nodeKey)
      return { offence: "a seat is of this signer's validator and of the node that asks" };
    return memory.signFreely(request.bytes);
  }
}

function isSame({ purpose, height, round }: SignRequest, content: SignedContent): boolean {
  if (content.type === "consensus")
    return content.position.step === purpose && comparePositions(content.position, { height, round, step: purpose }) === 0;
  if (content.type === "parts") return purpose === "parts" && content.height === height && content.round === round;
  return purpose === "seat" && height === 0 && round === 0;
}

function lastOf(last: RememberedSignature | undefined): LastSigned {
  if (last === undefined) return null;
  const { position, signBytes, signature } = last;
  return { ...position, signBytes, signature };
}
