// Takes back a payment that waits by the spending rules.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { refreshSpending } from "#renderer/lib/keyring/use-spending.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { useToasts } from "../feedback/toast.tsx";

/** The way to cancel it; a toast says whether anything was paid. */
export function useCancelWaiting(): { readonly cancel: (id: string) => void; readonly isPending: boolean } {
  const t = useMessages();
  const keyring = useKeyring();
  const toasts = useToasts();
  const cache = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (id: string) => {
      await keyring.cancelHeldPayment({ id });
      await refreshSpending(cache);
    },
    onSuccess: () => toasts.show({ title: t("spending.cancelled"), tone: "success" }),
    onError: (error) => {
      // Another window was faster: then nothing here says that nothing was paid.
      const isTooLate = isCodedError(error, "NOT_FOUND") || isCodedError(error, "PAYMENT_UNDER_WAY");
      if (isTooLate) toasts.show({ title: t("spending.tooLate"), tone: "danger" });
      else toasts.showError(error);
      void refreshSpending(cache);
    },
  });
  return { cancel: mutate, isPending };
}
