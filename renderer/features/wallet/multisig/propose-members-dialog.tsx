// Proposing other members of a multisig.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import send from "../send/send.module.css";
import type { PurseDialogProps } from "./deposit-dialog.tsx";
import { MembersFields, type Membership } from "./members-fields.tsx";

export function ProposeMembersDialog({ purse, onClose }: PurseDialogProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [value, setValue] = useState<Membership>({ members: purse.members, needed: purse.needed });
  const [isReviewing, setReviewing] = useState(false);
  const { members, needed } = value;
  const isSame = needed === purse.needed && members.join(" ") === purse.members.join(" ");
  const isReady = members.length > 0 && !isSame;
  return (
    <Dialog open keepOpen onOpenChange={onClose} title={t("multisig.proposeMembers")} description={t("multisig.proposeText")}>
      <form
        className={shared.stack4}
        noValidate
        onSubmit={(event): void => {
          event.preventDefault();
          setReviewing(isReady);
        }}
      >
        <MembersFields value={value} onChange={setValue} />
        {!members.includes(masterPub) && <Banner tone="warning">{t("multisig.withoutYou")}</Banner>}
        <footer className={send.footer}>
          <Button type="submit" variant="primary" disabled={!isReady}>
            {t("transactions.review")}
          </Button>
        </footer>
      </form>
      {isReviewing && isReady && (
        <CallSheet
          call={{ contractId: purse.id, method: "propose_members", args: [members, BigInt(needed)] }}
          title={t("multisig.proposeMembers")}
          sentence={t("multisig.membersSentence", { members: members.length, needed, before: purse.needed })}
          rows={[{ label: t("explorer.contractId"), value: purse.id, mono: true }]}
          confirmLabel={t("multisig.signProposal")}
          onClose={(): void => setReviewing(false)}
          onSent={onClose}
        />
      )}
    </Dialog>
  );
}
