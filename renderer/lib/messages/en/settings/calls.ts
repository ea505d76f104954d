// Words of the settings of calls.

/** Messages `settings.calls` and `relay.*`. */
export const callSettings = {
  "settings.calls": "Calls",
  "relay.always": "Always relay calls",
  "relay.alwaysHint":
    "Hides your IP address from the person you call. Instead, the relay sees both of you, and when and how long you talk, but not what you say. Calls fail if no relay responds.",
  "relay.title": "Relay for calls",
  "relay.intro":
    "When two networks block direct calls, a relay passes them on, encrypted from device to device. It's enough if one of you has a relay.",
  "relay.looking": "Looking for a relay…",
  "relay.named": "Calls can use your relay {address}.",
  "relay.ofNode": "Calls can use your node's relay.",
  "relay.none": "Your node doesn't offer a relay. Start it with --call-relay on a machine the internet can reach, or enter another relay.",
  "relay.try": "Test",
  "relay.answers":
    "The relay responds to this device. For others, it must be reachable from the internet: a node behind a router needs its ports forwarded.",
  "relay.silent": "The relay doesn't respond. It may be off or behind a router or firewall, or the username or password is wrong.",
  "relay.address": "Address",
  "relay.addressHint": "A TURN server, for example turn.example.org:3478. Its operator sees both of your IP addresses.",
  "relay.addressWrong": "This isn't the address of a TURN server",
  "relay.username": "Username",
  "relay.password": "Password",
  "relay.save": "Use this relay",
  "relay.saved": "Relay for calls saved",
  "relay.remove": "Remove",
} as const;
