// Proposing other members of a multisig.
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog } from "#renderer/components/transactions/review-form.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { PurseDialogProps } from "./deposit-dialog.tsx";
import { MemberChips } from "./member-chip.tsx";
import { MembersFields, type Membership } from "./members-fields.tsx";

export function ProposeMembersDialog({ purse, onClose }: PurseDialogProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [chosen, setChosen] = useState<PublicKeyHex>();
  const [value, setValue] = useState<Membership>({ members: purse.members, needed: purse.needed });
  const { members, needed } = value;
  const isSame = needed === purse.needed && members.join(" ") === purse.members.join(" ");
  return (
    <ReviewDialog<Membership>
      title={t("multisig.proposeMembers")}
      description={t("multisig.proposeText")}
      onClose={onClose}
      draft={chosen === undefined && members.length > 0 && !isSame ? value : undefined}
      review={(proposed, ends): ReactElement => (
        <CallSheet
          call={{ contractId: purse.id, method: "propose_members", args: [proposed.members, BigInt(proposed.needed)] }}
          title={t("multisig.proposeMembers")}
          sentence={t("multisig.membersSentence", { members: proposed.members.length, needed: proposed.needed, before: purse.needed })}
          rows={[
            { label: t("multisig.members"), value: <MemberChips members={proposed.members} /> },
            { label: t("explorer.contractId"), value: purse.id, mono: true },
          ]}
          confirmLabel={t("multisig.signProposal")}
          {...ends}
        />
      )}
    >
      <MembersFields value={value} onChange={setValue} chosen={chosen} onChosen={setChosen} />
      {!members.includes(masterPub) && <Banner tone="warning">{t("multisig.withoutYou")}</Banner>}
    </ReviewDialog>
  );
}
