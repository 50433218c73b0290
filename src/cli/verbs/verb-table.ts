import type { FlagEntries } from '../read-flags.ts';
import type { RunVerb } from './verb-call.ts';
import { SIGNING_FLAGS, TARGET_FLAGS, VERB_FLAGS, type VerbFlagName } from './verb-flags.ts';

/** A command other than `start` and `mcp`. */
export interface Verb {
  /** Its arguments, as the help shows them. */
  readonly words: string;
  /** How many arguments it takes. */
  readonly wordCount: readonly [least: number, most: number];
  /** What it does, for the help. */
  readonly text: string;
  readonly flags: readonly VerbFlagName[];
  /** Loads only the code that this verb needs. */
  readonly load: () => Promise<RunVerb>;
}

/** The commands that serve; they are not verbs. */
export const SERVING = ['start', 'mcp'] as const;

/** Every verb, in the order of the help. */
export const VERBS: Readonly<Record<string, Verb>> = {
  wallet: {
    words: 'new | show | sign-message TEXT',
    wordCount: [1, 2],
    text: 'create a wallet, print its address, or sign a text with it (base58)',
    flags: ['keypair'],
    load: async () => (await import('./wallet.ts')).runWallet,
  },
  fund: {
    words: '[ADDRESS]',
    wordCount: [0, 1],
    text: 'give a wallet SOL and tokens of localnet (default: 1 SOL and 100 tokens)',
    flags: [...TARGET_FLAGS, 'keypair', 'mint', 'sol', 'tokens', 'base-units'],
    load: async () => (await import('./fund.ts')).runFund,
  },
  'init-mint': {
    words: '',
    wordCount: [0, 0],
    text: 'set up a mint once for all wallets: its vault and transfer queue; for programs of layout b',
    flags: [...TARGET_FLAGS, 'service', ...SIGNING_FLAGS, 'mint'],
    load: async () => (await import('./payment-verbs.ts')).runInitMint,
  },
  balance: {
    words: '[ADDRESS]',
    wordCount: [0, 1],
    text: 'show the balance of a wallet on base, or on the rollup',
    flags: [...TARGET_FLAGS, 'keypair', 'mint', 'private'],
    load: async () => (await import('./balance.ts')).runBalance,
  },
  deposit: {
    words: 'AMOUNT',
    wordCount: [1, 1],
    text: 'move tokens from base to the rollup',
    flags: [...TARGET_FLAGS, 'service', ...SIGNING_FLAGS, 'mint', 'base-units'],
    load: async () => (await import('./payment-verbs.ts')).runDeposit,
  },
  pay: {
    words: 'TO AMOUNT',
    wordCount: [2, 2],
    text: 'pay a wallet (default: privately on the rollup)',
    flags: [
      ...TARGET_FLAGS,
      'service',
      ...SIGNING_FLAGS,
      'mint',
      'base-units',
      'public',
      'from-balance',
      'to-balance',
      'create-account',
      'watch-recipient',
      'memo',
    ],
    load: async () => (await import('./payment-verbs.ts')).runPay,
  },
  undelegate: {
    words: '',
    wordCount: [0, 0],
    text: "return the wallet's tokens of a mint from the rollup to base",
    flags: [...TARGET_FLAGS, 'service', ...SIGNING_FLAGS, 'mint'],
    load: async () => (await import('./payment-verbs.ts')).runUndelegate,
  },
  withdraw: {
    words: 'AMOUNT',
    wordCount: [1, 1],
    text: 'withdraw deposited tokens; waits for a settlement in progress',
    flags: [...TARGET_FLAGS, 'service', ...SIGNING_FLAGS, 'mint', 'base-units'],
    load: async () => (await import('./payment-verbs.ts')).runWithdraw,
  },
  explain: {
    words: 'BASE64 | SIGNATURE | -',
    wordCount: [1, 1],
    text: 'explain a transaction, given its bytes or the signature of a landed one; - reads it from stdin',
    flags: [...TARGET_FLAGS, 'wallet', 'send-to', 'offline'],
    load: async () => (await import('./explain.ts')).runExplain,
  },
  send: {
    words: 'BASE64 | -',
    wordCount: [1, 1],
    text: 'explain a transaction, sign it if the wallet is a signer, send it, and wait for it',
    flags: [...TARGET_FLAGS, ...SIGNING_FLAGS, 'send-to'],
    load: async () => (await import('./payment-verbs.ts')).runSend,
  },
  watch: {
    words: '[SIGNATURE | ADDRESS]',
    wordCount: [0, 1],
    text: 'show transactions as they land on both ledgers: of a payment, of an address, or all',
    flags: [...TARGET_FLAGS, 'keypair', 'count'],
    load: async () => (await import('./watch.ts')).runWatch,
  },
  logs: {
    words: '[ADDRESS]',
    wordCount: [0, 1],
    text: 'show program logs of both ledgers: of transactions that name an address, or all',
    flags: [...TARGET_FLAGS, 'keypair', 'count'],
    load: async () => (await import('./logs.ts')).runLogs,
  },
  doctor: {
    words: '',
    wordCount: [0, 0],
    text: 'check this machine and the nodes, and say what is wrong and how to fix it',
    flags: [...TARGET_FLAGS, 'service'],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  ledger: {
    words: 'backup FOLDER | restore FOLDER | verify [FOLDER]',
    wordCount: [1, 2],
    text: 'back up a data folder, even while it is in use, restore it, or check all of its data',
    flags: ['data-dir'],
    load: async () => (await import('./ledger.ts')).runLedger,
  },
  completions: {
    words: 'bash | zsh | fish',
    wordCount: [1, 1],
    text: 'print a script that completes commands and options in a shell',
    flags: [],
    load: async () => (await import('./completions.ts')).runCompletions,
  },
};

/** Flags of every verb. */
const COMMON: readonly VerbFlagName[] = ['json', 'help'];

/** The flags of a verb, in the order of the help. */
export const flagsOf = ({ flags }: Verb): FlagEntries<VerbFlagName> =>
  [...flags, ...COMMON].map((name) => [name, VERB_FLAGS[name]]);
