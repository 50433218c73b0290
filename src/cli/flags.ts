/** A flag of the command line. */
export interface Flag {
  /** Its one-letter form, after one dash. */
  readonly short?: string;
  /** Another name for it, after two dashes. */
  readonly alias?: string;
  /** What follows it, in the order it is read, as `--help` shows it. None for a switch. */
  readonly values?: readonly string[];
  /** Whether it may be given more than once. */
  readonly repeatable?: boolean;
  /** The variable it overrides; its value is read, and refused, as the variable's. */
  readonly variable?: string;
  readonly group: FlagGroup;
  /** What it does, for `--help`. */
  readonly text: string;
}

/** A flag, whichever part of the help it is told in. */
export type FlagForm = Omit<Flag, 'group'>;

/** The parts `--help` has, in its order. */
export const FLAG_GROUPS = [
  'Ledger',
  'Accounts and programs to begin with',
  'Another cluster',
  'Program',
] as const;

type FlagGroup = (typeof FLAG_GROUPS)[number];

/**
 * Every flag. Names, letters and values are those of solana-test-validator where it has the flag; `--fork`,
 * `--slot-time` and what is about this program alone are not from there.
 */
export const FLAGS = {
  reset: {
    short: 'r',
    group: 'Ledger',
    text: 'throw the kept ledger away and begin a new one',
  },
  ledger: {
    short: 'l',
    alias: 'data-dir',
    values: ['DIR'],
    variable: 'DATA_DIR',
    group: 'Ledger',
    text: 'folder that keeps the ledger',
  },
  temp: {
    group: 'Ledger',
    text: 'keep the ledger in a folder that is thrown away at the end, and take free ports where none are set',
  },
  'rpc-port': {
    values: ['PORT'],
    variable: 'LEDGER_RPC_PORT',
    group: 'Ledger',
    text: 'port of the ledger node; the next one is for WebSocket',
  },
  'bind-address': {
    values: ['HOST'],
    variable: 'HOST',
    group: 'Ledger',
    text: 'address to listen on, for the service as well',
  },
  'slot-time': {
    values: ['MS'],
    variable: 'LEDGER_SLOT_MS',
    group: 'Ledger',
    text: 'length of a slot in milliseconds',
  },
  'ticks-per-slot': {
    values: ['TICKS'],
    group: 'Ledger',
    text: 'the same in ticks of 6.25 ms; a multiple of 4, so that it is whole milliseconds',
  },
  'slots-per-epoch': {
    values: ['SLOTS'],
    group: 'Ledger',
    text: 'slots of an epoch of a new ledger, 432000 when left out',
  },
  'rent-per-byte': {
    values: ['LAMPORTS'],
    group: 'Ledger',
    text: 'rent of a new ledger, 6960 when left out; a fork has that of its cluster',
  },
  'deactivate-feature': {
    values: ['ADDRESS'],
    repeatable: true,
    group: 'Ledger',
    text: 'a new ledger runs without that feature of the runtime; the others are those of mainnet',
  },
  'compute-unit-limit': {
    values: ['UNITS'],
    variable: 'LEDGER_COMPUTE_UNIT_LIMIT',
    group: 'Ledger',
    text: 'compute units of every transaction, whatever it asks for',
  },
  'log-messages-bytes-limit': {
    values: ['BYTES'],
    variable: 'LEDGER_LOG_BYTES_MAX',
    group: 'Ledger',
    text: 'bytes of the logs of a transaction that are kept',
  },
  'transaction-account-lock-limit': {
    values: ['N'],
    variable: 'LEDGER_ACCOUNT_LOCKS_MAX',
    group: 'Ledger',
    text: 'accounts a transaction may name, up to 128',
  },
  'rpc-pubsub-enable-vote-subscription': {
    group: 'Ledger',
    text: 'have voteSubscribe; the same as LEDGER_VOTE_SUBSCRIPTION=on',
  },
  'warp-slot': {
    short: 'w',
    values: ['SLOT'],
    group: 'Ledger',
    text: 'begin at that slot, or jump to it; the time stays',
  },
  'limit-ledger-size': {
    values: ['N'],
    variable: 'LEDGER_HISTORY_MAX',
    group: 'Ledger',
    text: 'transactions to keep; the oldest go first',
  },
  'faucet-sol': {
    values: ['N'],
    variable: 'FAUCET_SOL',
    group: 'Ledger',
    text: 'SOL the faucet of a new ledger holds',
  },
  'faucet-per-request-sol-cap': {
    values: ['SOL'],
    variable: 'FAUCET_SOL_PER_CALL_MAX',
    group: 'Ledger',
    text: 'SOL the faucet gives at most in one call',
  },
  'faucet-per-time-sol-cap': {
    values: ['SOL'],
    variable: 'FAUCET_SOL_PER_TIME_MAX',
    group: 'Ledger',
    text: 'SOL the faucet gives at most to one address in a slice of time',
  },
  'faucet-time-slice-secs': {
    values: ['SECS'],
    variable: 'FAUCET_TIME_SECONDS',
    group: 'Ledger',
    text: 'length of such a slice in seconds',
  },
  mint: {
    values: ['ADDRESS'],
    group: 'Ledger',
    text: 'wallet that a new ledger gives FAUCET_SOL to, as much as its faucet holds',
  },
  config: {
    short: 'C',
    values: ['FILE'],
    group: 'Ledger',
    text: "configuration of Solana's CLI; where --mint is left out, the wallet of its keypair_path is that",
  },
  'no-genesis-programs': {
    group: 'Ledger',
    text: 'a new ledger begins empty, without the programs and mints of private payments',
  },
  programs: {
    values: ['WHERE'],
    variable: 'LOCALNET_PROGRAMS',
    group: 'Accounts and programs to begin with',
    text: 'a new ledger has the programs of private payments as the networks run them: from a folder with ephemeral_spl_token.so, delegation.so and permission.so, or once from a cluster, by URL or as devnet, mainnet',
  },
  'upgrade-programs': {
    group: 'Accounts and programs to begin with',
    text: 'deploy those programs on a kept ledger that has other versions of them',
  },
  account: {
    values: ['ADDRESS', 'FILE'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'load an account from a dump as "solana account --output json" writes it; - as ADDRESS takes the one in FILE',
  },
  'account-dir': {
    values: ['DIR'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'load every dump of a folder',
  },
  'bpf-program': {
    values: ['ADDRESS', 'FILE.so'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'load a program',
  },
  'upgradeable-program': {
    values: ['ADDRESS', 'FILE.so', 'AUTHORITY'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'load a program that AUTHORITY may upgrade; none makes it final',
  },
  snapshot: {
    values: ['FILE'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'load the accounts of a snapshot as surfnet_exportSnapshot answers it; of several files the later one wins',
  },
  clone: {
    short: 'c',
    values: ['ADDRESS'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'copy an account from the cluster at --url; refused when it is not there',
  },
  'maybe-clone': {
    values: ['ADDRESS'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'the same, but left out when it is not there',
  },
  'clone-upgradeable-program': {
    values: ['ADDRESS'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'copy an upgradeable program with its code',
  },
  'deep-clone-address-lookup-table': {
    values: ['ADDRESS'],
    repeatable: true,
    group: 'Accounts and programs to begin with',
    text: 'copy a lookup table and the accounts that it names, as far as they exist',
  },
  'clone-feature-set': {
    group: 'Accounts and programs to begin with',
    text: 'a new ledger runs with the features that are active on the cluster at --url',
  },
  url: {
    short: 'u',
    values: ['URL'],
    group: 'Another cluster',
    text: 'RPC to copy from: a URL, or mainnet-beta, devnet, testnet, localhost (m, d, t, l); with mcp, and nothing to copy, the running service to hand everything to',
  },
  fork: {
    group: 'Another cluster',
    text: 'copy accounts that are missing here from --url when they are first used, and keep them',
  },
  'log-arguments': {
    group: 'Program',
    text: 'the console lists every request with its arguments; the same as CONSOLE_LOG_ARGUMENTS=on',
  },
  quiet: { short: 'q', group: 'Program', text: 'no banner, and of the log only warnings and errors' },
  'port-file': {
    values: ['FILE'],
    group: 'Program',
    text: 'write where everything listens to FILE, as JSON, once it is ready, for --port-file of the other commands; removed at the end',
  },
  json: { group: 'Program', text: 'print the same to stdout, in one line, in place of the banner' },
  log: { group: 'Program', text: 'the log alone, without the banner' },
  'no-supervisor': {
    group: 'Program',
    text: 'run in this very process and do not start again after a crash; for containers and systemd, which do that',
  },
  'print-config': { group: 'Program', text: 'print the settings, secrets masked, and end' },
  help: { short: 'h', group: 'Program', text: 'print this text and end' },
  version: { short: 'v', group: 'Program', text: 'print the version and end' },
} as const satisfies Record<string, Flag>;

/** A flag's name, without dashes. */
export type FlagName = keyof typeof FLAGS;

/** Every flag as {@link Flag}, with its name. */
export const FLAG_ENTRIES = Object.entries(FLAGS) as readonly (readonly [FlagName, Flag])[];
