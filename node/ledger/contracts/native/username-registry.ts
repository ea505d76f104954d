// Usernames: one name a key, one key a name. `name:<username>` holds the owner's key as hex text, `addr:<key>` the username.
import { MAX_USERNAME_CHARS, MIN_USERNAME_CHARS, USERNAME_PRICE_UT } from "#shared/protocol/primitives/limits.ts";
import { createNativeContract, demand, method, publicKeyOf, readText, remove, writeText } from "./native-contract.ts";

const USERNAME = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

const register = method(
  { username: "string" },
  (host, { username }) => {
    demand(host, host.amountUt === USERNAME_PRICE_UT, `a username costs exactly ${USERNAME_PRICE_UT} µT`);
    const isValid = username.length >= MIN_USERNAME_CHARS && username.length <= MAX_USERNAME_CHARS && USERNAME.test(username);
    demand(host, isValid, "a username has 4 to 32 of a-z 0-9, with single . _ - between them");
    demand(host, readText(host, `name:${username}`) === undefined, "the username is taken");
    demand(host, readText(host, `addr:${host.caller}`) === undefined, "the key has a username: release it first");
    demand(host, host.burn(host.amountUt), "the price is missing");
    writeText(host, `name:${username}`, host.caller);
    writeText(host, `addr:${host.caller}`, username);
    host.log(`register ${username} ${host.caller}`);
  },
  true,
);

const release = method({ username: "string" }, (host, { username }) => {
  demand(host, readText(host, `name:${username}`) === host.caller, "the username is not the caller's");
  remove(host, `name:${username}`);
  remove(host, `addr:${host.caller}`);
  host.log(`release ${username} ${host.caller}`);
});

const transfer = method({ username: "string", to: "string" }, (host, { username, to }) => {
  const recipient = publicKeyOf(host, to, "to");
  demand(host, readText(host, `name:${username}`) === host.caller, "the username is not the caller's");
  demand(host, host.isUsableKey(recipient), "to is no usable key");
  demand(host, readText(host, `addr:${recipient}`) === undefined, "to has a username");
  writeText(host, `name:${username}`, recipient);
  remove(host, `addr:${host.caller}`);
  writeText(host, `addr:${recipient}`, username);
  host.log(`transfer ${username} ${host.caller} ${recipient}`);
});

export const usernameRegistry = createNativeContract("username_registry", { register, release, transfer });
