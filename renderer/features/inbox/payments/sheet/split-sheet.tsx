// Splitting a bill that one has paid among members of a group: in equal parts, or as one likes.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { openPaySheet } from "#renderer/lib/messenger/pay-order.ts";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { MAX_SHARES, MIN_SHARES, type PayShare } from "#shared/content/pay-content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { focusComposer } from "../../model/composer-focus.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { useMemberNames } from "../../model/use-name-of.ts";
import { LargeAmount } from "./large-amount.tsx";
import { NoteField, tooLong } from "./note-field.tsx";
import styles from "./pay-sheet.module.css";
import { equalShares, type ReadShares, readShares } from "./split.ts";

export interface SplitSheetProps {
  readonly id: ConversationId;
  readonly header: Extract<ConversationHeader, { readonly kind: "group" }>;
  readonly messenger: Messenger;
}

/** The sheet; open as long as it is mounted. */
export function SplitSheet(props: SplitSheetProps): ReactElement {
  return (
    <WithAllWords>
      <OpenSheet {...props} />
    </WithAllWords>
  );
}

function OpenSheet(props: SplitSheetProps): ReactElement {
  const t = useMessages();
  const close = (): void => {
    openPaySheet(null);
    focusComposer();
  };
  return (
    <Dialog
      open
      keepOpen
      onOpenChange={(isOpen): void => {
        if (!isOpen) close();
      }}
      title={t("payments.splitTitle")}
      description={t("payments.splitText")}
    >
      <SplitForm {...props} onDone={close} />
    </Dialog>
  );
}

function SplitForm({ id, header, messenger, onDone }: SplitSheetProps & { readonly onDone: () => void }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { masterPub } = useAccount();
  const members = header.group?.members ?? [];
  const [typed, setTyped] = useState("");
  const [note, setNote] = useState("");
  const [mode, setMode] = useState<"equal" | "own">("equal");
  const [left, setLeft] = useState<ReadonlySet<PublicKeyHex>>(
    // Of a group that is larger than a bill can be, one chooses who takes part.
    () => new Set(members.length > MAX_SHARES ? members.filter((member) => member !== masterPub) : []),
  );
  const [own, setOwn] = useState<Readonly<Record<PublicKeyHex, string>>>({});
  const [wasTried, setTried] = useState(false);
  const amount = readAmount(typed, t.locale);
  const amountUt = amount.kind === "ok" ? amount.amountUt : 0;
  const people = members.filter((member) => !left.has(member));
  const read = readShares(
    amountUt,
    members.map((person) => ({ person, amount: own[person] ?? "" })),
    t.locale,
  );
  const shares = mode === "equal" ? equalShares(amountUt, people) : read.kind === "ok" ? read.shares : [];
  const problem = amountProblem(t, amount) ?? (wasTried && amount.kind === "empty" ? t("wallet.amountEmpty") : undefined);
  const noteProblem = tooLong(t, note);
  const isReady = amountUt > 0 && noteProblem === undefined && shares.length >= MIN_SHARES && shares.length <= MAX_SHARES;
  const split = useMutation({
    mutationFn: () => messenger.sendPaySplit(id, { amountUt, note: note.trim(), shares }),
    onSuccess: onDone,
    onError: toasts.showError,
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isReady && !split.isPending) split.mutate();
  };
  const toggle = (person: PublicKeyHex, isIn: boolean): void => {
    const next = new Set(left);
    if (isIn) next.delete(person);
    else next.add(person);
    setLeft(next);
  };
  return (
    <form className={shared.stack4} onSubmit={send}>
      <LargeAmount value={typed} onChange={setTyped} error={problem} hint={t("payments.splitTotal")} />
      <NoteField note={note} hint={t("payments.splitNoteHint")} error={noteProblem} onChange={setNote} />
      <div className={styles.modes}>
        <SegmentedControl
          label={t("payments.splitMode")}
          value={mode}
          onChange={setMode}
          options={(["equal", "own"] as const).map((value) => ({ value, label: t(`payments.split.${value}`) }))}
        />
      </div>
      <Shares
        header={header}
        members={members}
        shares={shares}
        left={left}
        typed={mode === "own" ? own : undefined}
        onToggle={toggle}
        onType={(person, text): void => setOwn({ ...own, [person]: text })}
      />
      {mode === "own" && amountUt > 0 && <SharesProblem read={read} />}
      {wasTried && amountUt > 0 && shares.length < MIN_SHARES && (mode === "equal" || read.kind === "ok") && (
        <p className={styles.problem} role="alert">
          {t("payments.splitFew")}
        </p>
      )}
      {shares.length > MAX_SHARES && (
        <p className={styles.problem} role="alert">
          {t("payments.splitMany", { most: String(MAX_SHARES) })}
        </p>
      )}
      <footer className={styles.footer}>
        <Button type="submit" variant="primary" busy={split.isPending} disabled={problem !== undefined}>
          {t("payments.splitSend")}
        </Button>
      </footer>
    </form>
  );
}

/** How far own amounts are from the total. */
function SharesProblem({ read }: { readonly read: ReadShares }): ReactElement | null {
  const t = useMessages();
  if (read.kind === "ok") return null;
  return (
    <p className={styles.problem} role="status">
      {read.kind === "wrong"
        ? t("payments.shareWrong")
        : t(read.isTooMuch ? "payments.sharesTooMuch" : "payments.sharesTooLittle", { amount: amountText(t, read.differenceUt) })}
    </p>
  );
}

interface SharesProps {
  readonly header: SplitSheetProps["header"];
  readonly members: readonly PublicKeyHex[];
  readonly shares: readonly PayShare[];
  readonly left: ReadonlySet<PublicKeyHex>;
  /** What is typed for each; undefined for equal shares. */
  readonly typed: Readonly<Record<PublicKeyHex, string>> | undefined;
  readonly onToggle: (person: PublicKeyHex, isIn: boolean) => void;
  readonly onType: (person: PublicKeyHex, text: string) => void;
}

function Shares({ header, members, shares, left, typed, onToggle, onType }: SharesProps): ReactElement {
  const t = useMessages();
  const name = useMemberNames(header);
  return (
    <ul className={styles.people} aria-label={t("payments.shares")}>
      {members.map((person) => (
        <li key={person} className={styles.share}>
          {typed === undefined ? (
            <>
              <Checkbox label={name(person)} checked={!left.has(person)} onChange={(isIn): void => onToggle(person, isIn)} />
              <ShareAmount share={shares.find((share) => share.person === person)} />
            </>
          ) : (
            <>
              <Avatar publicKey={person} size={28} />
              <span className={shared.grow}>{name(person)}</span>
              <span className={styles.shareField}>
                <TextField
                  label={t("payments.shareOf", { name: name(person) })}
                  hideLabel
                  mono
                  inputMode="decimal"
                  placeholder="0"
                  affix="T"
                  value={typed[person] ?? ""}
                  onChange={(text): void => onType(person, text)}
                />
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function ShareAmount({ share }: { readonly share: PayShare | undefined }): ReactElement {
  return <span className={styles.shareAmount}>{share === undefined ? "–" : <Amount amountUt={share.amountUt} />}</span>;
}
