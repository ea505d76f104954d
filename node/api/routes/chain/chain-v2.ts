// The chain under /v2/chain: transactions, submission in several encodings, drafts.
import { checkUnsigned } from "#node/ledger/check-transaction.ts";
import type { Input, Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { fromHex, fromUtf8, toBase64, toHex, tryFromBase64 } from "#shared/util/bytes.ts";
import type { Handlers } from "../../handler-types.ts";
import type { TrialBudget } from "../../security/trial-budget.ts";
import type { ApiServices } from "../../services.ts";
import { pendingChainTransaction } from "./pending-transactions.ts";

type ChainV2Handlers = Pick<Handlers, "getChainTransaction" | "submitChainTransaction" | "draftTransaction">;
type DraftRequest = Input<"draftTransaction">["body"];

const DRAFT_NOTE =
  "Sign the bytes with the Ed25519 key of from, add the signature to tx as base64, and submit within an hour of its timestamp.";

export function createChainV2Handlers(services: ApiServices, budget: TrialBudget): ChainV2Handlers {
  const { explorer, mempool, clock } = services;
  return {
    async getChainTransaction({ tx_id }): Promise<Output<"getChainTransaction">> {
      const pending = mempool.get(tx_id);
      if (pending !== undefined) return pendingChainTransaction(pending);
      const detail = await explorer.chainTransaction(tx_id);
      if (detail === undefined) throw new CodedError("NOT_FOUND", "No block holds a transaction with this id, and none waits for one");
      return detail;
    },
    submitChainTransaction: ({ body }, context): ReturnType<ChainV2Handlers["submitChainTransaction"]> => {
      const tx = submittedTransaction(body);
      return budget.submit(context, tx, () => mempool.submit(tx, clock.nowMs()));
    },
    draftTransaction: ({ body }) => draft(body, services),
  };
}

/** The one transaction of a submission; null and an empty text count as absent. @throws CodedError BAD_REQUEST */
function submittedTransaction({ tx, signed_tx: encoded }: Input<"submitChainTransaction">["body"]): unknown {
  const hasObject = tx !== undefined && tx !== null;
  const hasText = encoded !== undefined && encoded !== null && encoded !== "";
  if (hasObject === hasText) throw new CodedError("BAD_REQUEST", "The body holds either tx or signed_tx: exactly one of them");
  return hasText ? decodeTransaction(encoded) : tx;
}

/** JSON value of its text, or of base64 or hex of the text. No JSON object is hex, and none's base64 is: the first letter differs. */
function decodeTransaction(encoded: string): unknown {
  const text = encoded.trim();
  try {
    if (text.startsWith("{")) return JSON.parse(text);
    const bytes = /^(?:[0-9a-fA-F]{2})+$/.test(text) ? fromHex(text) : tryFromBase64(text);
    if (bytes !== undefined) return JSON.parse(fromUtf8(bytes));
  } catch {
    // Falls through to the one sentence that covers all three encodings.
  }
  throw new CodedError("BAD_REQUEST", "signed_tx is the JSON text of a signed transaction, or base64 or hex of it");
}

async function draft(request: DraftRequest, { node, explorer, clock, random }: ApiServices): Promise<Output<"draftTransaction">> {
  const { memo } = request;
  const first = firstParams(node.genesis.params);
  const { min_fee_ut: minFeeUt = first.min_fee_ut } = (await explorer.parameters({ first, knownVersions: [] })).params;
  const tx = buildTransaction(
    {
      type: "TRANSFER",
      from: parseAccount(request.from),
      to: parseAccount(request.to),
      amount: request.amount_ut,
      ...(request.fee_ut === undefined ? {} : { fee: request.fee_ut }),
      payload: memo === undefined || memo === "" ? {} : { memo },
    },
    { chainId: node.chainId, nowMs: clock.nowMs(), random, minFeeUt },
  );
  const problem = checkUnsigned({ ...tx, signature: "" }, { chainId: node.chainId, minFeeUt });
  if (problem !== undefined) throw new CodedError(problem.code, problem.message);
  const bytes = signedBytes(tx);
  return { tx: { ...tx }, sign_bytes_hex: toHex(bytes), sign_bytes_base64: toBase64(bytes), note: DRAFT_NOTE };
}
