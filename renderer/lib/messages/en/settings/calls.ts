// Words of the settings of calls.

/** Messages `settings.calls` and `relay.*`. */
export const callSettings = {
  "settings.calls": "Calls",
  "relay.always": "Always relay calls",
  "relay.alwaysHint":
    "Hides your IP address from the person you call. The relay sees both of you instead, and when and how much you talk, but not what you say. Without a relay that answers, calls fail.",
  "relay.title": "Relay for calls",
  "relay.intro":
    "Where two networks let no direct call through, a relay passes it on, encrypted from device to device. It is enough that one of the two has one.",
  "relay.looking": "Looking for a relay …",
  "relay.named": "Calls may use your relay {address}.",
  "relay.ofNode": "Calls may use the relay of your node.",
  "relay.none": "Your node offers you no relay: start it with --call-relay on a machine that the internet can reach, or name another one.",
  "relay.try": "Try it",
  "relay.answers":
    "The relay answers this device. For others it must be reachable from the internet: a node behind a router needs its ports forwarded.",
  "relay.silent": "The relay doesn't answer. It may be off, behind a router or firewall, or name and password are wrong.",
  "relay.address": "Address",
  "relay.addressHint": "A TURN server, for example turn.example.org:3478. Its operator learns the addresses of both of you.",
  "relay.addressWrong": "This is no address of a TURN server",
  "relay.username": "User",
  "relay.password": "Password",
  "relay.save": "Use this relay",
  "relay.saved": "Relay for calls saved",
  "relay.remove": "Remove",
} as const;
