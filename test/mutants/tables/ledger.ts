import { mutantsOf } from "../mutant.ts";

const CALLS = ["node/ledger/contracts/call-contract.test.ts"];
const EXECUTE = ["node/ledger/execute.test.ts", "node/ledger/transactions.test.ts", ...CALLS];
const NATIVE = ["node/ledger/contracts"];

/** The ledger and the native contracts: who pays what. */
export const LEDGER = [
  ...mutantsOf("node/ledger/execute.ts", EXECUTE, [
    ["if (reservedUt > gasUt) credit(journal, tx.from, reservedUt - gasUt);", ""],
    ["MAX_SUPPLY_UT - supplyUt)", "MAX_SUPPLY_UT)"],
    ["idsOfBlock.add(tx.id);", ""],
    ["gasLimit > context.gasLeft", "gasLimit >= context.gasLeft"],
    ["gasLeft -= outcome.receipt.gasUsed;", ""],
  ]),
  ...mutantsOf(
    "node/ledger/check-transaction.ts",
    ["node/ledger/check-transaction.test.ts", ...EXECUTE],
    [
      ["timestampMs > timeMs - TX_WINDOW_MS", "timestampMs >= timeMs - TX_WINDOW_MS"],
      ["tx.fee >= leastUt", "tx.fee > leastUt"],
      ["if (!isIdAuthentic(chainId, tx, hash))", "if (chainId === undefined)"],
      ["base64Length(tx.payload) > maxBytes", "base64Length(tx.payload) >= maxBytes"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/payments/close-pay-chan.ts",
    ["node/ledger/channels.test.ts"],
    [
      ["payload.paid_ut > channel.depositUt", "payload.paid_ut >= channel.depositUt"],
      ["blockSeconds(context) < channel.expiresAt", "blockSeconds(context) <= channel.expiresAt"],
      ["|| channel.paidUt !== undefined", ""],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/validators/slash.ts",
    ["node/ledger/validators.test.ts"],
    [
      ["tx.from === offender || tx.from === liable ? 0 :", "tx.from !== offender ? 0 :"],
      ["height <= (to ?? context.height)", "height < (to ?? context.height)"],
      ["readSupply(view) - (lostUt - rewardUt)", "readSupply(view) - lostUt"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/validators/upgrade.ts",
    ["node/ledger/upgrade.test.ts"],
    [
      ['if (!change.set.every(isReachable)) return "UPGRADE_OUT_OF_REACH";', ""],
      ["change.version <= params.version", "change.version < params.version"],
      ["if (!isChange && readPendingUpgrade(state) === undefined)", "if (!isChange)"],
      ["members.has(approver) && at > now - APPROVAL_LIFETIME_S", "at > now - APPROVAL_LIFETIME_S"],
      ["at > upgradedAt && at", "at"],
      [" && at >= (given.get(approver) ?? 0)", ""],
      ["writeUpgradeProposals(view, hasQuorum ? [] : proposals);", "writeUpgradeProposals(view, proposals);"],
      ["upgradeId(other) === id || !brought.has(approver)", "upgradeId(other) === id || brought.has(approver)"],
      ["isCancelled ? undefined : {", "{"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/downtime.ts",
    ["node/ledger/downtime.test.ts"],
    [
      ["if (context.params.version < DOWNTIME_VERSION) return;", ""],
      [">= DOWNTIME_MISSED", "> DOWNTIME_MISSED"],
      ["validators.length - LEAST_VALIDATORS", "validators.length"],
      ["Math.floor(validators.length / 3)", "Math.ceil(validators.length / 3)"],
      ["missedOf(b) - missedOf(a) || ", ""],
      ["[presentKey(view, publicKey)]", "[publicKey]"],
      ["new Map([...counts].filter(([key]) => members.has(key)))", "counts"],
      ["counts ?? countsOf(view)", "countsOf(view)"],
      ["    writeSetAside(view, publicKey, context.height);\n", ""],
      ["  writeAbsences(view, []);\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/ledger/records/proposed-records.ts",
    ["node/ledger/proposed-vectors.test.ts"],
    [
      ["if (params.version < PROPOSED_VERSION) return;", ""],
      ["params.version < PROPOSED_VERSION", "params.version <= PROPOSED_VERSION"],
      ["if (readProposedSince(view) === undefined) ", ""],
      [
        'view.set("proposed", fromHex(proposer)',
        'view.set("proposed", view.get("wallet", fromHex(proposer))?.subarray(-32) ?? fromHex(proposer)',
      ],
    ],
  ),
  ...mutantsOf(
    "node/ledger/records/directory-epochs.ts",
    ["node/ledger/keeper-state-vectors.test.ts"],
    [
      ["if (params.version < KEEPERS_VERSION) return;", ""],
      ["  if (params.version >= SUSPENSION_VERSION) endSuspensions(view, timeS);\n", ""],
      ["readSuspension(reader, key, timeS).untilS", "0"],
      ["params.version < KEEPERS_VERSION", "params.version !== KEEPERS_VERSION"],
      [' && view.get("directory", headKey(0)) !== undefined', ""],
      ["newest?.turn === 0 ? 1 : 0", "0"],
      ["{ ...newest?.head, standings }", "newest && { ...newest.head, standings }"],
      ["  for (let n = parts.length; n < oldParts", "  for (let n = oldParts; n < oldParts"],
      ["wallet: readWallet(reader, key)", "wallet: key"],
      ["Uint8Array.of(turn, n >> 8, n & 0xff)", "Uint8Array.of(turn, n & 0xff, n >> 8)"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/relays/suspend-relay.ts",
    ["node/ledger/suspend-relay.test.ts"],
    [
      ["sinceVersion: SUSPENSION_VERSION,", ""],
      ["evidence !== undefined && areDifferent(evidence.first, evidence.second) ? evidence", "evidence !== undefined ? evidence"],
      ["isFeeWaived: (state, { from }) => isMember(state, from),", "isFeeWaived: () => true,"],
      ["signedS > now + CLOCK_SKEW_S ||", ""],
      ["signedS <= now - LIE_LIFETIME_S", "signedS < now - LIE_LIFETIME_S"],
      ["bondUt + withdrawnUt === 0", "bondUt === 0"],
      ['if (untilS > 0) return "RELAY_SUSPENDED";', ""],
      ['votes.some(({ voter }) => voter === from) ? "SUSPENSION_VOTED" : undefined', "undefined"],
      [".votes.filter(({ voter }) => members.has(voter))", ".votes"],
      ["isQuorum(votes.length, readValidators(view).length)", "votes.length * 2 >= readValidators(view).length"],
      ["    if (isMember(view, from)) {", "    {"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/records/suspension-records.ts",
    ["node/ledger/suspend-relay.test.ts", "node/ledger/keeper-state-vectors.test.ts"],
    [
      ["untilS > nowS ? untilS : 0", "untilS"],
      ["votes.filter(({ at }) => at > nowS - LIE_LIFETIME_S)", "votes"],
      ["votes.toSorted((a, b) => (a.voter < b.voter ? -1 : 1))", "votes"],
      ['if (before !== undefined) view.delete("suspension", key);', ""],
    ],
  ),
  ...mutantsOf(
    "node/ledger/continue-state.ts",
    ["node/ledger/suspend-relay.test.ts"],
    [["{ untilS: decodeSuspension(value).untilS, votes: [] }", "decodeSuspension(value)"]],
  ),
  ...mutantsOf(
    "shared/protocol/keepers/kept-digest.ts",
    ["node/ledger/suspend-relay.test.ts"],
    [
      ["one.count !== other.count || ", ""],
      [" || one.fingerprint !== other.fingerprint", ""],
      ["other.keeper !== keeper || ", ""],
      ["other.slot !== slot || ", ""],
      ["other.version !== version || ", ""],
      ["[slot, version, count, fromHex(fingerprint)]", "[slot, count, fromHex(fingerprint)]"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/records/keeper-records.ts",
    ["node/ledger/keeper-state-vectors.test.ts", "node/ledger/relay-bonds.test.ts"],
    [
      ["(value === undefined ? -1 : 1)", "1"],
      ["keeper.bondUt + keeper.withdrawnUt > 0 ?", "keeper.bondUt > 0 ?"],
      ["count: standing.back ?? undefined", "count: undefined"],
      ['if (count === 0) view.delete("keeper", COUNT_KEY);\n  else ', ""],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/relays/register-relay.ts",
    ["node/ledger/relay-bonds.test.ts"],
    [
      ["fieldVersions: { bond_ut: KEEPERS_VERSION },", ""],
      ["blockSeconds(context) < keeper.availableAt", "blockSeconds(context) <= keeper.availableAt"],
      ["if (bondUt < lockedUt)", "if (bondUt < keeper.bondUt)"],
      ["lockedUt === 0 && readKeeperCount", "keeper.bondUt === 0 && readKeeperCount"],
      ["readKeeperCount(state) >= ", "readKeeperCount(state) > "],
      ["balanceUt < bondUt - lockedUt", "balanceUt < bondUt"],
      ["bondUt - keeper.bondUt - keeper.withdrawnUt;", "bondUt - keeper.bondUt;"],
      ["bondUt: 0, withdrawnUt: keeper.bondUt, availableAt", "bondUt: 0, withdrawnUt: keeper.bondUt, availableAt: 0"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/check-transaction.ts",
    ["node/ledger/relay-bonds.test.ts"],
    [["Object.hasOwn(raw, name))", "(raw as Record<string, unknown>)[name] != null)"]],
  ),
  ...mutantsOf(
    "node/ledger/transactions/validators/rotate-key.ts",
    ["node/ledger/rotate-key.test.ts"],
    [
      ["sinceVersion: ROTATION_VERSION,", ""],
      ["rotationSignBytes(chainId, from, new_pub)", "rotationSignBytes(chainId, new_pub, new_pub)"],
      ['if (isUsed(state, newPub)) return "VALIDATOR_KEY_USED";', ""],
      ["isMember || changedAt > 0", "isMember || changedAt > 9e9"],
      ["height < since + ROTATION_BLOCKS", "height <= since + ROTATION_BLOCKS"],
      ["endTerm(term, context.height)", "[term]"],
      ["from: context.height + 1", "from: context.height"],
      ["changedAt: now, bannedUntil, terms", "changedAt: now, bannedUntil: 0, terms"],
      ['writeApprovals(view, "remove", newPub, removal);', ""],
      ["clearApprovals(view, newPub);", ""],
      ["readWallet(view, newPub) === newPub && ", ""],
    ],
  ),
  ...mutantsOf(
    "node/ledger/records/rotation-records.ts",
    ["node/ledger/rotate-key.test.ts"],
    [
      ["nowS >= replacedAt + UNBONDING_S", "nowS > replacedAt + UNBONDING_S"],
      ["publicKey : presentKey(reader, publicKey)", "publicKey : publicKey"],
      ["const first = before.first ?? from;", "const first = from;"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/validators/slash.ts",
    ["node/ledger/rotate-key.test.ts"],
    [
      ["tx.from === offender || tx.from === liable", "tx.from === offender"],
      ["return from !== liable && members.has(from)", "return members.has(from)"],
      ["punish(view, liable, bondUt - lostUt, context);", "punish(view, offender, bondUt - lostUt, context);"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/validators/add-validator.ts",
    ["node/ledger/rotate-key.test.ts"],
    [['if (isReplaced(state, candidate)) return "VALIDATOR_KEY_REPLACED";', ""]],
  ),
  ...mutantsOf(
    "node/mempool/reported-member.ts",
    ["node/ledger/rotate-key.test.ts"],
    [["presentKey(state, evidence.validator_pub)", "evidence.validator_pub"]],
  ),
  ...mutantsOf(
    "node/mempool/reported-member.ts",
    ["node/mempool/mempool.test.ts"],
    [
      ['if (tx.type !== "SUSPEND_RELAY") return reportedMember(tx, state);', "return reportedMember(tx, state);"],
      [".some(({ publicKey }) => publicKey === tx.from)", ".length > 0"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/records/params-records.ts",
    ["node/ledger/upgrade.test.ts"],
    [
      ["height + 1 >= pending.upgrade.atHeight", "height >= pending.upgrade.atHeight"],
      ["Math.floor(timeMs / 1_000) >= dueSeconds(pending)", "Math.floor(timeMs / 1_000) > dueSeconds(pending)"],
      ['view.set("params", fromHex(paramsHash(params)), value);', ""],
      ["writePendingUpgrade(view, undefined);", ""],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/primitives/params.ts",
    ["node/ledger/upgrade.test.ts", "shared/protocol/vectors.test.ts"],
    [
      ["Math.max(1, 2 * current)", "2 * current"],
      ["Math.floor(current / 2)", "Math.ceil(current / 2)"],
      ['name === "block_reward_ut" ? current', 'name === "block_reward_ut" ? 2 * current'],
      ["isChanged ? encode(networkParamsCodec, params)", "!isChanged ? encode(networkParamsCodec, params)"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/relays/relay-proof.ts",
    ["node/ledger/nodes.test.ts"],
    [
      ['if (isClaimed(state, claim.sender_pub, claim.envelope_id)) return "claimed";', ""],
      ["balanceUt < claim.fee_ut", "balanceUt <= claim.fee_ut"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/transactions/validators/header-evidence.ts",
    ["node/ledger/header-evidence.test.ts"],
    [
      ["if (headers.length === 1 && first.round >= round) return false;", ""],
      ["areContradicting(own, other) && areLinked(headers)", "areContradicting(own, other)"],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/chain/contradicting-headers.ts",
    ["node/ledger/header-evidence.test.ts"],
    [
      ["return !chosen.some(differs) && OUTCOME.some(differs);", "return OUTCOME.some(differs);"],
      ['[...CHOSEN, "lastCommitHash" as const]', "CHOSEN"],
    ],
  ),
  ...mutantsOf("node/ledger/contracts/native/tokens.ts", NATIVE, [
    ["allowed >= amount", "allowed > amount"],
    ["balance >= amount", "balance + 1n >= amount"],
  ]),
  ...mutantsOf("node/ledger/contracts/native/escrow.ts", NATIVE, [
    ["BigInt(host.timeS) >= readU64", "BigInt(host.timeS) > readU64"],
    ["deadline > now &&", "deadline >= now &&"],
  ]),
  ...mutantsOf("node/ledger/contracts/native/username-registry.ts", NATIVE, [
    ["username.length <= MAX_USERNAME_CHARS", "username.length < MAX_USERNAME_CHARS"],
  ]),
  ...mutantsOf(
    "node/ledger/contracts/contract-interface.ts",
    ["node/ledger/contracts/contract-interface.test.ts"],
    [
      ["newest?.stored === stored && newest.record.id === id", "newest?.stored === stored"],
      ["known?.stored === stored ? known :", "known !== undefined ? known :"],
      ["if (before?.record.abiJson === this.record.abiJson)", "if (before !== undefined)"],
    ],
  ),
  ...mutantsOf(
    "node/ledger/contracts/call-host.ts",
    ["node/vm/host-functions.test.ts"],
    [["this.#namePrefix + toLatin1(key), key)", "toLatin1(key), key)"]],
  ),
];
