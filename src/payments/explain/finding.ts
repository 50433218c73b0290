/** The stable codes of findings. A code never changes its meaning. docs/explain.md has the same table. */
export const FINDING_CODES = {
  UNKNOWN_PROGRAM: 'a program that is not known here is called',
  UNKNOWN_INSTRUCTION: 'a known program is called in a form that is not known',
  OTHER_LAYOUT: 'an instruction has the form of another version of the program than the cluster runs',
  DANGEROUS_INSTRUCTION:
    'an instruction that gives something away, which wallets that only make payments never need',
  NOT_FOR_WALLETS: 'an instruction that programs and validators have run among themselves',
  WRONG_ACCOUNT: 'an account is not the one that is derived for its role',
  ACCOUNT_REPEATED: 'an account is named twice',
  UNUSED_ACCOUNT: 'a signer or a writable account that no instruction uses',
  LOOKUP_TABLE_UNREAD: 'accounts are named through a lookup table that could not be read',
  NO_INSTRUCTIONS: 'the transaction does nothing',
  INVISIBLE_CHARACTERS: 'a text has characters that are not seen, or that turn others around',
  HANDLE_NOT_NORMALIZED:
    'a stealth handle is not in the form in which people type it, so that another handle looks the same',
  HANDLE_MIXES_SCRIPTS: 'a stealth handle mixes letters of several scripts that look alike',
  RECIPIENT_KEYLESS: 'no key signs for the address that is paid, which may be a token account',
  TAKES_ALL:
    'the whole balance of a signer, in a mint or in SOL, leaves it, and the request does not specify that',
  WRONG_SIGNATURE: 'a signature does not match the message',
  TOKEN_ACCOUNT_OF_ANOTHER: 'a token account does not belong to the owner that its address implies',
  TOKEN_ACCOUNT_UNUSABLE: 'the account at the address of a token account is not a token account',
  TOKEN_ACCOUNT_DELEGATED: 'someone else can take tokens out of an account that receives tokens',
  TOKEN_ACCOUNT_CLOSE_AUTHORITY: 'someone else can close an account that receives tokens',
  TOKEN_ACCOUNT_FROZEN: 'a token account that is used is frozen',
  TOKEN_ACCOUNT_CONFIDENTIAL_ONLY: 'a token account that receives tokens accepts only confidential transfers',
  HOLDER_UNSEEN: 'the rollup hides a token account, or has none, so that its owner is unknown',
  ARRIVAL_FAILS: 'the transaction would land, but its tokens would not arrive on the other ledger',
  ARRIVAL_UNPROVEN:
    'the tokens arrive by steps that follow on another ledger or later, which could not be checked',
  EATA_UNRECOGNISED: 'the owner of an ephemeral token account does not follow from the transaction',
  VAULT_WRONG: 'a vault is not the one of its mint, or someone else has rights over its tokens',
  SHUTTLE_TAKEN:
    'the shuttle that should carry the tokens already exists, or its eATA is delegated, so that nothing would move',
  MINT_FACTS_WRONG: 'the ledger reports impossible facts about a mint',
  MINT_UNREAD: 'the mint could not be read, so its extensions are unknown',
  MINT_EXTENSION_UNKNOWN: 'the mint has an extension that is not known here',
  PERMANENT_DELEGATE: 'someone can take tokens of the mint from any account at any time',
  TRANSFER_HOOK: 'every transfer of the mint calls another program, or may be made to',
  TRANSFER_FEE: 'the mint withholds a part of every transfer',
  MINT_PAUSED: 'nothing of the mint moves for now',
  NON_TRANSFERABLE: 'tokens of the mint cannot be transferred',
  SHOWN_OTHERWISE: 'wallets show other amounts of the mint than its base units and decimals make',
  TOKENS_MINTED: 'tokens are newly made',
  ACCOUNT_FROZEN: 'a token account is frozen by the transaction',
  ACCOUNT_THAWED: 'a token account is thawed by the transaction',
  OTHER_READERS: 'others than the owner may read an account that is called private',
  OTHER_VALIDATOR: "something is delegated to a validator that is not the cluster's",
  DEFAULT_VALIDATOR: 'something is delegated without naming a validator',
  SETTLEMENT_REQUESTED: 'accounts of the rollup are published on the base ledger',
  SEALED_RECIPIENT: 'the recipient of a private payment is sealed and cannot be read',
  NONCE_WITHDRAWN: 'lamports leave a nonce account',
  HIGH_NETWORK_FEE: 'the network may charge an unusual fee',
  HIGH_RENT: 'creating accounts costs an unusual amount',
  EXCESS_LAMPORTS: 'a new account gets far more lamports than its rent',
  BLOCKHASH_ZERO: 'there is no blockhash yet',
  BLOCKHASH_UNKNOWN: 'the blockhash has expired or does not belong to the ledger',
  BLOCKHASH_OF_OTHER_LEDGER: 'the blockhash belongs to the other ledger',
  BLOCKHASH_UNCHECKED: 'the ledger of the blockhash could not be determined',
  RUNS_ON_EITHER_LEDGER: 'nothing in the bytes names a ledger',
  OFFLINE: 'no ledger was read, because the caller chose offline',
  LEDGER_UNREAD: 'the ledger could not be read',
  TRIAL_FAILS: 'sent now it would fail',
  TRIAL_UNAVAILABLE: 'it could not be tried',
  TRIAL_DIFFERS: 'a simulation has other effects than its instructions say',
  TRIAL_UNSETTLED:
    'an account changes all the time, or the rent cannot be read, so that the simulation could not be compared',
  NOT_AS_REQUESTED: 'it does not match the request',
  REQUEST_UNVERIFIABLE: 'a part of the request cannot be checked',
} as const;

export type FindingCode = keyof typeof FINDING_CODES;

/**
 * Something the signer of a transaction should know. `danger`: do not sign unless you know why it is there;
 * `caution`: look at it; `note`: good to know.
 */
export interface Finding {
  readonly level: 'danger' | 'caution' | 'note';
  readonly code: FindingCode;
  readonly message: string;
  /** Index of the instruction it concerns. */
  readonly instruction?: number;
}

const finding =
  (level: Finding['level']) =>
  (code: FindingCode, message: string): Finding => ({ level, code, message });

export const danger = finding('danger');
export const caution = finding('caution');
export const note = finding('note');

/** A finding about one instruction, which its message names. */
export const ofInstruction = (
  { level, code, message }: Finding,
  instruction: number,
  action: string | undefined,
): Finding => ({ level, code, message: `Instruction ${instruction} (${action}): ${message}`, instruction });

/** A difference between a transaction and its request. */
export interface Difference {
  /** Index of the instruction in the transaction; absent if the whole transaction is concerned. */
  readonly instruction?: number | undefined;
  /** The name of the account, field or property. */
  readonly part: string;
  readonly expected: string;
  readonly found: string;
}

/** A part of a request that could not be checked, and why. */
export interface Doubt {
  readonly claim: string;
  readonly message: string;
}

/** The results of a check: for the signer, and for the comparison with the request. */
export interface Report {
  readonly findings: readonly Finding[];
  readonly doubts: readonly Doubt[];
  readonly differences: readonly Difference[];
}

export const NOTHING_TO_REPORT: Report = { findings: [], doubts: [], differences: [] };

/** A finding that is also a difference from any request. */
export const mismatch = (found: Finding, difference: Difference): Report => ({
  findings: [found],
  doubts: [],
  differences: [difference],
});

/** A caution that is also a doubt about a claim of the request. */
export const uncertain = (code: FindingCode, claim: string, message: string): Report => ({
  findings: [caution(code, message)],
  doubts: [{ claim, message }],
  differences: [],
});

export const joinReports = (reports: readonly Report[]): Report => ({
  findings: reports.flatMap(({ findings }) => findings),
  doubts: reports.flatMap(({ doubts }) => doubts),
  differences: reports.flatMap(({ differences }) => differences),
});
