// The mark in the header of a chat with devices that nothing proves.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { UncheckedMark } from "#renderer/features/inbox/chat/notice/unchecked-mark.tsx";
import type { ConversationHeader } from "#renderer/features/inbox/model/conversation-header.tsx";
import { de } from "#renderer/lib/messages/de.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import { IDLE_SNAPSHOT } from "#shared/messenger/model/conversation.ts";

const [BOB, CAROL, ME] = ["0b".repeat(32), "0c".repeat(32), "0e".repeat(32)];

vi.mock("#renderer/lib/messenger/messenger-context.tsx", () => ({
  useMessengerValue: (select: (messenger: typeof IDLE_SNAPSHOT) => unknown): unknown =>
    select({ ...IDLE_SNAPSHOT, uncheckedDevices: ["0b".repeat(32)] }),
}));
vi.mock("#renderer/features/inbox/model/use-name-of.ts", () => ({ useMemberNames: () => (person: string) => person.slice(0, 2) }));

const person = (peer: string): ConversationHeader => ({ kind: "person", peer, name: "Bob", isVerified: false });
const group = (members: readonly string[]): ConversationHeader =>
  ({ kind: "group", id: "g", name: "Chess", group: { members } }) as unknown as ConversationHeader;

function shown(header: ConversationHeader, locale: "en" | "de" = "en"): string {
  return renderToStaticMarkup(
    <MessagesProvider locale={locale} catalogue={locale === "en" ? en : de}>
      <UncheckedMark header={header} />
    </MessagesProvider>,
  );
}

it("stands beside the name of a person, and of a group with one, and else nowhere", () => {
  expect(shown(person(BOB))).toContain('aria-label="Devices not checked by the chain"');
  expect(shown(group([ME, BOB]))).toContain('aria-label="Devices not checked by the chain"');
  expect([shown(person(CAROL)), shown(group([ME, CAROL]))]).toEqual(["", ""]);
  expect(shown({ kind: "self", peer: BOB, name: "Notes" })).toBe("");
});

it("has words in German", () => {
  expect(shown(person(BOB), "de")).toContain('aria-label="Geräte nicht durch die Chain geprüft"');
});
