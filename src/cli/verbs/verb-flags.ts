import type { FlagForm } from '../flags.ts';

/** Every flag of a verb. Several verbs take `TARGET_FLAGS` and `SIGNING_FLAGS`. */
export const VERB_FLAGS = {
  json: { text: 'one line of JSON on stdout; errors on stderr' },
  url: {
    short: 'u',
    values: ['WHERE'],
    text: 'localnet, devnet, mainnet, devnet-private, mainnet-private (l, d, m), or the URL of a ledger node of localnet (default: localnet)',
  },
  'port-file': { values: ['FILE'], text: 'use the localnet that wrote FILE at its start' },
  service: {
    values: ['URL'],
    text: 'the tool service, which builds transactions (default: http://127.0.0.1:8787)',
  },
  base: {
    values: ['URL'],
    text: 'JSON-RPC of the network that --url names; by default the value of its variable (BASE_RPC_URL ...)',
  },
  rollup: {
    values: ['URL'],
    text: 'JSON-RPC of the rollup; by default the value of its variable (EPHEMERAL_RPC_URL ...)',
  },
  layout: {
    values: ['a|b'],
    text: "version of the programs: a for localnet's own, b for networks and a localnet with --programs; by default a localnet is asked",
  },
  keypair: {
    short: 'k',
    values: ['FILE'],
    text: 'key of the wallet, as solana-keygen writes it; by default ~/.config/solana/id.json',
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
  private: { text: 'the balance on the rollup; the wallet logs in' },
  public: { text: 'anyone can see who is paid' },
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
  wallet: { values: ['ADDRESS'], text: 'list first what leaves this wallet' },
  'send-to': {
    values: ['base|ephemeral'],
    text: 'the ledger it is for; detected from the transaction by default',
  },
  count: { values: ['N'], text: 'exit after this many transactions (default: at Ctrl+C)' },
  'data-dir': {
    values: ['FOLDER'],
    text: 'the data folder (default: DATA_DIR, or ./ledger-data); for verify, stop its program first; for restore, name a new folder',
  },
  offline: { text: 'use no ledger: nothing is confirmed then, and the verdict is never clear' },
  help: { short: 'h', text: 'print this text and exit' },
} as const satisfies Record<string, FlagForm>;

/** A flag's name, without dashes. */
export type VerbFlagName = keyof typeof VERB_FLAGS;

/** Flags that locate the ledgers and the service. */
export const TARGET_FLAGS = ['url', 'port-file', 'base', 'rollup', 'layout'] as const;

/** Flags about the wallet and its limits. */
export const SIGNING_FLAGS = ['keypair', 'max-amount', 'max-lamports', 'accept', 'yes'] as const;
