/** MCP `Implementation` of this service. The contract defines the name. */
export const SERVER_INFO = { name: 'spl-private-payments-api', version: '0.1.0' } as const;

/** The display name of the service. */
export const SERVER_TITLE = 'SPL Private Payments API';

/** Description of the service, at most 100 characters (the limit of an MCP server card). */
export const SERVER_DESCRIPTION = 'Builds unsigned Solana transactions for private SPL token payments.';

/** Instructions for models, sent with `initialize` and `server/discover`. */
export const INSTRUCTIONS = [
  'Tools of this server build Solana transactions for private SPL token payments and read balances.',
  'A built transaction is unsigned and has not been sent: sign it with every key in requiredSigners and send it to the network that sendTo names, before lastValidBlockHeight.',
  "Amounts are integers in the mint's base units (1 USDC = 1000000); pass amounts above 2^53-1 as decimal strings.",
  'Addresses are base58. No tool ever needs a secret key.',
].join(' ');
