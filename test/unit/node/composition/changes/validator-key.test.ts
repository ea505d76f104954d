// Which signer a node uses, and what it does when the chain says that its validator has another key.
import { beforeEach, expect, it } from "vitest";
import { signerInForce, watchKey } from "#node/composition/changes/validator-key.ts";
import type { SignerConfig } from "#node/config/signer-config.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { LedgerWorld, rotatingGenesis, rotationOf } from "#test/support/chain/ledger-payloads.ts";
import { actor, alice } from "#test/support/worlds/ledger-world.ts";

const [own, next, other] = [11, 21, 22].map(actor) as [ReturnType<typeof actor>, ReturnType<typeof actor>, ReturnType<typeof actor>];
const signerOf = (publicKey: string): SignerConfig => ({ address: { type: "socket", path: "/s" }, publicKey, fingerprint: undefined });

let world: LedgerWorld;
beforeEach(() => {
  world = new LedgerWorld(rotatingGenesis([own, actor(12)]));
  world.run(alice, { type: "TRANSFER", to: own.pub, amount: 100_000, payload: {} });
});
const rotate = (): unknown => world.run(own, { type: "ROTATE_KEY", payload: rotationOf(own, next) });

it("a node uses the next signer once its key took over, from its own key or from a signer's", () => {
  const [first, second] = [signerOf(own.pub), signerOf(next.pub)];
  const inForce = (signer: SignerConfig | undefined, nextSigner: SignerConfig | undefined): SignerConfig | undefined =>
    signerInForce({ signer, nextSigner }, own.pub, world.state);
  expect([inForce(undefined, second), inForce(first, second)]).toEqual([undefined, first]);
  rotate();
  expect([inForce(undefined, second), inForce(first, second)]).toEqual([second, second]);
  expect([inForce(undefined, undefined), inForce(first, signerOf(other.pub))]).toEqual([undefined, first]);
  expect(signerInForce({ signer: second, nextSigner: undefined }, other.pub, world.state)).toBe(second);
});

it.each([
  ["starts again with the next signer", { publicKey: next.pub, mode: undefined }, 1, "starting again"],
  ["says that it does not vote with a next signer of another key", { publicKey: other.pub, mode: undefined }, 0, "not voting"],
  ["says nothing where it does not vote", { publicKey: next.pub, mode: "full" as const }, 0, ""],
])("a node whose validator has another key %s", (_name, { publicKey, mode }, times, words) => {
  let listener: ((committed: CommittedBlock) => void) | undefined;
  let said = "";
  let starts = 0;
  const onCommit = (added: typeof listener): (() => void) => {
    listener = added;
    return (): void => {
      listener = undefined;
    };
  };
  const say = (_details: object, message: string): void => {
    said += message;
  };
  const onNext = (): void => {
    starts += 1;
  };
  watchKey(
    { state: world.state as never, onCommit },
    { own: own.pub, config: { nextSigner: signerOf(publicKey), mode }, log: { info: say, warn: say }, onNext },
  );
  listener?.({} as never);
  expect({ said, starts }).toEqual({ said: "", starts: 0 });
  rotate();
  listener?.({} as never);
  listener?.({} as never);
  expect(starts).toBe(times);
  expect(said.includes(words) && (words !== "" || said === "")).toBe(true);
});
