// A validator's seat: the node that acts for it under another key. Both keys agree, and the latest one counts.
import { describe, expect, it } from "vitest";
import { peerNameOf } from "#node/network/peer-name.ts";
import { ValidatorDirectory } from "#node/network/peers/validator-directory.ts";
import { type SignedSeat, seatSignBytes } from "#node/network/wire/seat.ts";
import { decodeAnnouncement, encodeAnnouncement, isSeatSigned } from "#node/network/wire/version-announcement.ts";
import { signEd25519, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const CHAIN = "seats-1";
const [own, validator, other, node, second] = [actor(1), actor(2), actor(3), actor(4), actor(5)];

function seatOf(of: typeof validator, at: typeof node, sinceSec: number): SignedSeat {
  const signature = signEd25519(seatSignBytes(CHAIN, { validator: of.pub, node: at.pub, sinceSec }), of.seed);
  return { validator: of.pub, sinceSec, signature };
}

function directory(): ValidatorDirectory {
  const made = new ValidatorDirectory(own.pub);
  made.replace([own.pub, validator.pub, other.pub]);
  return made;
}

describe("the seat of a validator", () => {
  it("makes the node the validator's peer, until a later seat or the validator itself", () => {
    const known = directory();
    expect(known.takeSeat(validator.pub, { node: node.pub, sinceSec: 100 })).toBe(true);
    expect(known.nameOf(validator.pub)).toBe(peerNameOf(node.pub));
    expect(known.keyOf(peerNameOf(node.pub))).toBe(validator.pub);
    expect(known.isValidator(peerNameOf(validator.pub))).toBe(false);
    expect(known.isNodeOfValidator(node.pub)).toBe(true);
    expect(known.takeSeat(validator.pub, { node: second.pub, sinceSec: 100 })).toBe(false);
    expect(known.takeSeat(validator.pub, { node: second.pub, sinceSec: 101 })).toBe(true);
    expect(known.keyOf(peerNameOf(node.pub))).toBeUndefined();
    expect(known.nameOf(validator.pub)).toBe(peerNameOf(second.pub));
    expect(known.takeSeat(validator.pub, { node: validator.pub, sinceSec: 99 })).toBe(false);
    expect(known.takeSeat(validator.pub, { node: validator.pub, sinceSec: 102 })).toBe(true);
    expect(known.nameOf(validator.pub)).toBe(peerNameOf(validator.pub));
    // Nothing changes when it announces itself again, and its former nodes come back with a later seat alone.
    expect(known.takeSeat(validator.pub, { node: validator.pub, sinceSec: 103 })).toBe(false);
    expect(known.takeSeat(validator.pub, { node: node.pub, sinceSec: 100 })).toBe(false);
    expect(known.takeSeat(validator.pub, { node: second.pub, sinceSec: 101 })).toBe(false);
    known.replace([own.pub, validator.pub]);
    expect(known.takeSeat(validator.pub, { node: node.pub, sinceSec: 100 })).toBe(false);
    expect(known.nameOf(validator.pub)).toBe(peerNameOf(validator.pub));
    expect(known.takeSeat(validator.pub, { node: node.pub, sinceSec: 104 })).toBe(true);
  });

  it("is of a validator alone, on a node that is none, and on one node for one validator", () => {
    const known = directory();
    expect(known.takeSeat(actor(9).pub, { node: node.pub, sinceSec: 100 })).toBe(false);
    expect(known.takeSeat(validator.pub, { node: other.pub, sinceSec: 100 })).toBe(false);
    known.takeSeat(validator.pub, { node: node.pub, sinceSec: 100 });
    known.takeSeat(other.pub, { node: node.pub, sinceSec: 101 });
    expect(known.keyOf(peerNameOf(node.pub))).toBe(other.pub);
    expect(known.nameOf(validator.pub)).toBe(peerNameOf(validator.pub));
  });

  it("ends when the validator leaves the set, or the node enters it", () => {
    const known = directory();
    known.takeSeat(validator.pub, { node: node.pub, sinceSec: 100 });
    known.replace([own.pub, other.pub]);
    known.replace([own.pub, validator.pub, other.pub]);
    expect(known.nameOf(validator.pub)).toBe(peerNameOf(validator.pub));
    known.takeSeat(validator.pub, { node: node.pub, sinceSec: 101 });
    known.replace([own.pub, validator.pub, other.pub, node.pub]);
    expect(known.keyOf(peerNameOf(node.pub))).toBe(node.pub);
  });
});

describe("the announcement of a seat", () => {
  const said = { nodeKey: node.pub, version: "1", apiVersion: "2", atSec: 500 };
  const seat = seatOf(validator, node, 400);

  it("is signed by the node and by the validator", () => {
    const read = decodeAnnouncement(CHAIN, encodeAnnouncement(CHAIN, said, node.seed, seat), verifyZip215);
    expect(read).toEqual({ ...said, seat });
    expect(isSeatSigned(CHAIN, node.pub, seat, verifyZip215)).toBe(true);
  });

  it("binds neither without the other", () => {
    // The validator's word for another node, on another chain, of another second.
    expect(isSeatSigned(CHAIN, second.pub, seat, verifyZip215)).toBe(false);
    expect(isSeatSigned("seats-2", node.pub, seat, verifyZip215)).toBe(false);
    expect(isSeatSigned(CHAIN, node.pub, { ...seat, sinceSec: 401 }, verifyZip215)).toBe(false);
    expect(isSeatSigned(CHAIN, node.pub, { ...seat, validator: other.pub }, verifyZip215)).toBe(false);
    // A seat put onto an announcement that the node made without one, or with another.
    const plain = encodeAnnouncement(CHAIN, said, node.seed);
    expect(decodeAnnouncement(CHAIN, plain, verifyZip215)).toEqual(said);
    const foreign = encodeAnnouncement(CHAIN, said, second.seed, seat);
    expect(decodeAnnouncement(CHAIN, foreign, verifyZip215)).toBeUndefined();
  });
});
