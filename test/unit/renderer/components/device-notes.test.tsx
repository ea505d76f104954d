// What is said of the devices of a person.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { DeviceNotes } from "#renderer/components/people/device-notes.tsx";
import { en } from "#renderer/lib/messages/en.ts";
import { MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import { IDLE_SNAPSHOT } from "#shared/messenger/model/conversation.ts";

const BOB = "0b".repeat(32);
const CAROL = "0c".repeat(32);
const DAVE = "0d".repeat(32);
const WORDS = "At risk if a device is stolen";

vi.mock("#renderer/lib/messenger/messenger-context.tsx", () => ({
  useMessengerValue: (select: (messenger: typeof IDLE_SNAPSHOT) => unknown): unknown =>
    select({ ...IDLE_SNAPSHOT, openToTheft: ["0b".repeat(32)], uncheckedDevices: ["0d".repeat(32)] }),
}));

function shown(publicKey: string): string {
  return renderToStaticMarkup(
    <MessagesProvider locale="en" catalogue={en}>
      <DeviceNotes publicKey={publicKey} />
    </MessagesProvider>,
  );
}

it("says where one of them has no card, and else nothing", () => {
  expect(shown(BOB)).toContain(WORDS);
  expect(shown(CAROL)).not.toContain(WORDS);
});

it("says where nothing has proven that they are theirs", () => {
  expect(shown(DAVE)).toContain("Devices not checked by the chain");
  expect(shown(DAVE)).not.toContain(WORDS);
  for (const other of [BOB, CAROL]) expect(shown(other)).not.toContain("not checked");
});
