// What became of an intent whose sheet was left while it was signed and sent: a toast, as nothing else on the screen would say it.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import type { ToastContent } from "#renderer/lib/toast-queue.ts";
import { followPending } from "#renderer/lib/transactions/pending-store.ts";
import { uncertainOf } from "#renderer/lib/transactions/sending/intent-attempts.ts";
import { kindLabel, kindOfIntent } from "#renderer/lib/transactions/transaction-kind.ts";
import type { IntentKind } from "#shared/keyring/intents/intents.ts";

/** Words of a failure for one who is elsewhere by now: it was not sent, or that is not known yet; then its outcome takes this toast's place. */
export function leftBehind(t: Translate, intent: IntentKind, error: unknown): ToastContent {
  const kind = kindLabel(t, kindOfIntent(intent));
  const signed = uncertainOf(error);
  if (signed === undefined)
    return { title: t("transactions.leftUnsent", { kind }), description: errorInWords(t, error).text, tone: "danger" };
  followPending(signed.transaction.id);
  return {
    id: signed.transaction.id,
    title: t("transactions.leftUncertain", { kind }),
    description: t("transactions.leftUncertainText"),
    tone: "warning",
  };
}
