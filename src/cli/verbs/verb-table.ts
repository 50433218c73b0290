import type { FlagForm } from '../flags.ts';
import type { FlagEntries } from '../read-flags.ts';
import type { RunVerb } from './verb-call.ts';

/** Every flag of the verbs. Several verbs accept `TARGET_FLAGS` and `SIGNING_FLAGS`. */
const VERB_FLAGS = {
  json: { text: 'one line of JSON on stdout; errors on stderr' },
  url: {
    short: 'u',
    values: ['WHERE'],
    text: 'localnet, devnet, mainnet, devnet-private, mainnet-private (l, d, m), or the URL of a ledger node of localnet (default: localnet)',
  },
  'port-file': { values: ['FILE'], text: 'use the localnet that wrote FILE at startup' },
  service: {
    values: ['URL'],
    text: 'the tool service, which builds transactions (default: http://127.0.0.1:8787)',
  },
  base: {
    values: ['URL'],
    text: 'JSON-RPC of the network that --url names (default: its variable, such as BASE_RPC_URL)',
  },
  rollup: {
    values: ['URL'],
    text: 'JSON-RPC of the rollup (default: its variable, such as EPHEMERAL_RPC_URL)',
  },
  layout: {
    values: ['a|b'],
    text: "version of the programs: a for localnet's own, b for networks and a localnet with --programs (default: as the localnet reports)",
  },
  keypair: {
    short: 'k',
    values: ['FILE'],
    text: 'key file of the wallet, as solana-keygen writes it (default: ~/.config/solana/id.json)',
  },
  mint: { values: ['ADDRESS'], text: 'the mint (default: USDC of the network)' },
  'base-units': { text: 'amounts are base units of the mint, not whole tokens such as 0.25' },
  'max-amount': {
    values: ['AMOUNT'],
    text: 'maximum amount of any mint that a transaction may take from the wallet',
  },
  'max-lamports': { values: ['N'], text: 'maximum lamports that a transaction may take from the wallet' },
  accept: {
    values: ['CODE'],
    repeatable: true,
    text: 'sign despite this caution (docs/explain.md lists the codes); dangers are always rejected',
  },
  yes: { short: 'y', text: 'sign without asking; required without a terminal' },
  private: { text: 'show the balance on the rollup; logs in with the wallet' },
  public: { text: 'pay publicly: anyone can see who is paid' },
  'from-balance': { values: ['base|ephemeral'], text: 'where the tokens are (default: ephemeral)' },
  'to-balance': {
    values: ['base|ephemeral'],
    text: 'where the recipient receives them (default: ephemeral)',
  },
  'create-account': { text: "create the recipient's token account, if the route allows it" },
  'watch-recipient': {
    text: "wait until the recipient's balance on base shows it; the operator of the base node then sees who is paid",
  },
  memo: { values: ['TEXT'], text: 'a note that anyone can read' },
  sol: { values: ['N'], text: 'SOL to give' },
  tokens: { values: ['AMOUNT'], text: 'tokens to give' },
  wallet: { values: ['ADDRESS'], text: 'first list what leaves this wallet' },
  to: {
    values: ['ADDRESS'],
    text: 'the expected recipient, whose account the rollup may hide; payments to others are not signed',
  },
  'send-to': {
    values: ['base|ephemeral'],
    text: 'the ledger that the transaction is for (default: detected from the transaction)',
  },
  count: { values: ['N'], text: 'exit after this many transactions (default: at Ctrl+C)' },
  'data-dir': {
    values: ['FOLDER'],
    text: 'the data folder (default: DATA_DIR, or ./ledger-data); before verify, stop the program that uses it; for restore, a new folder',
  },
  name: { values: ['NAME'], text: 'a name for the key, by which it can be revoked' },
  scopes: {
    values: ['LIST'],
    text: 'what the key permits, separated by commas: spl:read, spl:build, spl:send, or names of tools such as spl.deposit (default: the first three)',
  },
  rate: {
    values: ['N'],
    text: 'requests per second that the key may make, with bursts of twice as many (default: RATE_LIMIT_PER_SECOND)',
  },
  offline: { text: 'read no ledger; the verdict is then never "clear"' },
  help: { short: 'h', text: 'print this text and exit' },
} as const satisfies Record<string, FlagForm>;

/** A flag's name, without dashes. */
export type VerbFlagName = keyof typeof VERB_FLAGS;

/** Flags that locate the ledgers and the service. */
const TARGET_FLAGS = ['url', 'port-file', 'base', 'rollup', 'layout'] as const;

const SIGNING_FLAGS = ['keypair', 'max-amount', 'max-lamports', 'accept', 'yes'] as const;

/** A command other than `start` and `mcp`. */
export interface Verb {
  /** The arguments in the help. */
  readonly words: string;
  /** Minimum and maximum number of arguments. */
  readonly wordCount: readonly [least: number, most: number];
  /** The description in the help. */
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
    text: 'give a wallet SOL and tokens on localnet (default: 1 SOL and 100 tokens)',
    flags: [...TARGET_FLAGS, 'keypair', 'mint', 'sol', 'tokens', 'base-units'],
    load: async () => (await import('./fund.ts')).runFund,
  },
  'init-mint': {
    words: '',
    wordCount: [0, 0],
    text: 'set up a mint once for all wallets: create its vault and transfer queue (programs of layout b)',
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
    text: 'explain a transaction from its bytes or, once it has landed, its signature; - reads it from stdin',
    flags: [...TARGET_FLAGS, 'wallet', 'to', 'send-to', 'offline'],
    load: async () => (await import('./explain.ts')).runExplain,
  },
  send: {
    words: 'BASE64 | -',
    wordCount: [1, 1],
    text: 'explain a transaction, sign it if the wallet is a signer, send it, and wait until it lands',
    flags: [...TARGET_FLAGS, ...SIGNING_FLAGS, 'to', 'send-to'],
    load: async () => (await import('./payment-verbs.ts')).runSend,
  },
  sign: {
    words: 'BASE64 | -',
    wordCount: [1, 1],
    text: 'explain a transaction, sign it, and print it for someone else to send',
    flags: [...TARGET_FLAGS, ...SIGNING_FLAGS, 'to', 'send-to'],
    load: async () => (await import('./payment-verbs.ts')).runSign,
  },
  watch: {
    words: '[SIGNATURE | ADDRESS]',
    wordCount: [0, 1],
    text: 'show transactions as they land on either ledger: for a payment, for an address, or all',
    flags: [...TARGET_FLAGS, 'keypair', 'count'],
    load: async () => (await import('./watch.ts')).runWatch,
  },
  logs: {
    words: '[ADDRESS]',
    wordCount: [0, 1],
    text: 'show program logs of both ledgers: for transactions that name an address, or for all',
    flags: [...TARGET_FLAGS, 'keypair', 'count'],
    load: async () => (await import('./watch.ts')).runLogs,
  },
  doctor: {
    words: '',
    wordCount: [0, 0],
    text: 'check this machine and the nodes, and report problems with their fixes',
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
  keys: {
    words: 'create | list | revoke NAME',
    wordCount: [1, 2],
    text: 'create, list and revoke API keys of a service, in its database (STATE_URL) or data folder',
    flags: ['name', 'scopes', 'rate', 'data-dir'],
    load: async () => (await import('./keys.ts')).runKeys,
  },
  completions: {
    words: 'bash | zsh | fish',
    wordCount: [1, 1],
    text: 'print a script that completes commands and options in a shell',
    flags: [],
    load: async () => (await import('./completions.ts')).runCompletions,
  },
};

const COMMON: readonly VerbFlagName[] = ['json', 'help'];

/** Returns the flags of a verb, in the order of the help. */
export const flagsOf = ({ flags }: Verb): FlagEntries<VerbFlagName> =>
  [...flags, ...COMMON].map((name) => [name, VERB_FLAGS[name]]);
