// Keys and signatures of a generated chain by libsodium: it is made by signing more than by anything else.
import { createRequire } from "node:module";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { formatTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { minimumFeeUt } from "#shared/protocol/transactions/minimum-fee.ts";
import { encodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Transaction, UnsignedTransaction } from "#shared/protocol/transactions/transaction.ts";
import { signedBytes, TX_ID_SALT_BYTES, transactionId } from "#shared/protocol/transactions/transaction-id.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { seedOfNumber } from "../load/accounts.ts";
import type { AccountNumber, PlannedTransfer } from "./chain-recipe.ts";

/** Functions of the binary. They do not check lengths. */
interface SigningBinary {
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): number;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): number;
}

const SECRET_BYTES = 64;
const PUBLIC_AT = 32;
const PAYLOAD = encodePayload<"TRANSFER">({});
const FEE_UT = minimumFeeUt(PAYLOAD);

/** Signs transfers of numbered accounts, whose keys are made when they are first needed. */
export class SigningAccounts {
  readonly #binary: SigningBinary;
  readonly #chainId: string;
  readonly #treasury: Buffer;
  readonly #secrets: (Buffer | undefined)[];
  /** A block's transfers have one time. */
  #time = { ms: Number.NaN, text: "" };

  constructor(chainId: string, treasurySeed: Uint8Array, accounts: number) {
    const name = `sodium-native/prebuilds/${process.platform}-${process.arch}/sodium-native.node`;
    this.#binary = createRequire(import.meta.url)(name) as SigningBinary;
    this.#chainId = chainId;
    this.#treasury = this.#secretOf(treasurySeed);
    this.#secrets = new Array<Buffer | undefined>(accounts).fill(undefined);
  }

  /** The signed transfer with a number of its own, which makes its id. */
  transfer({ from, to, amountUt }: PlannedTransfer, number: number, timeMs: number): Transaction {
    const secret = this.#secret(from);
    const salt = Buffer.alloc(TX_ID_SALT_BYTES);
    // All zeros have a meaning of their own.
    salt.writeBigUInt64BE(BigInt(number + 1));
    if (this.#time.ms !== timeMs) this.#time = { ms: timeMs, text: formatTimestamp(timeMs) };
    const draft: UnsignedTransaction = {
      id: "",
      type: "TRANSFER",
      from: publicKeyOf(secret),
      to: publicKeyOf(this.#secret(to)),
      amount: amountUt,
      fee: FEE_UT,
      payload: PAYLOAD,
      timestamp: this.#time.text,
    };
    const unsigned = { ...draft, id: transactionId(this.#chainId, salt, draft, nativeSha256) };
    const signature = new Uint8Array(SECRET_BYTES);
    this.#binary.crypto_sign_detached(signature, signedBytes(unsigned), secret);
    return { ...unsigned, signature: toBase64(signature) };
  }

  #secret(number: AccountNumber): Buffer {
    if (number === "treasury") return this.#treasury;
    const known = this.#secrets[number];
    if (known !== undefined) return known;
    const secret = this.#secretOf(seedOfNumber(number));
    this.#secrets[number] = secret;
    return secret;
  }

  #secretOf(seed: Uint8Array): Buffer {
    const secret = Buffer.alloc(SECRET_BYTES);
    this.#binary.crypto_sign_seed_keypair(Buffer.alloc(PUBLIC_AT), secret, seed);
    return secret;
  }
}

/** A secret key ends with the public one. */
function publicKeyOf(secret: Uint8Array): string {
  return toHex(secret.subarray(PUBLIC_AT));
}
