// docs/errors.md, made from the tables of error and failure codes.
import { ERROR_CODES, type ErrorCode } from "#shared/errors/codes.ts";
import { ERROR_MEANINGS } from "#shared/errors/meanings.ts";
import { FAILURE_CODES } from "#shared/protocol/transactions/failure-codes.ts";

const HEAD = `# Errors

Made by \`npm run vectors\` from \`codes.ts\` and \`meanings.ts\` of \`shared/errors\` and
\`shared/protocol/transactions/failure-codes.ts\`: change those, not this page.

Every error response of the HTTP interface has a JSON body with the field \`error\`, a text for people. Its status comes
from this table. The text of a refused timestamp mentions \`timestamp\`, that of a refused signature \`signature\`, that of
a duplicate the id. A \`RELAY_FULL\` has the header \`X-Error-Code: RELAY_FULL\`: it is no sign that a node is away.
`;

const FAILURES = `
## Failed transactions

A transaction that was valid when it was submitted can fail in its block. It is recorded with its fee paid, changes
nothing else, and its receipt holds one of these codes. Validators agree on the codes, which never change their meaning.
`;

/** Text of docs/errors.md. */
export function errorsDocument(): string {
  const codes = Object.entries(ERROR_CODES).map(([code, status]) => `| \`${code}\` | ${status} | ${ERROR_MEANINGS[code as ErrorCode]} |`);
  const failures = Object.entries(FAILURE_CODES).map(([code, words]) => `| \`${code}\` | ${words} |`);
  const table = ["| code | status | meaning |", "|---|---|---|", ...codes].join("\n");
  return `${HEAD}\n${table}\n${FAILURES}\n${["| code | meaning |", "|---|---|", ...failures].join("\n")}\n`;
}
