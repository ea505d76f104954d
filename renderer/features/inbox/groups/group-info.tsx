// A group: its picture and name, its members with what each may do, and what its owner and its admins can do with them.
import { useNavigate } from "@tanstack/react-router";
import { Crown, Ellipsis, KeyRound, Link2, LogOut, MessageCircle, UserMinus, UserPlus, UsersRound } from "lucide-react";
import { lazy, type ReactElement, Suspense, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import type { MenuAction } from "#renderer/components/overlays/menu-list.tsx";
import { PictureChoice } from "#renderer/components/people/picture-choice.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { GroupSummary } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { MAX_GROUP_MEMBERS, MAX_GROUP_NAME_BYTES } from "#shared/protocol/groups/group-bounds.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import styles from "../chat/chat-info.module.css";
import { useNameOf } from "../model/use-name-of.ts";
import { contactsOf } from "./group-contacts.ts";
import { proposeGroup } from "./group-proposal.ts";
import { LargeGroupHint } from "./large-group-hint.tsx";
import { PeoplePicker } from "./people-picker.tsx";

/** How often it is looked whether a payment is too old for blocks. */
const RENEW_MS = 60_000;
/** A line as high as one with words. */
const NO_WORDS = "\u00a0";

/** Loaded with the first group in which one may make links. */
const InviteLinks = lazyPart(async () => (await import("./links/invite-links.tsx")).InviteLinks);
/** Loaded with the first group that is passed on. */
const PassGroupSheet = lazy(async () => ({ default: (await import("./pass-group-sheet.tsx")).PassGroupSheet }));

export interface GroupInfoProps {
  readonly id: ConversationId;
  readonly group: GroupSummary;
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

/** Picture, name, members, leaving. */
export function GroupInfo(props: GroupInfoProps): ReactElement {
  const { id, group, messenger, onClose } = props;
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const isOwner = group.owner === masterPub && group.isMember;
  const mayChange = isOwner || (group.admins.includes(masterPub) && group.isMember);
  const navigate = useNavigate();
  const [isLeaving, setLeaving] = useState(false);
  // The way out of a group whose admin is gone for good.
  const again = (): void => {
    proposeGroup({ name: group.name, people: group.members.filter((person) => person !== masterPub) });
    onClose();
    void navigate({ to: "/inbox/new-group" });
  };
  return (
    <>
      {mayChange && (
        <div className={styles.choice}>
          <PictureChoice hasPicture={group.picture !== ""} onChoose={(data): Promise<void> => messenger.setGroupPicture(id, data)} />
        </div>
      )}
      {mayChange && <Rename key={group.name} {...props} />}
      <Members {...props} mayChange={mayChange} isOwner={isOwner} />
      {mayChange && (
        <Suspense fallback={<LinksToCome links={group.links} />}>
          <InviteLinks id={id} links={group.links} messenger={messenger} />
        </Suspense>
      )}
      {group.isMember && (
        <div className={shared.buttons}>
          <Button icon={UsersRound} disabled={group.members.length < 2} onClick={again}>
            {t("chat.groupAgain")}
          </Button>
          <Button icon={LogOut} onClick={(): void => setLeaving(true)}>
            {t("chat.groupLeave")}
          </Button>
        </div>
      )}
      <ConfirmSheet
        open={isLeaving}
        danger
        title={t("chat.groupLeaveTitle")}
        sentence={t(isOwner && group.members.length > 1 ? "chat.groupLeaveOwner" : "chat.groupLeaveText")}
        confirmLabel={t("chat.groupLeave")}
        onCancel={(): void => setLeaving(false)}
        onConfirm={(): void => {
          setLeaving(false);
          messenger.leaveGroup(id).catch(toasts.showError);
        }}
      />
    </>
  );
}

/** In the place of the links while their code comes: as high as they are. */
function LinksToCome({ links }: Pick<GroupSummary, "links">): ReactElement {
  const t = useMessages();
  return (
    <Section
      title={t("chat.links")}
      hint={t("chat.linksHint")}
      bare={links.length === 0}
      actions={
        <Button size="small" icon={Link2} disabled>
          {t("chat.linkAdd")}
        </Button>
      }
    >
      {links.length > 0 && (
        <ul className={styles.members}>
          {links.map(({ key, used, uses }) => (
            <li key={key}>
              <ListRow heading={t("chat.linkUsed", { count: used, uses })} subtitle={NO_WORDS} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Rename({ id, group, messenger }: GroupInfoProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [name, setName] = useState(group.name);
  const isLong = utf8Length(name.trim()) > MAX_GROUP_NAME_BYTES;
  const isNew = name.trim() !== "" && name.trim() !== group.name && !isLong;
  return (
    <form
      className={styles.rename}
      onSubmit={(event): void => {
        event.preventDefault();
        if (isNew) messenger.renameGroup(id, name).catch(toasts.showError);
      }}
    >
      <TextField label={t("chat.groupName")} value={name} onChange={setName} error={isLong ? t("chat.groupNameLong") : undefined} />
      <Button type="submit" disabled={!isNew}>
        {t("chat.groupRename")}
      </Button>
    </form>
  );
}

interface RightsProps {
  /** Whether one can add, remove, rename and change the picture. */
  readonly mayChange: boolean;
  readonly isOwner: boolean;
}

function Members(props: GroupInfoProps & RightsProps): ReactElement {
  const { id, group, messenger, mayChange } = props;
  const t = useMessages();
  const toasts = useToasts();
  const nameOf = useNameOf(group.members);
  const [isAdding, setAdding] = useState(false);
  const [leaver, setLeaver] = useState<PublicKeyHex>();
  const [heir, setHeir] = useState<PublicKeyHex>();
  const room = MAX_GROUP_MEMBERS - group.members.length;
  const ownerHint = group.owner === null ? t("chat.groupNoOwnerHint") : t("chat.groupAdminHint", { name: nameOf(group.owner) });
  const rightsHint = mayChange && group.owner !== null ? undefined : ownerHint;
  const successor = useSuccessor(group);
  const roomHint = mayChange && group.hasLittleRoom ? t("chat.groupLittleRoom") : rightsHint;
  const hint = successor === undefined ? roomHint : t("chat.groupOwnerPending", { name: nameOf(successor) });
  return (
    <Section
      title={t("inbox.groupMembers", { count: group.members.length })}
      hint={hint}
      actions={
        mayChange && (
          <Button size="small" icon={UserPlus} disabled={room === 0} onClick={(): void => setAdding(true)}>
            {t("chat.groupAdd")}
          </Button>
        )
      }
    >
      <ul className={styles.members} aria-label={t("chat.groupMemberList")}>
        {group.members.map((person) => (
          <li key={person}>
            <ListRow
              leading={<Avatar publicKey={person} size={32} />}
              heading={nameOf(person)}
              trailing={
                <>
                  {person === group.owner && <Badge tone="accent">{t("chat.groupOwner")}</Badge>}
                  {person === successor && <Badge tone="warning">{t("chat.groupOwnerWaits")}</Badge>}
                  {group.admins.includes(person) && <Badge tone="accent">{t("chat.groupAdmin")}</Badge>}
                  <MemberMenu
                    {...props}
                    person={person}
                    name={nameOf(person)}
                    onRemove={(): void => setLeaver(person)}
                    onPass={(): void => setHeir(person)}
                  />
                </>
              }
            />
          </li>
        ))}
      </ul>
      {heir !== undefined && (
        <Suspense>
          <PassGroupSheet id={id} messenger={messenger} person={heir} name={nameOf(heir)} onClose={(): void => setHeir(undefined)} />
        </Suspense>
      )}
      {isAdding && <AddDialog {...props} room={room} onDone={(): void => setAdding(false)} />}
      <ConfirmSheet
        open={leaver !== undefined}
        danger
        title={t("chat.groupRemoveTitle", { name: leaver === undefined ? "" : nameOf(leaver) })}
        sentence={t("chat.groupRemoveText")}
        confirmLabel={t("chat.groupRemove")}
        onCancel={(): void => setLeaver(undefined)}
        onConfirm={(): void => {
          setLeaver(undefined);
          if (leaver !== undefined) messenger.removeFromGroup(id, leaver).catch(toasts.showError);
        }}
      />
    </Section>
  );
}

/** Who becomes the owner, while a block may still take the payment. */
function useSuccessor({ successor }: GroupSummary): PublicKeyHex | undefined {
  const nowMs = useNow(RENEW_MS);
  return successor !== null && nowMs - successor.at < 2 * TX_WINDOW_MS ? successor.person : undefined;
}

interface MemberMenuProps extends GroupInfoProps, RightsProps {
  readonly person: PublicKeyHex;
  readonly name: string;
  readonly onRemove: () => void;
  readonly onPass: () => void;
}

function MemberMenu(props: MemberMenuProps): ReactElement | null {
  const { id, group, messenger, mayChange, isOwner, person, name, onRemove, onPass, onClose } = props;
  const t = useMessages();
  const navigate = useNavigate();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  if (person === masterPub) return null;
  const write = (): void => {
    onClose();
    void navigate({ to: "/inbox/$conversation", params: { conversation: person } });
  };
  const isAdmin = group.admins.includes(person);
  const adminAction: MenuAction = {
    label: t(isAdmin ? "chat.groupEndAdmin" : "chat.groupMakeAdmin"),
    icon: Crown,
    onSelect: (): void => void messenger.setGroupAdmin(id, person, !isAdmin).catch(toasts.showError),
  };
  const passing: MenuAction = { label: t("chat.groupMakeOwner"), icon: KeyRound, onSelect: onPass };
  const removal: MenuAction = { label: t("chat.groupRemove"), icon: UserMinus, danger: true, onSelect: onRemove };
  const mayRemove = person !== group.owner && (isOwner || (mayChange && !isAdmin));
  const rights = [...(isOwner && person !== group.owner ? [adminAction, passing] : []), ...(mayRemove ? [removal] : [])];
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={Ellipsis} size="small" label={t("chat.groupMemberMenu", { name })} />}
      groups={[[{ label: t("common.message"), icon: MessageCircle, onSelect: write }], rights]}
    />
  );
}

function AddDialog(props: GroupInfoProps & { readonly room: number; readonly onDone: () => void }): ReactElement {
  const { id, group, messenger, room, onDone } = props;
  const t = useMessages();
  const toasts = useToasts();
  const people = contactsOf(useContactDirectory().directory).filter((person) => !group.members.includes(person));
  const [chosen, setChosen] = useState<readonly PublicKeyHex[]>([]);
  const add = (): void => {
    messenger.addToGroup(id, chosen).catch(toasts.showError);
    onDone();
  };
  return (
    <Dialog
      open
      title={t("chat.groupAdd")}
      description={t("chat.groupAddText")}
      onOpenChange={onDone}
      footer={
        <Button variant="primary" disabled={chosen.length === 0} onClick={add}>
          {t("chat.groupAdd")}
        </Button>
      }
    >
      <PeoplePicker people={people} chosen={chosen} onChange={setChosen} room={room} />
      <LargeGroupHint members={group.members.length + chosen.length} />
    </Dialog>
  );
}
