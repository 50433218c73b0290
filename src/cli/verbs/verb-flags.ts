import type { FlagForm } from '../flags.ts';

/** Every flag of a verb. `TARGET_FLAGS` and `SIGNING_FLAGS` are those that several take. */
export const VERB_FLAGS = {
  json: { text: 'one line of JSON on stdout; of a failure, on stderr' },
  url: {
    short: 'u',
    values: ['WHERE'],
    text: 'localnet, devnet, mainnet, devnet-private, mainnet-private (l, d, m), or the URL of a ledger node of localnet; localnet when left out',
  },
  'port-file': { values: ['FILE'], text: 'the localnet whose start wrote FILE' },
  service: { values: ['URL'], text: 'the tool service, which builds; http://127.0.0.1:8787 when left out' },
  base: {
    values: ['URL'],
    text: 'JSON-RPC of the network that --url names; its variable (BASE_RPC_URL ...) when left out',
  },
  rollup: {
    values: ['URL'],
    text: 'JSON-RPC of the rollup; its variable (EPHEMERAL_RPC_URL ...) when left out',
  },
  layout: {
    values: ['a|b'],
    text: "version of the programs: a is localnet's own, b that of the networks and of a localnet with --programs; when left out, a localnet is asked",
  },
  keypair: {
    short: 'k',
    values: ['FILE'],
    text: 'key of the wallet, as solana-keygen writes it; ~/.config/solana/id.json when left out',
  },
  mint: { values: ['ADDRESS'], text: 'the mint; USDC of the network when left out' },
  'base-units': { text: 'amounts are base units of the mint; whole tokens when left out (0.25)' },
  'max-amount': { values: ['AMOUNT'], text: 'sign nothing that takes more of any mint from the wallet' },
  'max-lamports': { values: ['N'], text: 'sign nothing that takes more lamports from the wallet' },
  accept: {
    values: ['CODE'],
    repeatable: true,
    text: 'sign in spite of that caution (docs/explain.md has the codes); a danger is always refused',
  },
  yes: { short: 'y', text: 'sign without asking; without a terminal nothing is signed otherwise' },
  private: { text: 'the balance on the rollup, to which the wallet logs in' },
  public: { text: 'anybody may see who is paid' },
  'from-balance': { values: ['base|ephemeral'], text: 'where the tokens are; ephemeral when left out' },
  'to-balance': { values: ['base|ephemeral'], text: 'where they shall be; ephemeral when left out' },
  'create-account': { text: "make the recipient's token account, where the route lets the sender" },
  'watch-recipient': {
    text: "wait until the recipient's balance on base shows it; whoever runs the base node then sees who is paid",
  },
  memo: { values: ['TEXT'], text: 'a note that everybody can read' },
  sol: { values: ['N'], text: 'SOL to give' },
  tokens: { values: ['AMOUNT'], text: 'tokens to give' },
  wallet: { values: ['ADDRESS'], text: 'say first what leaves this wallet' },
  'send-to': {
    values: ['base|ephemeral'],
    text: 'the ledger it is for; told from the transaction when left out',
  },
  count: { values: ['N'], text: 'end after so many transactions; at Ctrl+C when left out' },
  'data-dir': {
    values: ['FOLDER'],
    text: 'the data folder; for verify its program is stopped, for restore it is a new one. DATA_DIR, else ./ledger-data, when left out',
  },
  offline: { text: 'ask no ledger: then nothing is confirmed, and the verdict is never clear' },
  help: { short: 'h', text: 'print this text and end' },
} as const satisfies Record<string, FlagForm>;

/** A flag's name, without dashes. */
export type VerbFlagName = keyof typeof VERB_FLAGS;

/** Where ledgers and service are. */
export const TARGET_FLAGS = ['url', 'port-file', 'base', 'rollup', 'layout'] as const;

/** What is signed, with what, and how far. */
export const SIGNING_FLAGS = ['keypair', 'max-amount', 'max-lamports', 'accept', 'yes'] as const;
