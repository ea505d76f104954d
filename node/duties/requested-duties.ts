// What the node's owner may ask it to sign with its own key: a fixed list, each checked against the committed state before it costs a fee.
import type { DutyRequest } from "#shared/api/schemas/duties.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { walletSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { assertPossible, type DutyCheckContext } from "./duty-checks.ts";
import { type DutyContext, ownTransaction } from "./duty-context.ts";

/** What requests need beside the node's account. */
export type RequestedDutyOptions = DutyContext &
  DutyCheckContext & {
    /** True where the validator has another key than the node: then the node's account is no validator's. */
    readonly votesWithSigner?: boolean;
  };

/** Duties that are a validator's, or of who wants to be one. */
const VALIDATOR_DUTIES: ReadonlySet<DutyRequest["duty"]> = new Set(["apply", "leave", "withdraw_bond", "approve", "approve_removal"]);

/** The requests of one node. */
export class RequestedDuties {
  readonly #options: RequestedDutyOptions;
  /** Ids of what was submitted, by what it does; those that failed or no longer wait are dropped with the next request. */
  readonly #submitted = new Map<string, Promise<string>>();

  constructor(options: RequestedDutyOptions) {
    this.#options = options;
  }

  /**
   * Signs and submits what is asked for, and gives the id of its transaction. The same request gives the same id while that waits for its
   * block. @throws CodedError BAD_REQUEST for fields that do not belong to the duty, TX_REJECTED and TX_INSUFFICIENT_BALANCE for what would
   * fail on the chain, and those of the admission.
   */
  async request(request: DutyRequest): Promise<string> {
    if (this.#options.votesWithSigner === true && VALIDATOR_DUTIES.has(request.duty))
      throw new CodedError(
        "TX_REJECTED",
        "The validator's key is in a signer, which signs no such transactions: run parley validator with its key file",
      );
    const draft = draftOf(request, this.#options);
    const name = JSON.stringify(draft);
    await this.#dropSettled();
    const waiting = this.#submitted.get(name);
    if (waiting !== undefined) return await waiting;
    assertPossible(this.#options, request.duty, { target: draft.payload.pub_key, amountUt: draft.amountUt ?? 0 });
    const submitting = this.#submit(draft);
    this.#submitted.set(name, submitting);
    return await submitting;
  }

  async #submit(draft: DutyDraft): Promise<string> {
    const { log, submit } = this.#options;
    const tx = signed(this.#options, draft);
    await submit(tx);
    log.info({ id: tx.id, type: tx.type }, "Submitted at the owner's request");
    return tx.id;
  }

  async #dropSettled(): Promise<void> {
    for (const [name, submitting] of [...this.#submitted]) {
      const id = await submitting.catch(() => undefined);
      if (id === undefined || !this.#options.isPending(id)) this.#submitted.delete(name);
    }
  }
}

interface DutyDraft {
  readonly type: "ADD_VALIDATOR" | "REMOVE_VALIDATOR" | "BIND_WALLET" | "TRANSFER";
  readonly payload: { readonly pub_key?: PublicKeyHex; readonly wallet_pub?: PublicKeyHex; readonly wallet_sig?: string };
  /** Of a payment. */
  readonly to?: PublicKeyHex;
  readonly amountUt?: AmountUt;
}

function signed(options: RequestedDutyOptions, { type, payload, to = "", amountUt = 0 }: DutyDraft): Transaction {
  const { pub_key = "", wallet_pub = "", wallet_sig = "" } = payload;
  if (type === "TRANSFER") return ownTransaction(options, { type, to, amount: amountUt, payload: {} });
  return type === "BIND_WALLET"
    ? ownTransaction(options, { type, payload: { wallet_pub, wallet_sig } })
    : ownTransaction(options, { type, payload: { pub_key } });
}

/** Leaving and fetching the bond are the same transaction: what it does follows from the state. */
function draftOf({ duty, ...fields }: DutyRequest, { key, chainId }: RequestedDutyOptions): DutyDraft {
  const own = key.publicKey;
  const { pub_key, wallet_pub, wallet_sig, amount_ut: amountUt, ...rest } = fields;
  const isOf = (wanted: readonly unknown[], others: readonly unknown[]): void => {
    if (wanted.includes(undefined) || others.some((field) => field !== undefined) || Object.keys(rest).length > 0)
      throw new CodedError("BAD_REQUEST", `${duty} takes ${FIELDS[duty]}`);
  };
  switch (duty) {
    case "apply":
    case "leave":
    case "withdraw_bond":
      isOf([], [pub_key, wallet_pub, wallet_sig, amountUt]);
      return { type: duty === "apply" ? "ADD_VALIDATOR" : "REMOVE_VALIDATOR", payload: { pub_key: own } };
    case "approve":
    case "approve_removal": {
      isOf([pub_key], [wallet_pub, wallet_sig, amountUt]);
      const key = parseAccount(pub_key ?? "");
      if (key === own) throw new CodedError("BAD_REQUEST", `${duty} is about another validator: use apply or leave for this node`);
      return { type: duty === "approve" ? "ADD_VALIDATOR" : "REMOVE_VALIDATOR", payload: { pub_key: key } };
    }
    case "bind_wallet":
      isOf([wallet_pub, wallet_sig], [pub_key, amountUt]);
      return { type: "BIND_WALLET", payload: { wallet_pub: parseAccount(wallet_pub ?? ""), wallet_sig: wallet_sig ?? "" } };
    case "unbind_wallet": {
      isOf([], [pub_key, wallet_pub, wallet_sig, amountUt]);
      // A binding to the node's own key ends it; the key agrees like any wallet.
      const agreement = toBase64(signEd25519(walletSignBytes(chainId, own), key.secret));
      return { type: "BIND_WALLET", payload: { wallet_pub: own, wallet_sig: agreement } };
    }
    case "pay_wallet": {
      isOf([wallet_pub, amountUt], [pub_key, wallet_sig]);
      const to = parseAccount(wallet_pub ?? "");
      if (to === own) throw new CodedError("BAD_REQUEST", "pay_wallet is for a wallet: this is the node's own account");
      return { type: "TRANSFER", payload: {}, to, amountUt: amountUt ?? 0 };
    }
  }
}

const FIELDS: Readonly<Record<DutyRequest["duty"], string>> = {
  apply: "no further field",
  leave: "no further field",
  withdraw_bond: "no further field",
  approve: "pub_key alone",
  approve_removal: "pub_key alone",
  bind_wallet: "wallet_pub and wallet_sig",
  unbind_wallet: "no further field",
  pay_wallet: "wallet_pub and amount_ut",
};
