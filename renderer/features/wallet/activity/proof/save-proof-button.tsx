// Saves the proof of a payment as a file that anyone can check.
import { useMutation } from "@tanstack/react-query";
import { FileCheck } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { saveTextFile } from "#renderer/lib/browser/save-file.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";

export function SaveProofButton({ id }: { readonly id: string }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { client } = useNode();
  const proof = useMutation({ mutationFn: async () => await (await import("./payment-proof.ts")).makeProof(client, id) });
  const save = (): void =>
    proof.mutate(undefined, {
      onSuccess: (made) => {
        if ("problem" in made) return toasts.show({ title: t(`proof.problem.${made.problem}`), tone: "danger" });
        saveTextFile(`parley-payment-${id.slice(0, 12)}.json`, made.text, "application/json");
        toasts.show({ title: t("proof.saved"), description: t("proof.savedText"), tone: "success" });
      },
      onError: toasts.showError,
    });
  return (
    <Button icon={FileCheck} busy={proof.isPending} onClick={save}>
      {t("proof.save")}
    </Button>
  );
}
