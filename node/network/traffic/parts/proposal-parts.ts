// Carries proposals with large blocks in parts: the proposer sends each part to a few validators, each of which passes it on to all
// others, so that every validator uploads a few blocks instead of one validator a hundred. What is missing is requested.
//
// Nothing is stored or passed on but what the proposer of the current or next round has signed, and parts only with their proof.
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { ProposalUse } from "#node/engine/engine-interface.ts";
import { tryDecode } from "#shared/codec/codec.ts";
import { encodeBlock } from "#shared/protocol/chain/block.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { type Proposal, proposalSignBytes, type Vote } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import type { PeerOffence } from "../../peer-network.ts";
import { KnownProposals } from "./known-proposals.ts";
import { cutIntoParts } from "./part-assembly.ts";
import {
  bitPositions,
  bitsAt,
  decodePartMessage,
  encodePartMessage,
  MAX_PROPOSED_BYTES,
  type PartMessage,
  type PartsHead,
  partsHeadCodec,
  partsSignBytes,
} from "./part-codec.ts";
import { fewestRelays, goesWhole, MAX_PARTS, partBytesOf, relayCount, relayOrder } from "./part-layout.ts";
import { PartProposal } from "./part-proposal.ts";
import { PARTS_LIMITS } from "./parts-limits.ts";
import { RelayChoice } from "./relay-choice.ts";

export type ProposalMessage = Extract<ConsensusMessage, { readonly type: "proposal" }>;

/** What the parts travel by. Validators are named by their keys. */
export interface ProposalPartsDependencies {
  readonly chainId: string;
  readonly ownKey: PublicKeyHex;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly hash: Sha256;
  readonly verify: VerifySignature;
  /** Signs the head of a proposal's parts; a key in another process signs later, or not at all. */
  sign(proposal: Proposal, bytes: Uint8Array): Uint8Array | Promise<Uint8Array | undefined>;
  /** Validators of the height after the tip, ascending. */
  validators(): readonly PublicKeyHex[];
  /** Height of the tip. */
  tipHeight(): Height;
  /** What a proposal is of use for here; its signature is not looked at. */
  proposalUse(proposal: Proposal): ProposalUse;
  send(to: readonly PublicKeyHex[], frame: Uint8Array): void;
  /** An integer from 0 to below `count`. */
  randomBelow(count: number): number;
  /** A proposal is complete. The bytes of its block are unchecked: the proposer is to blame for them. */
  deliver(proposal: Proposal, block: Uint8Array, proposer: PublicKeyHex): void;
  report(validator: PublicKeyHex, offence: PeerOffence): void;
}

/** How often incomplete proposals are looked at, ms. */
const TICK_MS = 100;

/** Proposals that travel in parts. */
export class ProposalParts {
  readonly #dependencies: ProposalPartsDependencies;
  readonly #known: KnownProposals;
  readonly #choice = new RelayChoice();
  /** Height of the tip when a validator sent a proposal of the next height with a false signature: it is not checked for more then. */
  readonly #distrustedAt = new Map<PublicKeyHex, Height>();
  #cancelTick: CancelTimer | null = null;
  /** The own proposal whose parts are being signed, and the last one that could not be. */
  #signing: Proposal | null = null;
  #unsigned: Proposal | null = null;

  constructor(dependencies: ProposalPartsDependencies) {
    this.#dependencies = dependencies;
    this.#known = new KnownProposals(dependencies.hash);
  }

  /**
   * Sends an own proposal: its parts once, the proposal alone when it is repeated. False for a small block, which goes whole; `isRepeated`
   * says that there may be validators that no part reached.
   */
  propose({ proposal, block }: ProposalMessage): "whole" | "sent" | "repeated" {
    this.#forgetOld();
    const others = this.#others();
    const known = this.#known.all.find(({ head }) => isSameProposal(head.proposal, proposal));
    if (known !== undefined) {
      this.#send(others, { type: "head", head: known.encodedHead });
      return "repeated";
    }
    const bytes = encodeBlock(block);
    const isWhole = goesWhole(bytes.length, others.length) || bytes.length > MAX_PROPOSED_BYTES;
    if (isWhole || (this.#unsigned !== null && isSameProposal(this.#unsigned, proposal))) return "whole";
    if (this.#signing === null || !isSameProposal(this.#signing, proposal)) this.#signAndSend(proposal, bytes, others);
    return "sent";
  }

  /** Takes a message of another validator. False when its bytes are no such message. */
  receive(frame: Uint8Array, from: PublicKeyHex): boolean {
    const message = decodePartMessage(frame);
    if (message === undefined) return false;
    this.#forgetOld();
    if (message.type === "missing") this.#serve(message.root, message.parts, from);
    else this.#receivePart(message, from);
    return true;
  }

  /** A validator voted: it has the block. */
  noteVote({ type, blockHash }: Vote, from: PublicKeyHex): void {
    if (type !== "prevote" || blockHash === null) return;
    for (const { head, holders } of this.#known.all) if (head.proposal.blockHash === blockHash) holders.add(from);
  }

  close(): void {
    this.#cancelTick?.();
    this.#cancelTick = null;
  }

  #others(): readonly PublicKeyHex[] {
    return this.#dependencies.validators().filter((key) => key !== this.#dependencies.ownKey);
  }

  #signAndSend(proposal: Proposal, bytes: Uint8Array, others: readonly PublicKeyHex[]): void {
    const { chainId, hash, sign } = this.#dependencies;
    const partBytes = partBytesOf(bytes.length, others.length);
    const cut = cutIntoParts(bytes, partBytes, hash);
    const unsigned = { proposal, size: bytes.length, partBytes, root: cut.root, relays: this.#chooseRelays(others, proposal.height) };
    const send = (signature: Uint8Array): void => {
      const created = this.#register({ ...unsigned, signature }, this.#dependencies.ownKey);
      for (const part of cut.parts) created.assembly.add(part);
      this.#sendParts(created, others);
    };
    const signing = sign(proposal, partsSignBytes(chainId, unsigned));
    if (signing instanceof Uint8Array) {
      send(signing);
      return;
    }
    this.#signing = proposal;
    void signing.then((signature) => {
      this.#signing = null;
      // Without the signature the block goes whole with the next repetition.
      if (signature === undefined) this.#unsigned = proposal;
      else if (proposal.height > this.#dependencies.tipHeight()) send(signature);
    });
  }

  /** Bits of the validators that are to pass parts on. */
  #chooseRelays(others: readonly PublicKeyHex[], height: Height): Uint8Array {
    const chosen = new Set(this.#choice.relaysOf(others, height));
    return bitsAt(this.#dependencies.validators().flatMap((key, index) => (chosen.has(key) ? [index] : [])));
  }

  /** A block that was proposed before is there already: the others request what they lack. */
  #sendParts(own: PartProposal, others: readonly PublicKeyHex[]): void {
    this.#send(others, { type: "head", head: own.encodedHead });
    const wasProposedBefore = own.head.proposal.validRound !== -1;
    if (wasProposedBefore) return;
    const frames = Array.from({ length: own.assembly.count }, (_, index) => own.encodePart(index));
    // The first relay of every part comes first: it can begin meanwhile.
    for (let rank = 0; rank < relayCount(others.length); rank += 1)
      for (const [index, frame] of frames.entries()) {
        const relay = own.relaysOf(index)[rank];
        if (frame !== undefined && relay !== undefined) this.#dependencies.send([relay], frame);
      }
  }

  #register(head: PartsHead, proposer: PublicKeyHex): PartProposal {
    const { clock, hash, validators } = this.#dependencies;
    const keys = validators();
    const others = keys.filter((key) => key !== proposer);
    const relays = relaysOf(head, keys).filter((key) => key !== proposer);
    const order = relayOrder(relays, head.root, head.proposal.round, hash);
    const nowMs = clock.monotonicMs();
    const proposal = new PartProposal({ head, assembly: this.#known.assemblyOf(head), proposer, others, order, nowMs });
    this.#known.add(proposal);
    return proposal;
  }

  #receivePart(message: Exclude<PartMessage, { readonly type: "missing" }>, from: PublicKeyHex): void {
    const known = this.#known.get(message.head);
    const head = known?.head ?? tryDecode(partsHeadCodec, message.head);
    if (head === undefined) {
      this.#dependencies.report(from, "malformed");
      return;
    }
    const proposal = known ?? this.#admit(head, from);
    // What proves a part is the root: a head of an earlier round, which is of no use any more, leads to the same block.
    const collecting = proposal ?? this.#known.ofBlock(head).at(-1);
    if (message.type === "part" && collecting !== undefined) this.#takePart(collecting, message, from);
    if (proposal === undefined) return;
    const isNew = known === undefined;
    // The same proposal again: what it said may have come too early.
    const isRepeated = message.type === "head" && from === proposal.proposer;
    if (proposal.assembly.isComplete && (isNew || isRepeated)) this.#deliver(proposal);
    else if (isNew) this.#tickSoon();
  }

  /** A head that is new here, when its proposer signed it and there is room. */
  #admit(head: PartsHead, from: PublicKeyHex): PartProposal | undefined {
    const { chainId, validators, verify, proposalUse, report } = this.#dependencies;
    const { proposal, size } = head;
    const use = proposalUse(proposal);
    const proposer = validators()[proposal.validatorIndex];
    if (use === "none" || proposer === undefined || proposer === this.#dependencies.ownKey) return undefined;
    if (this.#known.isFull(proposer, proposal)) return undefined;
    const key = fromHex(proposer);
    const tipHeight = this.#dependencies.tipHeight();
    if (use === "early" && this.#distrustedAt.get(from) === tipHeight) return undefined;
    const relays = relaysOf(head, validators()).filter((other) => other !== proposer);
    const isSigned =
      relays.length >= fewestRelays(validators().length - 1) &&
      verify(head.signature, partsSignBytes(chainId, head), key) &&
      verify(proposal.signature, proposalSignBytes(chainId, proposal), key);
    if (isSigned) return this.#known.makeRoom(proposer, { ...proposal, size }) ? this.#register(head, proposer) : undefined;
    // The validators of a later height may be others.
    if (use === "early") this.#distrustedAt.set(from, tipHeight);
    else report(from, "invalid");
    return undefined;
  }

  #takePart(proposal: PartProposal, message: Extract<PartMessage, { readonly type: "part" }>, from: PublicKeyHex): void {
    const { clock, report } = this.#dependencies;
    const { index, siblings, bytes } = message;
    const result = proposal.assembly.add({ index, siblings, bytes });
    if (result !== "invalid") proposal.helpers.add(from);
    if (result === "invalid") report(from, "invalid");
    if (result !== "added") return;
    this.#passOn(proposal, index, from);
    for (const same of this.#known.ofBlock(proposal.head)) {
      same.movedMs = clock.monotonicMs();
      same.requests = 0;
      if (same.assembly.isComplete) this.#deliver(same);
    }
  }

  /** Relays pass on each part once: those that got it from the proposer, and those that stand in for them. */
  #passOn(proposal: PartProposal, index: number, from: PublicKeyHex): void {
    const { ownKey, send } = this.#dependencies;
    if (proposal.distanceBehindRelays(ownKey, index) >= 0 && !proposal.spare.has(index)) return;
    const frame = proposal.encodePart(index);
    const relays = proposal.relaysOf(index);
    const to = proposal.others.filter((key) => key !== ownKey && key !== from && !relays.includes(key));
    if (frame !== undefined) send(to, frame);
  }

  #deliver(complete: PartProposal): void {
    const { clock, proposalUse, deliver } = this.#dependencies;
    const { head, assembly, proposer } = complete;
    const nowMs = clock.monotonicMs();
    if (nowMs - complete.deliveredMs < PARTS_LIMITS.deliverAgainMs || proposalUse(head.proposal) === "none") return;
    complete.deliveredMs = nowMs;
    deliver(head.proposal, assembly.bytes(), proposer);
  }

  /** A root alone does not say which of several heads is true: what has the part does. */
  #serve(root: Uint8Array, bits: Uint8Array, from: PublicKeyHex): void {
    const proposals = this.#known.ofRoot(root);
    for (const index of bitPositions(bits, MAX_PARTS)) {
      const proposal = proposals.findLast(({ assembly }) => assembly.part(index) !== undefined);
      const frame = proposal?.encodePart(index);
      if (proposal === undefined || frame === undefined) continue;
      const { served, servedBytes } = proposal.assembly;
      const bytes = (served.get(from) ?? 0) + proposal.head.partBytes;
      if (bytes > servedBytes) return;
      served.set(from, bytes);
      this.#dependencies.send([from], frame);
    }
  }

  #forgetOld(): void {
    // Those that are a height behind may still request its parts.
    const { ownKey, tipHeight } = this.#dependencies;
    for (const old of this.#known.takeBelow(tipHeight())) this.#choice.judge(old, ownKey);
    for (const [key, height] of this.#distrustedAt) if (height !== tipHeight()) this.#distrustedAt.delete(key);
  }

  #tickSoon(): void {
    this.#cancelTick ??= this.#dependencies.timers.setTimer(TICK_MS, () => {
      this.#cancelTick = null;
      this.#tick();
    });
  }

  #tick(): void {
    this.#forgetOld();
    const { proposalUse, clock } = this.#dependencies;
    const incomplete = this.#known.all.filter(({ assembly, head }) => !assembly.isComplete && proposalUse(head.proposal) !== "none");
    // A block is requested once, for the last of its rounds.
    const open = incomplete.filter((each, at) => !incomplete.slice(at + 1).some(({ assembly }) => assembly === each.assembly));
    const nowMs = clock.monotonicMs();
    for (const proposal of open) {
      const waitMs = proposal.requests === 0 ? PARTS_LIMITS.patienceMs : PARTS_LIMITS.askAgainMs;
      if (nowMs - proposal.movedMs >= waitMs) this.#request(proposal, nowMs);
    }
    if (open.length > 0) this.#tickSoon();
  }

  /**
   * First those request a missing part that stand next after its relays, to pass it on in their place: else all would request it of the
   * proposer at once. From the second time on everything is requested, of the proposer or one of those that say by their vote that they
   * have the block: by chance, as some may lie.
   */
  #request(proposal: PartProposal, nowMs: number): void {
    const { ownKey, randomBelow } = this.#dependencies;
    const missing = proposal.assembly.missing();
    proposal.requests += 1;
    proposal.movedMs = nowMs;
    const reach = PARTS_LIMITS.spareRelays * proposal.requests;
    const spare = proposal.requests > 2 ? [] : missing.filter((index) => proposal.distanceBehindRelays(ownKey, index) < reach);
    for (const index of spare) proposal.spare.add(index);
    const requested = proposal.requests === 1 ? spare : missing;
    if (requested.length === 0) return;
    const sources = [...new Set([proposal.proposer, ...proposal.holders])].filter((key) => key !== ownKey);
    const source = proposal.requests === 1 ? proposal.proposer : (sources[randomBelow(sources.length)] ?? proposal.proposer);
    this.#send([source], { type: "missing", root: proposal.head.root, parts: bitsAt(requested) });
  }

  #send(to: readonly PublicKeyHex[], message: PartMessage): void {
    this.#dependencies.send(to, encodePartMessage(message));
  }
}

/** Validators that a proposal names as relays. */
function relaysOf({ relays }: PartsHead, validators: readonly PublicKeyHex[]): readonly PublicKeyHex[] {
  return bitPositions(relays, validators.length).flatMap((index) => validators[index] ?? []);
}

function isSameProposal(a: Proposal, b: Proposal): boolean {
  return a.height === b.height && a.round === b.round && a.blockHash === b.blockHash && a.validRound === b.validRound;
}
