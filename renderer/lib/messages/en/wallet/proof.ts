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
    "The check starts with the validators in your network's genesis, {time}, and follows their signatures up to the payment.",
  "proof.limits":
    "Not proven: who the people behind the addresses are, what the payment was for, and what has happened to the money since. More than a third of the validators since then, including former ones, could together forge a proof.",

  "proof.problem.tooLarge": "It's too large to be a proof of payment.",
  "proof.problem.notAProof": "It is not a proof of payment, or it is damaged.",
  "proof.problem.newerFormat": "It was made by a newer version of Parley. Update Parley to check it.",
  "proof.problem.otherNetwork": "It's from a different network.",
  "proof.problem.genesisMissing": "It doesn't contain its network's genesis.",
  "proof.problem.checkpointMissing": "It doesn't contain the trusted block.",
  "proof.problem.checkpointAbove": "The trusted block is newer than the payment.",
  "proof.problem.otherValidators": "Too few of your network's validators signed it.",
  "proof.problem.altered": "It was altered: its contents don't match what the validators signed.",
  "proof.problem.unsigned": "The validators' signatures aren't valid.",
  "proof.problem.senderUnsigned": "The sender's signature isn't valid.",
  "proof.problem.contradiction": "It contradicts your network: validators signed a block that can't be on its chain.",
  "proof.problem.notPayment": "The transaction in it isn't a payment.",
  "proof.problem.failed": "The payment in it failed: no money moved.",
  "proof.problem.early": "Its block is in the future. Check this computer's clock.",
  "proof.problem.newerRules": "The network has newer rules than this version of Parley. Update Parley to check it.",
} as const;
