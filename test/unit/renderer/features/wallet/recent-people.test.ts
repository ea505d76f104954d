// Keys whose addresses are alike at both ends are those of test/unit/shared/text/look-alike.test.ts.
import { describe, expect, it } from "vitest";
import { MOST_FACES, recentPeople } from "#renderer/features/wallet/send/recent-people.ts";
import { createContactDirectory } from "#renderer/lib/people/contacts/contact-directory.ts";

const KNOWN = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
const IMITATION = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf37488010187865c";
const OTHER = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";

describe("faces of those paid last", () => {
  const none = createContactDirectory([], [], () => false);

  it("are the latest that fit in a row", () => {
    const payees = Array.from({ length: MOST_FACES + 1 }, (_, index) => String(index + 10).repeat(32));
    expect(recentPeople(payees, none)).toEqual(payees.slice(0, MOST_FACES));
  });

  it("leave out who is blocked", () => {
    const block = { requester_pub: OTHER, requester_addr: "", status: "blocked", fee_ut: 0, tx_id: "b", created_at: 1 } as const;
    expect(
      recentPeople(
        [OTHER, KNOWN],
        createContactDirectory([block as never], [], () => false),
      ),
    ).toEqual([KNOWN]);
  });

  it("leave out an address that resembles another one, be it that of a contact who was never paid", () => {
    expect(recentPeople([IMITATION, OTHER, KNOWN], none)).toEqual([OTHER]);
    expect(
      recentPeople(
        [IMITATION, OTHER],
        createContactDirectory([], [], () => false, new Set([KNOWN])),
      ),
    ).toEqual([OTHER]);
  });
});
