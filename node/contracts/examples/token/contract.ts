// A fungible token with allowances and permits; its owner mints. What holds and moves it is parley/library/token.
import { Address, caller, demand, StorageValue, u128 } from "parley";
import * as ownership from "parley/library/ownership";
import * as signed from "parley/library/signed";
import * as token from "parley/library/token";

export const NAME = "token";
export const VERSION = "2.0.0";

@struct
class TokenInfo {
  name: string;
  symbol: string;
  decimals: u8;
  supply: u128;
  owner: string;
}

const title = new StorageValue<string>("title");
const sign = new StorageValue<string>("symbol");
const places = new StorageValue<u8>("decimals");

/** Names the token; its deployer becomes the owner and gets the first supply, in the smallest units. */
export function init(name: string, symbol: string, decimals: u8, supply: u128): void {
  demand(name.length > 0 && name.length <= 64, "a name has 1 to 64 characters");
  demand(symbol.length > 0 && symbol.length <= 12, "a symbol has 1 to 12 characters");
  demand(decimals <= 18, "a token has at most 18 decimals");
  title.set(name);
  sign.set(symbol);
  places.set(decimals);
  ownership.begin(caller());
  if (!supply.isZero) token.mint(caller(), supply);
}

/** Moves the caller's tokens. */
export function transfer(to: Address, amount: u128): void {
  token.move(caller(), to, amount);
}

/** Lets a spender take up to an amount; replaces what was approved before. */
export function approve(spender: Address, amount: u128): void {
  token.approve(caller(), spender, amount);
}

/** Raises an allowance. Unlike `approve` it cannot be used twice by a spender who was quicker. */
export function increase_allowance(spender: Address, by: u128): void {
  token.approve(caller(), spender, token.allowance(caller(), spender) + by);
}

/** Lowers an allowance. */
export function decrease_allowance(spender: Address, by: u128): void {
  token.approve(caller(), spender, token.allowance(caller(), spender) - by);
}

/** Sets an allowance by the holder's signature; anyone can send it. */
export function permit(holder: Address, spender: Address, amount: u128, deadline: u64, signature: ArrayBuffer): void {
  token.permit(holder, spender, amount, deadline, signature);
}

/** Makes the permits void that the caller signed and that were not sent yet. */
export function cancel_permits(): void {
  signed.skipNonce(caller());
}

/** Moves tokens of a holder who allowed it. */
export function transfer_from(from: Address, to: Address, amount: u128): void {
  token.spend(from, caller(), amount);
  token.move(from, to, amount);
}

/** Destroys the caller's tokens. */
export function burn(amount: u128): void {
  token.burn(caller(), amount);
}

/** Makes more; only for the owner. */
export function mint(to: Address, amount: u128): void {
  ownership.demandOwner();
  token.mint(to, amount);
}

/** Offers the right to mint to another address, which accepts. */
export function offer_ownership(to: Address): void {
  ownership.offer(to);
}

export function accept_ownership(): void {
  ownership.accept();
}

/** Ends minting for ever. */
export function renounce_ownership(): void {
  ownership.renounce();
}

@view
export function info(): TokenInfo {
  return new TokenInfo(title.get(), sign.get(), places.get(), token.supply(), ownership.owner());
}

@view
export function balance_of(holder: Address): u128 {
  return token.balanceOf(holder);
}

@view
export function allowance(holder: Address, spender: Address): u128 {
  return token.allowance(holder, spender);
}

/** The number that the next permit of a key is signed with. */
@view
export function nonce_of(signer: Address): u64 {
  return signed.nonceOf(signer);
}
