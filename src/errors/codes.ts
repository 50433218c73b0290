/**
 * Every error the project raises on purpose, by its stable code. A code never changes its meaning and is never reused.
 *
 * - `http`: the status the REST face answers with.
 * - `title`: a short sentence that is the same for every occurrence (RFC 9457 `title`).
 *
 * JSON-RPC codes of the ledger node are not here: they belong to Agave's table in `rpc/errors.ts`.
 */
export const ERROR_CODES = {
  CONFIG_INVALID: { http: 500, title: 'The configuration is not valid' },
  INVALID_ARGUMENTS: { http: 422, title: 'The arguments are not valid' },
  INVALID_ADDRESS: { http: 422, title: 'Not a Solana address' },
  INVALID_OWNER: { http: 422, title: 'The owner cannot hold or sign for tokens' },
  INVALID_AMOUNT: { http: 422, title: 'Not a valid amount of base units' },
  INVALID_TRANSACTION: { http: 422, title: 'Not a valid Solana transaction' },
  CLUSTER_NOT_ALLOWED: { http: 400, title: 'The cluster is not available on this service' },
  MINT_NOT_FOUND: { http: 400, title: 'The mint does not exist on this cluster' },
  UNSUPPORTED_TOKEN_PROGRAM: {
    http: 400,
    title: 'The mint belongs to a token program that is not supported here',
  },
  ACCOUNT_UNREADABLE: { http: 502, title: 'An account on the chain does not have the expected form' },
  EATA_NOT_INITIALIZED: { http: 400, title: 'The ephemeral token account does not exist' },
  EATA_ALREADY_DELEGATED: { http: 409, title: 'The ephemeral token account is already delegated' },
  VAULT_NOT_INITIALIZED: { http: 400, title: 'The vault of the mint does not exist' },
  TRANSACTION_FAILED: { http: 400, title: 'The ledger refused the transaction' },
  TRANSACTION_TOO_LARGE: { http: 400, title: 'The transaction does not fit into 1232 bytes' },
  UNSUPPORTED_ON_CLUSTER: { http: 400, title: 'The operation does not exist on this cluster' },
  VALIDATOR_UNRESOLVED: { http: 502, title: 'The validator of the cluster cannot be told' },
  UPSTREAM_UNAVAILABLE: { http: 502, title: 'The cluster did not answer' },
  UPSTREAM_INVALID: { http: 502, title: 'The cluster gave an answer that cannot be used' },
  UPSTREAM_REJECTED: { http: 502, title: 'The cluster refused the request' },
  UPSTREAM_RATE_LIMITED: { http: 503, title: 'The cluster asks to slow down' },
  UPSTREAM_TIMEOUT: { http: 504, title: 'The cluster did not answer in time' },
  LEDGER_FOLDER_IN_USE: { http: 500, title: 'Another process holds the data folder' },
  LEDGER_FOLDER_UNREADABLE: { http: 500, title: 'The data folder cannot be used' },
  LEDGER_STOPPED: { http: 503, title: 'The ledger is shutting down' },
  PROGRAM_BINARIES_MISSING: { http: 500, title: 'The on-chain program binaries are not installed' },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
