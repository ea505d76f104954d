// Asks the shell to have the node do something with its own key. The shell's window asks the person; what comes of it shows in the chain.
import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { NodeDuty } from "#shared/desktop/node-duty.ts";
import { useToasts } from "../feedback/toast.tsx";

/** The duty as a mutation: its result is the id of the transaction. */
export function useNodeDuty(desktop: DesktopApi | undefined): UseMutationResult<string, Error, NodeDuty> {
  const t = useMessages();
  const toasts = useToasts();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (duty) => {
      if (desktop === undefined) throw new Error(t("errors.unexpected"));
      return await desktop.call("nodeDuty", duty);
    },
    onSuccess: async () => {
      toasts.show({ title: t("transactions.submitted"), description: t("transactions.submittedText") });
      announce(t("transactions.submitted"));
      // It may be in a block before the page knows its id.
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.validators }),
        queryClient.invalidateQueries({ queryKey: queryKeys.allNodeStats }),
      ]);
    },
    onError: (error) => toasts.showError(error),
  });
}
