// Keys whose addresses are alike at both ends, made for this test, and honest ones.
import { describe, expect, it } from "vitest";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { compareAddresses, findLookAlike } from "#shared/text/look-alike.ts";

const KNOWN = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";
/** pl132yw8…g2fds beside pl132yw8…jnfds. */
const IMITATION = "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf37488010187865c";
const STRANGER = "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394";

describe("look-alike addresses", () => {
  it("finds the known address that begins and ends alike", () => {
    expect(findLookAlike(IMITATION, [STRANGER, KNOWN])).toEqual({ known: KNOWN, candidate: IMITATION });
  });

  it("takes a known address for itself, wherever it is in the list", () => {
    expect(findLookAlike(KNOWN, [IMITATION, KNOWN])).toBeUndefined();
    expect(findLookAlike(KNOWN, [KNOWN, IMITATION])).toBeUndefined();
  });

  it("leaves addresses alone that share only one end", () => {
    const sameBeginning = `${KNOWN.slice(0, 40)}${STRANGER.slice(40)}`;
    expect(formatAddress(sameBeginning).slice(0, 8)).toBe(formatAddress(KNOWN).slice(0, 8));
    expect(findLookAlike(sameBeginning, [KNOWN])).toBeUndefined();
    expect(findLookAlike(STRANGER, [KNOWN])).toBeUndefined();
  });

  it("finds no one in an empty list", () => {
    expect(findLookAlike(IMITATION, [])).toBeUndefined();
  });

  it("marks exactly the characters that differ", () => {
    const [address, other] = [formatAddress(IMITATION), formatAddress(KNOWN)];
    const marks = compareAddresses(address, other);
    expect(marks.map(({ character }) => character).join("")).toBe(address);
    marks.forEach(({ differs }, index) => {
      expect(differs).toBe(address[index] !== other[index]);
    });
    expect(marks.some(({ differs }) => differs)).toBe(true);
    expect(compareAddresses(address, address).some(({ differs }) => differs)).toBe(false);
  });
});
