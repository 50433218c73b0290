import type { FlagEntries } from '../read-flags.ts';
import type { RunVerb } from './verb-call.ts';
import { SIGNING_FLAGS, TARGET_FLAGS, VERB_FLAGS, type VerbFlagName } from './verb-flags.ts';

/** A command besides those that serve. */
export interface Verb {
  /** What stands behind it, as the help shows it. */
  readonly words: string;
  /** How many words that may be. */
  readonly wordCount: readonly [least: number, most: number];
  /** What it does, for the help. */
  readonly text: string;
  readonly flags: readonly VerbFlagName[];
  /** Loads it: a verb imports only what it needs. */
  readonly load: () => Promise<RunVerb>;
}

/** The commands that serve, which are no verbs. */
export const SERVING = ['start', 'mcp'] as const;

/** Every verb, in the order of the help. */
export const VERBS: Readonly<Record<string, Verb>> = {
  wallet: {
    words: 'new | show | sign-message TEXT',
    wordCount: [1, 2],
    text: 'make a wallet, print its address, or sign a text with it (base58)',
    flags: ['keypair'],
    load: async () => (await import('./wallet.ts')).runWallet,
  },
  fund: {
    words: '[ADDRESS]',
    wordCount: [0, 1],
    text: 'give a wallet SOL and tokens of localnet: 1 SOL and 100 tokens where neither is named',
    flags: [...TARGET_FLAGS, 'keypair', 'mint', 'sol', 'tokens', 'base-units'],
    load: async () => (await import('./fund.ts')).runFund,
  },
  'init-mint': {
    words: '',
    wordCount: [0, 0],
    text: 'set up a mint for all wallets, once: its vault and transfer queue; for programs of layout b',
    flags: [...TARGET_FLAGS, 'service', ...SIGNING_FLAGS, 'mint'],
    load: async () => (await import('./init-mint.ts')).runInitMint,
  },
  balance: {
    words: '[ADDRESS]',
    wordCount: [0, 1],
    text: 'what a wallet has on base, or on the rollup',
    flags: [...TARGET_FLAGS, 'keypair', 'mint', 'private'],
    load: async () => (await import('./balance.ts')).runBalance,
  },
  deposit: {
    words: 'AMOUNT',
    wordCount: [1, 1],
    text: 'move tokens from base to the rollup',
    flags: [...TARGET_FLAGS, 'service', ...SIGNING_FLAGS, 'mint', 'base-units'],
    load: async () => (await import('./deposit.ts')).runDeposit,
  },
  pay: {
    words: 'TO AMOUNT',
    wordCount: [2, 2],
    text: 'pay a wallet, privately and on the rollup where nothing else is said',
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
    load: async () => (await import('./pay.ts')).runPay,
  },
  undelegate: {
    words: '',
    wordCount: [0, 0],
    text: 'give what the wallet has of a mint on the rollup back to base',
    flags: [...TARGET_FLAGS, 'service', ...SIGNING_FLAGS, 'mint'],
    load: async () => (await import('./undelegate.ts')).runUndelegate,
  },
  withdraw: {
    words: 'AMOUNT',
    wordCount: [1, 1],
    text: 'take deposited tokens back; waits for a settlement under way',
    flags: [...TARGET_FLAGS, 'service', ...SIGNING_FLAGS, 'mint', 'base-units'],
    load: async () => (await import('./withdraw.ts')).runWithdraw,
  },
  explain: {
    words: 'BASE64 | SIGNATURE | -',
    wordCount: [1, 1],
    text: 'say what a transaction does, by its bytes or of one that has landed; - reads it from stdin',
    flags: [...TARGET_FLAGS, 'wallet', 'send-to', 'offline'],
    load: async () => (await import('./explain.ts')).runExplain,
  },
  send: {
    words: 'BASE64 | -',
    wordCount: [1, 1],
    text: 'explain a transaction, sign it where the wallet has to, send it, and wait for it',
    flags: [...TARGET_FLAGS, ...SIGNING_FLAGS, 'send-to'],
    load: async () => (await import('./send.ts')).runSend,
  },
  watch: {
    words: '[SIGNATURE | ADDRESS]',
    wordCount: [0, 1],
    text: 'show what lands on both ledgers: of one payment, of an address, or all',
    flags: [...TARGET_FLAGS, 'keypair', 'count'],
    load: async () => (await import('./watch.ts')).runWatch,
  },
  logs: {
    words: '[ADDRESS]',
    wordCount: [0, 1],
    text: 'show what programs log on both ledgers: where an address is named, or all',
    flags: [...TARGET_FLAGS, 'keypair', 'count'],
    load: async () => (await import('./logs.ts')).runLogs,
  },
  doctor: {
    words: '',
    wordCount: [0, 0],
    text: 'look at this machine and at what answers, and say what is wrong and what to do',
    flags: [...TARGET_FLAGS, 'service'],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  ledger: {
    words: 'backup FOLDER | restore FOLDER | verify [FOLDER]',
    wordCount: [1, 2],
    text: 'copy a data folder, also while its program runs, copy it back, or check all it keeps',
    flags: ['data-dir'],
    load: async () => (await import('./ledger.ts')).runLedger,
  },
  completions: {
    words: 'bash | zsh | fish',
    wordCount: [1, 1],
    text: 'print what completes commands and options in a shell',
    flags: [],
    load: async () => (await import('./completions.ts')).runCompletions,
  },
};

/** Flags that every verb has. */
const COMMON: readonly VerbFlagName[] = ['json', 'help'];

/** The flags of a verb, in the order of the help. */
export const flagsOf = ({ flags }: Verb): FlagEntries<VerbFlagName> =>
  [...flags, ...COMMON].map((name) => [name, VERB_FLAGS[name]]);
