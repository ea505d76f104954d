// Members of a multisig as they are chosen, and how many of them must approve.
import { X } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { MemberChip } from "./member-chip.tsx";
import { MAX_MEMBERS } from "./purses.ts";

/** Who decides, and how many of them. */
export interface Membership {
  readonly members: readonly string[];
  readonly needed: number;
}

export interface MembersFieldsProps {
  readonly value: Membership;
  readonly onChange: (value: Membership) => void;
  /** Who stands in the field and is not added yet: a form that is reviewed then would leave them out. */
  readonly chosen: PublicKeyHex | undefined;
  readonly onChosen: (chosen: PublicKeyHex | undefined) => void;
}

export function MembersFields({ value, onChange, chosen, onChosen }: MembersFieldsProps): ReactElement {
  const { members, needed } = value;
  const t = useMessages();
  const [hasChanged, setChanged] = useState(false);
  const set = (next: readonly string[]): void => {
    setChanged(true);
    onChange({ members: next, needed: Math.max(1, Math.min(needed, next.length)) });
  };
  const add = (): void => {
    if (chosen !== undefined) set([...members, chosen]);
  };
  const refuse = (key: PublicKeyHex): string | undefined => {
    if (members.includes(key)) return t("multisig.memberTwice");
    return members.length >= MAX_MEMBERS ? t("multisig.tooManyMembers", { count: MAX_MEMBERS }) : undefined;
  };
  return (
    <>
      <ul className={shared.stack2} aria-label={t("multisig.members")}>
        {members.map((member) => (
          <li key={member} className={shared.between}>
            <MemberChip member={member} />
            <IconButton
              icon={X}
              size="small"
              label={t("multisig.removeMember")}
              onClick={(): void => set(members.filter((other) => other !== member))}
            />
          </li>
        ))}
      </ul>
      <RecipientForm
        key={members.join(" ")}
        label={t("multisig.addMember")}
        // What had the focus is gone with the change: the next one is added here.
        autoFocus={hasChanged}
        allowsSelf
        onChosen={onChosen}
        onEnter={add}
        refuse={refuse}
      />
      <div>
        <Button disabled={chosen === undefined} onClick={add}>
          {t("multisig.add")}
        </Button>
      </div>
      <Select
        label={t("multisig.needed")}
        hint={needed === members.length ? t("multisig.neededAll") : t("multisig.neededHint")}
        value={String(needed)}
        onChange={(text): void => onChange({ members, needed: Number(text) })}
        options={members.map((_, index) => ({
          value: String(index + 1),
          label: t("multisig.of", { needed: index + 1, members: members.length }),
        }))}
      />
    </>
  );
}
