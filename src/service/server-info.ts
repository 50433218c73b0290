/** MCP `Implementation` of this service, named as in the contract and the REST description. */
export const SERVER_INFO = { name: 'spl-private-payments-api', version: '0.1.0' } as const;

/** The display name of the service. */
export const SERVER_TITLE = 'SPL Private Payments API';

/** What the service does, in at most 100 characters, the limit of an MCP server card. */
export const SERVER_DESCRIPTION = 'Builds unsigned Solana transactions for private SPL token payments.';
