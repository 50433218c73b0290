/** Stable codes of findings; their meaning never changes. docs/explain.md has the same table. */
export const FINDING_CODES = {
  UNKNOWN_PROGRAM: 'an instruction calls an unknown program',
  UNKNOWN_INSTRUCTION: 'an instruction of a known program is not recognized',
  OTHER_LAYOUT: 'an instruction has the form of a different program version than the one on the cluster',
  DANGEROUS_INSTRUCTION:
    'an instruction gives something away; a wallet that only makes payments never needs it',
  NOT_FOR_WALLETS: 'only programs and validators send this instruction',
  WRONG_ACCOUNT: 'an account is not the one derived for its role',
  ACCOUNT_REPEATED: 'an account is listed twice',
  UNUSED_ACCOUNT: 'a signer or writable account is not used by any instruction',
  LOOKUP_TABLE_UNREAD: 'accounts come from a lookup table that could not be read',
  NO_INSTRUCTIONS: 'the transaction has no instructions',
  INVISIBLE_CHARACTERS: 'a text has invisible characters, or characters that change the reading direction',
  HANDLE_NOT_NORMALIZED: 'a stealth handle is not normalized, so another handle can look the same',
  HANDLE_MIXES_SCRIPTS: 'a stealth handle mixes letters of several scripts that look alike',
  RECIPIENT_KEYLESS: 'no key signs for the address of the recipient, which may be a token account',
  TAKES_ALL:
    "the transaction takes a signer's whole balance of a token or of SOL, and the request does not ask for that",
  WRONG_SIGNATURE: 'a signature does not match the message',
  TOKEN_ACCOUNT_OF_ANOTHER: 'a token account does not belong to the owner that its address implies',
  TOKEN_ACCOUNT_UNUSABLE: 'the account at the address of a token account is not a token account',
  TOKEN_ACCOUNT_DELEGATED: 'someone else can take tokens out of the receiving account',
  TOKEN_ACCOUNT_CLOSE_AUTHORITY: 'someone else can close the receiving account',
  TOKEN_ACCOUNT_FROZEN: 'a token account that is used is frozen',
  TOKEN_ACCOUNT_CONFIDENTIAL_ONLY: 'the receiving account accepts only confidential transfers',
  HOLDER_UNSEEN:
    'the owner of a token account is unknown, because the rollup hides the account or does not have it',
  ARRIVAL_FAILS: 'the transaction would succeed, but its tokens would not arrive on the other ledger',
  ARRIVAL_UNPROVEN: 'the tokens arrive later or on another ledger, and these steps could not be checked',
  EATA_UNRECOGNISED: 'the transaction does not show the owner of an ephemeral token account',
  VAULT_WRONG: 'a vault does not belong to its mint, or someone else has rights over its tokens',
  SHUTTLE_TAKEN:
    'the shuttle for the tokens already exists, or its eATA is already delegated, so nothing would move',
  MINT_FACTS_WRONG: 'the ledger reports impossible values for a mint',
  MINT_UNREAD: 'the mint could not be read, so its extensions are unknown',
  MINT_EXTENSION_UNKNOWN: 'the mint has an unknown extension',
  PERMANENT_DELEGATE: 'someone can take tokens of the mint from any account at any time',
  TRANSFER_HOOK: 'every transfer of the mint calls another program, or may do so later',
  TRANSFER_FEE: 'the mint withholds a part of every transfer',
  MINT_PAUSED: 'transfers of the mint are paused',
  NON_TRANSFERABLE: 'tokens of the mint cannot be transferred',
  SHOWN_OTHERWISE: 'wallets show amounts of the mint that do not follow from its base units and decimals',
  TOKENS_MINTED: 'the transaction mints tokens',
  ACCOUNT_FROZEN: 'the transaction freezes a token account',
  ACCOUNT_THAWED: 'the transaction thaws a token account',
  OTHER_READERS: 'someone other than the owner can read a private account',
  OTHER_VALIDATOR: "an account is delegated to a validator that is not the cluster's",
  DEFAULT_VALIDATOR: 'an account is delegated without naming a validator',
  SETTLEMENT_REQUESTED: 'accounts of the rollup are published on the base ledger',
  SEALED_RECIPIENT: 'the recipient of a private payment is encrypted and cannot be read',
  NONCE_WITHDRAWN: 'lamports leave a nonce account',
  HIGH_NETWORK_FEE: 'the network fee may be unusually high',
  HIGH_RENT: 'the rent of the created accounts is unusually high',
  EXCESS_LAMPORTS: 'a new account gets far more lamports than its rent',
  BLOCKHASH_ZERO: 'the transaction has no blockhash',
  BLOCKHASH_UNKNOWN: 'the blockhash has expired or does not belong to the ledger',
  BLOCKHASH_OF_OTHER_LEDGER: 'the blockhash belongs to the other ledger',
  BLOCKHASH_UNCHECKED: 'the ledger of the blockhash could not be determined',
  RUNS_ON_EITHER_LEDGER: 'the bytes do not show which ledger the transaction is for',
  OFFLINE: 'no ledger was read, because offline was set',
  LEDGER_UNREAD: 'the ledger could not be read',
  TRIAL_FAILS: 'the simulation fails',
  TRIAL_UNAVAILABLE: 'the transaction could not be simulated',
  TRIAL_DIFFERS: 'the simulation has effects that the instructions do not show',
  TRIAL_UNSETTLED:
    'the simulation could not be compared, because an account keeps changing or the rent could not be read',
  NOT_AS_REQUESTED: 'the transaction does not match the request',
  REQUEST_UNVERIFIABLE: 'a part of the request cannot be checked',
} as const;

export type FindingCode = keyof typeof FINDING_CODES;

/**
 * A fact that the signer should know. `danger`: do not sign without knowing the reason; `caution`: check it;
 * `note`: information.
 */
export interface Finding {
  readonly level: 'danger' | 'caution' | 'note';
  readonly code: FindingCode;
  readonly message: string;
  /** Index of the instruction that the finding concerns. */
  readonly instruction?: number;
}

const finding =
  (level: Finding['level']) =>
  (code: FindingCode, message: string): Finding => ({ level, code, message });

export const danger = finding('danger');
export const caution = finding('caution');
export const note = finding('note');

/** Builds a finding about one instruction, which its message names. */
export const ofInstruction = (
  { level, code, message }: Finding,
  instruction: number,
  action: string | undefined,
): Finding => ({ level, code, message: `Instruction ${instruction} (${action}): ${message}`, instruction });

/** A difference between a transaction and its request. */
export interface Difference {
  /** Index of the instruction in the transaction; absent if the difference concerns the whole transaction. */
  readonly instruction?: number | undefined;
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

/** Builds a finding that is also a difference from any request. */
export const mismatch = (found: Finding, difference: Difference): Report => ({
  findings: [found],
  doubts: [],
  differences: [difference],
});

/** Builds a caution that is also a doubt about a claim of the request. */
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
