// Things of which there is one each. The owner of the contract mints them. What holds and moves them is parley/library/nft.
import { Address, caller } from "parley";
import * as nft from "parley/library/nft";
import * as ownership from "parley/library/ownership";

export const NAME = "nft";
export const VERSION = "1.0.0";

export function init(): void {
  ownership.begin(caller());
}

/** Makes one and returns its number; only for the owner. */
export function mint(to: Address, uri: string): u64 {
  ownership.demandOwner();
  return nft.mint(to, uri);
}

/** Moves one that the caller has, or may move. */
export function transfer(to: Address, id: u64): void {
  nft.move(caller(), to, id);
}

export function burn(id: u64): void {
  nft.burn(caller(), id);
}

/** Lets an address move one; null lets none. It ends when the token moves. */
export function approve(spender: Address | null, id: u64): void {
  nft.approve(caller(), spender === null ? "" : spender, id);
}

/** Lets an operator move all that the caller has and will have. */
export function set_operator(operator: Address, isAllowed: bool): void {
  nft.setOperator(caller(), operator, isAllowed);
}

export function offer_ownership(to: Address): void {
  ownership.offer(to);
}

export function accept_ownership(): void {
  ownership.accept();
}

@view
export function owner_of(id: u64): Address {
  return nft.ownerOf(id);
}

@view
export function uri_of(id: u64): string {
  return nft.uriOf(id);
}

@view
export function balance_of(holder: Address): u64 {
  return nft.balanceOf(holder);
}

/** Who may move it beside its owner and operators; empty for none. */
@view
export function approved_for(id: u64): string {
  return nft.approvedFor(id);
}

@view
export function is_operator(holder: Address, operator: Address): bool {
  return nft.isOperator(holder, operator);
}
