// Sentences with which the native contracts refuse a call, in the words of the catalogue.
import type { PlainMessageKey } from "../messages/catalogue.ts";

/** Message of each sentence. A contract that someone deployed may use the same sentence: then it means the same. */
export const CONTRACT_REASONS: Readonly<Record<string, PlainMessageKey>> = {
  "the id is taken": "transactions.refused.idTaken",
  "there is no such token": "transactions.refused.noToken",
  "the owner has not approved that much": "transactions.refused.notApproved",
  "the balance does not suffice": "transactions.refused.tokenBalance",
  "the amount is 0": "transactions.refused.zero",
  "to is no usable key": "transactions.refused.unusableKey",
  "the caller does not own it": "transactions.refused.notOwner",
  "the username is taken": "transactions.refused.nameTaken",
  "the key has a username: release it first": "transactions.refused.hasName",
  "the username is not the caller's": "transactions.refused.notYourName",
  "to has a username": "transactions.refused.theyHaveName",
  "the deal id is taken": "transactions.refused.dealTaken",
  "there is no such open deal": "transactions.refused.noDeal",
  "buyer, seller and arbiter are three": "transactions.refused.threeParties",
  "the deadline is unix seconds within a year": "transactions.refused.deadline",
  "the deal is disputed already, or has no arbiter": "transactions.refused.noDispute",
  "a disputed deal waits for its arbiter": "transactions.refused.waitsForArbiter",
  "the deadline has not passed": "transactions.refused.notDue",
  "seller is no usable key": "transactions.refused.unusableSeller",
  "only members do that": "transactions.refused.onlyMembers",
  "the member approved it already": "transactions.refused.approvedAlready",
  "there are not enough approvals": "transactions.refused.fewApprovals",
  "there is no such open proposal": "transactions.refused.noProposal",
  "the proposal has expired": "transactions.refused.proposalExpired",
  "the purse cannot pay": "transactions.refused.purseShort",
  "the caller has not approved it": "transactions.refused.notApprovedIt",
};
