// Words of proofs of payment.

/** Messages `proof.*`. */
export const proof = {
  "proof.save": "Save proof of payment",
  "proof.saved": "Proof of payment saved",
  "proof.savedText": "Anyone can check the file in Parley without asking a node.",
  "proof.page": "Check a proof of payment",
  "proof.text": "Open a file that someone gave you. It is checked on this device: no node is asked about the payment.",
  "proof.file": "Proof file",
  "proof.checking": "Checking signatures…",
  "proof.provenTitle": "This payment is proven",
  "proof.provenText": "It is in block {height} of {network}, and it succeeded.",
  "proof.refusedTitle": "This file proves nothing",
  "proof.signedBy": "Signed by",
  "proof.signedByText": "{count} of {total} validators, and the sender",
  "proof.fromGenesis":
    "The check begins with the validators in your network's genesis, {time}, and follows their signatures up to the payment.",
  "proof.limits":
    "Not proven: who the people behind the addresses are, what the payment was for, and what became of the money since. More than a third of the validators from then on, including ones that have left since, could together make a false proof.",

  "proof.problem.tooLarge": "It is larger than any proof of payment.",
  "proof.problem.notAProof": "It is not a proof of payment, or it is damaged.",
  "proof.problem.newerFormat": "A newer version of Parley made it. Update Parley to check it.",
  "proof.problem.otherNetwork": "It is from another network than yours.",
  "proof.problem.genesisMissing": "It does not carry the genesis of its network.",
  "proof.problem.checkpointMissing": "It does not hold the trusted block.",
  "proof.problem.checkpointAbove": "The trusted block is newer than the payment.",
  "proof.problem.otherValidators": "Too few of your network's validators signed it.",
  "proof.problem.altered": "It was altered: what it says is not what the validators signed.",
  "proof.problem.unsigned": "The signatures of the validators are not valid.",
  "proof.problem.senderUnsigned": "The signature of the sender is not valid.",
  "proof.problem.contradiction": "It contradicts your network: validators signed a block that cannot be on its chain.",
  "proof.problem.notPayment": "The transaction in it is not a payment.",
  "proof.problem.failed": "The payment in it failed: no money moved.",
  "proof.problem.early": "Its block is in the future. Check the clock of this computer.",
  "proof.problem.newerRules": "The network has newer rules than this version of Parley. Update Parley to check it.",
} as const;
