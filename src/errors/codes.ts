/**
 * Every error that the project throws on purpose, by its stable code. Codes never change their meaning and
 * are never reused.
 *
 * - `http`: the HTTP status of REST.
 * - `title`: the same short sentence for every occurrence (RFC 9457 `title`).
 *
 * The JSON-RPC codes of the ledger node are in `rpc/errors.ts`, Agave's table.
 */
export const ERROR_CODES = {
  CONFIG_INVALID: { http: 500, title: 'The configuration is not valid' },
  PORT_IN_USE: { http: 500, title: 'A required port is already in use' },
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
  MINT_NOT_SUPPORTED: { http: 400, title: 'The mint has too many decimals' },
  MINT_FACTS_WRONG: { http: 502, title: 'The cluster returned wrong facts about a mint' },
  MINT_FACTS_DISPUTED: { http: 502, title: 'The cluster has returned conflicting facts about a mint' },
  ACCOUNT_UNREADABLE: { http: 502, title: 'An account on the ledger does not have the expected format' },
  EATA_NOT_INITIALIZED: { http: 400, title: 'The ephemeral token account does not exist' },
  EATA_ALREADY_DELEGATED: { http: 409, title: 'The ephemeral token account is already delegated' },
  EATA_NOT_DELEGATED: { http: 409, title: 'The ephemeral token account is not delegated' },
  EATA_DELEGATED_ELSEWHERE: {
    http: 400,
    title: 'The ephemeral token account is delegated to a validator of another rollup',
  },
  EATA_SETTLING: { http: 409, title: 'The ephemeral token account is being settled' },
  EATA_BALANCE_TOO_LOW: { http: 400, title: 'The ephemeral token account holds less than the amount' },
  VALIDATOR_MISMATCH: { http: 400, title: 'Accounts are delegated to different validators' },
  MINT_ALREADY_INITIALIZED: { http: 409, title: 'The mint is already initialized for the validator' },
  MISSING_AUTH_TOKEN: { http: 400, title: 'The request needs a bearer token' },
  TRANSFER_QUEUE_NOT_INITIALIZED: { http: 400, title: 'The transfer queue of the mint does not exist' },
  VAULT_NOT_INITIALIZED: { http: 400, title: 'The vault of the mint does not exist' },
  TRANSACTION_EXPIRED: { http: 400, title: 'The transaction can no longer land' },
  TRANSACTION_FAILED: { http: 400, title: 'The ledger rejected the transaction' },
  TRANSACTION_TOO_LARGE: { http: 400, title: 'The transaction is larger than the network allows' },
  TRANSACTION_BUILD_ERROR: { http: 400, title: 'No transaction can be built from these accounts' },
  UNSUPPORTED_TRANSFER_ROUTE: { http: 400, title: 'The transfer route is not supported' },
  INVALID_PRIVATE_TRANSFER: { http: 400, title: 'The terms of the private transfer are not valid' },
  INVALID_PLATFORM_FEE: { http: 400, title: 'The platform fee is not valid' },
  INVALID_GASLESS_TRANSFER_MINT: { http: 400, title: 'The mint cannot be used for gasless transfers' },
  INVALID_GASLESS_TRANSFER_AMOUNT: { http: 400, title: 'The amount is too small for a gasless transfer' },
  SPONSOR_UNAVAILABLE: { http: 503, title: 'This service does not sponsor gasless transfers' },
  INVALID_STEALTH_HANDLE: { http: 400, title: 'Not a valid stealth handle' },
  INVALID_STEALTH_TRANSFER: { http: 400, title: 'This route cannot pay a stealth handle' },
  STEALTH_HANDLE_TAKEN: { http: 409, title: 'The stealth handle belongs to another wallet' },
  STEALTH_POOL_NOT_FOUND: { http: 400, title: 'The stealth handle has no pool' },
  TOKEN_ACCOUNT_NOT_FOUND: { http: 400, title: 'A token account does not exist' },
  EATA_VALIDATOR_MISMATCH: {
    http: 400,
    title: 'An ephemeral token account is delegated to another validator',
  },
  UNSUPPORTED_ON_CLUSTER: { http: 400, title: 'The operation is not supported on this cluster' },
  VALIDATOR_UNRESOLVED: { http: 502, title: 'The validator of the cluster cannot be determined' },
  VALIDATOR_DISPUTED: {
    http: 502,
    title: 'The rollup reports a different validator than the operator configured',
  },
  AUTH_UNAVAILABLE: { http: 400, title: 'The rollup of the cluster does not support logins' },
  AUTH_REFUSED: { http: 401, title: 'The rollup did not accept the login' },
  READER_NOT_ALLOWED: { http: 403, title: 'The wallet of the bearer token is not allowed to read this' },
  POLICY_REFUSED: { http: 403, title: 'The spending policy does not allow the payment' },
  UPSTREAM_UNAVAILABLE: { http: 502, title: 'The cluster did not answer' },
  UPSTREAM_INVALID: { http: 502, title: 'The cluster returned an unusable answer' },
  UPSTREAM_REJECTED: { http: 502, title: 'The cluster rejected the request' },
  UPSTREAM_RATE_LIMITED: { http: 503, title: 'The cluster limits the rate of requests' },
  UPSTREAM_TIMEOUT: { http: 504, title: 'The cluster did not answer in time' },
  SERVICE_BUSY: { http: 503, title: 'The service is busy' },
  OPERATION_TIMEOUT: { http: 504, title: 'The operation took too long' },
  LEDGER_FOLDER_IN_USE: { http: 500, title: 'Another process uses the data folder' },
  LEDGER_FOLDER_UNREADABLE: { http: 500, title: 'The data folder cannot be used' },
  LEDGER_DAMAGED: { http: 500, title: 'The stored ledger is damaged' },
  FAUCET_LIMIT: { http: 429, title: 'The faucet limit is reached' },
  LEDGER_FULL: { http: 422, title: 'The ledger has no room for more account data' },
  LEDGER_STOPPED: { http: 503, title: 'The ledger is shutting down' },
  PROVISION_INVALID: { http: 422, title: 'An account or program cannot be loaded into the ledger' },
  UNSUPPORTED_MINT_EXTENSION: {
    http: 400,
    title: 'The mint has a Token-2022 extension that is not supported',
  },
  TOKEN_ACCOUNT_OWNER_MISMATCH: {
    http: 409,
    title: 'A token account does not belong to the wallet it was derived for',
  },
  ENGINE_UNAVAILABLE: { http: 500, title: 'The virtual machine of the ledger is not available' },
  PROGRAM_BINARIES_MISSING: { http: 500, title: 'The on-chain program binaries are not installed' },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
