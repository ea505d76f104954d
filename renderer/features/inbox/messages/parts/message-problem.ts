// Why a message is not sent, in the words of the catalogue.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { MessengerProblem } from "#shared/messenger/model/message.ts";

/** Why a message is not on its way. */
export function problemInWords(t: Translate, problem: MessengerProblem): string {
  switch (problem.code) {
    case "NO_ENCRYPTION_KEY":
      return t("inbox.problem.noKey");
    case "DEVICE_NOT_PUBLISHED":
      return t("inbox.problem.notPublished");
    case "DEVICE_SILENT":
      return t("inbox.problem.silent");
    case "DEVICE_WITHOUT_CARD":
      return deviceProblemInWords(t, undefined);
    case "UNAVAILABLE":
      return t("inbox.problem.offline");
    case "KEYRING_LOCKED":
      return t("inbox.problem.locked");
    case "RELAY_FULL":
    case "MAILBOX_FULL":
      return t("inbox.problem.full");
    case "INTERNAL":
    case "UPSTREAM_FAILED":
    case "RATE_LIMITED":
      return t("inbox.problem.node");
    default:
      return t("inbox.problem.other", { message: problem.message });
  }
}

/** Why a message waits for one device, by the name that its person has published; undefined while that is not known. */
export function deviceProblemInWords(t: Translate, name: string | undefined): string {
  return name === undefined || name === "" ? t("inbox.problem.noCard") : t("inbox.problem.noCardOf", { name });
}
