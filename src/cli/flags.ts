/** The definition of a command line flag. Its name is its key in the table. */
export interface FlagForm {
  /** The one-letter form, without its dash. */
  readonly short?: string;
  /** Another name, without its dashes. */
  readonly alias?: string;
  /** The names of the flag's values in `--help`, in order; empty for a switch. */
  readonly values?: readonly string[];
  /** Whether the flag may be repeated. */
  readonly repeatable?: boolean;
  /** The variable that the flag overrides. The value is parsed like the variable's. */
  readonly variable?: string;
  /** The description in `--help`. */
  readonly text: string;
}

/** Every flag, by its group in `--help`. Flags of solana-test-validator keep its names and values. */
const FLAGS = {
  Ledger: {
    reset: { short: 'r', text: 'delete the stored ledger and create a new one' },
    ledger: {
      short: 'l',
      alias: 'data-dir',
      values: ['DIR'],
      variable: 'DATA_DIR',
      text: 'folder that stores the ledger',
    },
    temp: {
      text: 'store the ledger in a folder that is deleted on exit, and use free ports unless ports are set',
    },
    'rpc-port': {
      values: ['PORT'],
      variable: 'LEDGER_RPC_PORT',
      text: 'port of the ledger node; the next one is for WebSocket',
    },
    'bind-address': {
      values: ['HOST'],
      variable: 'HOST',
      text: 'address that all listeners bind to',
    },
    'slot-time': {
      values: ['MS'],
      variable: 'LEDGER_SLOT_MS',
      text: 'length of a slot in milliseconds',
    },
    'ticks-per-slot': {
      values: ['TICKS'],
      text: 'length of a slot in ticks of 6.25 ms; a multiple of 4, because slots are whole milliseconds',
    },
    'slots-per-epoch': { values: ['SLOTS'], text: 'slots per epoch of a new ledger (default: 432000)' },
    'rent-per-byte': {
      values: ['LAMPORTS'],
      text: 'rent of a new ledger (default: 6960); a fork uses the rent of its cluster',
    },
    'deactivate-feature': {
      values: ['ADDRESS'],
      repeatable: true,
      text: 'run a new ledger without this runtime feature; the other features match mainnet',
    },
    'compute-unit-limit': {
      values: ['UNITS'],
      variable: 'LEDGER_COMPUTE_UNIT_LIMIT',
      text: 'compute unit limit of every transaction, regardless of what it requests',
    },
    'log-messages-bytes-limit': {
      values: ['BYTES'],
      variable: 'LEDGER_LOG_BYTES_MAX',
      text: 'maximum bytes of logs stored per transaction',
    },
    'transaction-account-lock-limit': {
      values: ['N'],
      variable: 'LEDGER_ACCOUNT_LOCKS_MAX',
      text: 'maximum accounts per transaction, up to 128',
    },
    'warp-slot': {
      short: 'w',
      values: ['SLOT'],
      text: 'start a new ledger at this slot, or move a stored one to it; its clock does not change',
    },
    'limit-ledger-size': {
      values: ['N'],
      variable: 'LEDGER_HISTORY_MAX',
      text: 'number of transactions to keep; the oldest are deleted first',
    },
    'faucet-sol': { values: ['N'], variable: 'FAUCET_SOL', text: 'SOL in the faucet of a new ledger' },
    'faucet-per-request-sol-cap': {
      values: ['SOL'],
      variable: 'FAUCET_SOL_PER_CALL_MAX',
      text: 'maximum SOL the faucet gives per call',
    },
    'faucet-per-time-sol-cap': {
      values: ['SOL'],
      variable: 'FAUCET_SOL_PER_TIME_MAX',
      text: 'maximum SOL the faucet gives to one address per time slice',
    },
    'faucet-time-slice-secs': {
      values: ['SECS'],
      variable: 'FAUCET_TIME_SECONDS',
      text: 'length of a time slice in seconds',
    },
    mint: {
      values: ['ADDRESS'],
      text: 'wallet that receives FAUCET_SOL on a new ledger, in addition to the faucet',
    },
    config: {
      short: 'C',
      values: ['FILE'],
      text: 'config file of the Solana CLI; its keypair_path is the wallet for --mint if --mint is not set',
    },
    'no-genesis-programs': {
      text: 'create an empty ledger, without the programs and mints of private payments',
    },
  },
  'Initial accounts and programs': {
    programs: {
      values: ['WHERE'],
      variable: 'LOCALNET_PROGRAMS',
      text: 'create the ledger with the payment programs of the Solana networks: from a folder with ephemeral_spl_token.so, delegation.so and permission.so, or copied once from a cluster (a URL, devnet or mainnet)',
    },
    'upgrade-programs': {
      text: 'deploy the programs from --programs to a stored ledger that has other versions',
    },
    account: {
      values: ['ADDRESS', 'FILE'],
      repeatable: true,
      text: 'load an account from the output of "solana account --output json"; - as ADDRESS uses the address in FILE',
    },
    'account-dir': { values: ['DIR'], repeatable: true, text: 'load every dump in a folder' },
    'bpf-program': { values: ['ADDRESS', 'FILE.so'], repeatable: true, text: 'load a program' },
    'upgradeable-program': {
      values: ['ADDRESS', 'FILE.so', 'AUTHORITY'],
      repeatable: true,
      text: 'load a program that AUTHORITY can upgrade; none makes it final',
    },
    snapshot: {
      values: ['FILE'],
      repeatable: true,
      text: 'load the accounts of a snapshot from surfnet_exportSnapshot; later files override earlier ones',
    },
    clone: {
      short: 'c',
      values: ['ADDRESS'],
      repeatable: true,
      text: 'copy an account from the cluster at --url; fails if it does not exist',
    },
    'maybe-clone': {
      values: ['ADDRESS'],
      repeatable: true,
      text: 'copy an account like --clone, but skip it if it does not exist',
    },
    'clone-upgradeable-program': {
      values: ['ADDRESS'],
      repeatable: true,
      text: 'copy an upgradeable program with its code',
    },
    'deep-clone-address-lookup-table': {
      values: ['ADDRESS'],
      repeatable: true,
      text: 'copy a lookup table and the existing accounts that it lists',
    },
    'clone-feature-set': {
      text: 'run a new ledger with the features that are active on the cluster at --url',
    },
  },
  'Another cluster': {
    url: {
      short: 'u',
      values: ['URL'],
      text: 'RPC to copy from: a URL, or mainnet-beta, devnet, testnet, localhost (m, d, t, l); with mcp and nothing to copy, the running service to connect to',
    },
    fork: { text: 'copy missing accounts from --url when they are first used, and store them' },
  },
  Program: {
    'log-arguments': {
      text: 'list every request with its arguments in the console; the same as CONSOLE_LOG_ARGUMENTS=on',
    },
    quiet: { short: 'q', text: 'print no banner, and log only warnings and errors' },
    'port-file': {
      values: ['FILE'],
      text: 'write all addresses to FILE as JSON when ready, for --port-file of the other commands; FILE is deleted on exit',
    },
    json: { text: 'print all addresses to stdout as one line of JSON when ready, instead of the banner' },
    log: { text: 'print only the log, without the banner' },
    'no-supervisor': {
      text: 'run in this process and do not restart after a crash; for containers and systemd, which restart the program',
    },
    'print-config': { text: 'print the settings, with secrets masked, and exit' },
    help: { short: 'h', text: 'print this text and exit' },
    version: { short: 'v', text: 'print the version and exit' },
  },
} as const satisfies Record<string, Readonly<Record<string, FlagForm>>>;

type Groups = typeof FLAGS;

/** A flag's name, without dashes. */
export type FlagName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** The groups of flags, in the order of `--help`. */
export const FLAG_GROUPS = Object.entries(FLAGS).map(([group, flags]) => ({
  group: group as keyof Groups,
  flags: Object.entries(flags) as readonly (readonly [FlagName, FlagForm])[],
}));

/** Every flag with its name. */
export const FLAG_ENTRIES = FLAG_GROUPS.flatMap(({ flags }) => flags);
