import { mutantsOf } from "../mutant.ts";

const PASSWORD = ["agent/password.test.ts"];
const PORTS = ["agent/ports.test.ts"];

/** The agent: what opens it, what its process for the network may ask, and when it ends. */
export const AGENT = [
  ...mutantsOf("agent/keyring/password.ts", PASSWORD, [
    ["const CLOSED_TO_OTHERS = 0o077;", "const CLOSED_TO_OTHERS = 0o007;"],
    ["if (isRequired && !isOwn)", "if (isRequired && isOwn)"],
    ["readPassword(passwordFile, true)", "readPassword(passwordFile, false)"],
    ['if (password === "")', 'if (password === " ")'],
    ["if (size > MAX_BYTES)", "if (size > 2 * MAX_BYTES)"],
    [")) !== first)", ")) === undefined)"],
  ]),
  ...mutantsOf("agent/keyring/messenger-port.ts", PORTS, [
    ['  "seal",\n', '  "seal",\n  "sign",\n'],
    ["if (ALLOWED.some((name) => name === method))", "if (ALLOWED.some((name) => name !== method))"],
    ["(message ?? {})", "(message)"],
  ]),
  ...mutantsOf("agent/network/loopback.ts", PORTS, [
    ["127\\.0\\.0\\.1", "[\\d.]+"],
    ["|| port < 1 ||", "||"],
    ["port > MAX_PORT", "port > 2 * MAX_PORT"],
    ["mode: 0o600", "mode: 0o644"],
    ["if (isHex(known, SECRET_BYTES)) return known;", ""],
  ]),
  ...mutantsOf(
    "agent/network/watch-link.ts",
    ["agent/watch-link.test.ts"],
    [
      ["isEnded || devices.some", "devices.some"],
      ['if (state === "open") lookAgain();\n    }', "}"],
      ['type.includes("DEVICE")', 'type.includes("KEY")'],
      ["key === devicePub", "key !== devicePub"],
      ["for (const stop of stops) stop();", ""],
    ],
  ),
  ...mutantsOf(
    "agent/network/followed-node.ts",
    ["agent/followed-node.test.ts"],
    [
      ["      found = undefined;\n", ""],
      ["found?.node === undefined ||", ""],
    ],
  ),
];
