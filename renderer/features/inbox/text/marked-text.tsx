// A written message with its marks, links that ask before they open a page, cards of payment links that fill the form and of invite links
// that open them, and addresses with what one can do about them.
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactElement, useMemo, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { LeaveSheet } from "#renderer/components/overlays/external-link.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { hasOpenChat } from "#renderer/lib/messenger/has-open-chat.ts";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { usePersonActions } from "#renderer/lib/people/people-context.tsx";
import { type PaymentRequest, parsePaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import type { MentioningText } from "#shared/content/chat/mention-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { aroundCards } from "./around-cards.ts";
import { InviteCard } from "./invite-card.tsx";
import { type Block, markedBlocks, type Span } from "./marked-spans.ts";
import styles from "./marked-text.module.css";

const ELEMENTS = { bold: "strong", italic: "em", struck: "s" } as const;

interface Opening {
  readonly page: (url: string) => void;
  readonly payment: (link: string) => void;
}

/** The text of a message. */
export function MarkedText({ text, mentions }: MentioningText): ReactElement {
  const blocks = useMemo(() => markedBlocks(text, mentions), [text, mentions]);
  const plain = plainText(blocks);
  if (plain === undefined) return <MarkedBlocks blocks={blocks} />;
  return (
    <p className={styles.paragraph} dir="auto">
      {plain}
    </p>
  );
}

/** What most messages are: words alone, of which there are many in a chat. Undefined where anything is marked. */
function plainText([block, ...others]: readonly Block[]): string | undefined {
  if (block?.kind !== "paragraph" || others.length > 0 || block.spans.length > 1) return undefined;
  const [span] = block.spans;
  return span?.kind === "text" ? span.text : undefined;
}

function MarkedBlocks({ blocks }: { readonly blocks: readonly Block[] }): ReactElement {
  const [page, setPage] = useState<string>();
  const opening: Opening = { page: setPage, payment: useOpenPayment() };
  return (
    <>
      {keyed(blocks).map(([key, block]) => (
        <MarkedBlock key={key} block={block} opening={opening} />
      ))}
      <LeaveSheet url={page} onClose={(): void => setPage(undefined)} />
    </>
  );
}

/** To a person with a chat in that chat, whose card says what it was. A memo and the page to go back to are matters of the wallet's form. */
function useOpenPayment(): (link: string) => void {
  const navigate = useNavigate();
  const messenger = useMessenger();
  const { payInChat } = usePersonActions();
  return (link) => {
    const request = parsePaymentLink(link);
    const isPlain = request !== undefined && request.memo === undefined && request.callback === undefined;
    const hasChat = isPlain && messenger !== undefined && hasOpenChat(messenger.getSnapshot(), request.to);
    if (hasChat && payInChat !== undefined) payInChat(request.to, request.amountUt);
    else void navigate({ to: "/wallet/send", search: { to: link } });
  };
}

function MarkedBlock({ block, opening }: { readonly block: Block; readonly opening: Opening }): ReactElement {
  if (block.kind === "code") {
    return (
      <pre className={styles.block} dir="ltr">
        <code>{block.text}</code>
      </pre>
    );
  }
  const Element = block.kind === "paragraph" ? "p" : "blockquote";
  return (
    <Element className={styles[block.kind]} dir="auto">
      <Spans spans={aroundCards(block.spans)} opening={opening} />
    </Element>
  );
}

function Spans({ spans, opening }: { readonly spans: readonly Span[]; readonly opening: Opening }): ReactElement[] {
  return keyed(spans).map(([key, span]) => <MarkedSpan key={key} span={span} opening={opening} />);
}

function MarkedSpan({ span, opening }: { readonly span: Span; readonly opening: Opening }): ReactElement {
  switch (span.kind) {
    case "text":
      return <>{span.text}</>;
    case "code":
      return <code className={styles.code}>{span.text}</code>;
    case "link":
      return <Opener text={span.text} onOpen={(): void => opening.page(span.url)} />;
    case "mention":
      return <MentionedPerson person={span.person} />;
    case "payment":
      return <PayLink link={span.text} onOpen={(): void => opening.payment(span.text)} />;
    case "invite":
      return <InviteCard data={span.data} />;
    case "address":
      return (
        <span className={styles.address} dir="ltr">
          <AddressChip publicKey={span.person} />
        </span>
      );
    default: {
      const Element = ELEMENTS[span.kind];
      return (
        <Element>
          <Spans spans={span.spans} opening={opening} />
        </Element>
      );
    }
  }
}

/** By the name that they have here; it leads to them. */
function MentionedPerson({ person }: { readonly person: PublicKeyHex }): ReactElement {
  const { masterPub } = useAccount();
  const label = useLabelOf(person);
  const t = useMessages();
  if (person === masterPub) return <mark className={styles.me}>@{t("common.you")}</mark>;
  return (
    <Link to="/contacts/$publicKey" params={{ publicKey: person }} className={styles.mention}>
      @<bdi>{label}</bdi>
    </Link>
  );
}

/** A button and no link of the page: whatever presses it meets the question first. */
function Opener({ text, onOpen }: { readonly text: string; readonly onOpen: () => void }): ReactElement {
  return (
    <button type="button" className={styles.link} dir="ltr" onClick={onOpen}>
      {text}
    </button>
  );
}

/** A card that says what the form will say. A link that asks for nothing valid stays as it was typed, and opens the form that says why. */
function PayLink({ link, onOpen }: { readonly link: string; readonly onOpen: () => void }): ReactElement {
  const request = useMemo(() => parsePaymentLink(link), [link]);
  return request === undefined ? <Opener text={link} onOpen={onOpen} /> : <PayCard request={request} onOpen={onOpen} />;
}

function PayCard({ request, onOpen }: { readonly request: PaymentRequest; readonly onOpen: () => void }): ReactElement {
  const { to, amountUt, memo } = request;
  const t = useMessages();
  const { masterPub } = useAccount();
  const name = useLabelOf(to);
  return (
    <span className={styles.pay}>
      <span className={styles.payWords}>
        <span className={styles.payTo}>
          <RichText text={t("inbox.payLink", { name: slot("name") })} parts={{ name: <AddressChip publicKey={to} /> }} />
        </span>
        {amountUt !== undefined && <Amount amountUt={amountUt} size="strong" />}
        {memo !== undefined && <bdi className={styles.payMemo}>{memo}</bdi>}
      </span>
      {to !== masterPub && (
        <Button size="small" variant="primary" onClick={onOpen}>
          <span aria-hidden="true">{t("common.pay")}</span>
          <VisuallyHidden>
            {amountUt === undefined ? t("inbox.payLink", { name }) : t("inbox.payLinkAmount", { amount: amountText(t, amountUt), name })}
          </VisuallyHidden>
        </Button>
      )}
    </span>
  );
}

function keyed<T>(values: readonly T[]): readonly (readonly [string, T])[] {
  return values.map((value, index) => [String(index), value]);
}
