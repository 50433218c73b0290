// This reference is kept in the declarations, because neither the default library nor es2022 has
// AsyncDisposable.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Logger } from '../ports/logger.ts';
import type { LocalnetSnapshot } from './snapshot.ts';

/** A wallet of a localnet. Do not use its key anywhere else. */
export interface LocalnetWallet {
  /** The wallet's address, base58. */
  readonly address: string;
  /**
   * 64 bytes: the ed25519 seed and the public key, as in the Solana CLI. `createKeyPairSignerFromBytes` of
   * @solana/kit and `Keypair.fromSecretKey` of @solana/web3.js accept them.
   */
  readonly secretKey: Uint8Array;
  /** Returns the ed25519 signature of `message`, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
}

/** A gift from the faucet. */
export interface Gift {
  /** SOL with at most nine decimals: 1.5 is 1,500,000,000 lamports. */
  readonly sol?: number;
  /** Base units of the mint: 1_500_000n is 1.5 USDC. */
  readonly tokens?: bigint | number;
  /** The mint of the tokens, base58. Default: USDC. */
  readonly mint?: string;
}

/** A wallet, or its address. */
export type Holder = string | { readonly address: string };

/** A transaction that an operation built. REST and MCP results have more fields. */
export interface Built {
  /** The transaction, base64. Missing signatures are 64 zero bytes. */
  readonly transactionBase64: string;
  /** The ledger that the transaction was built for. */
  readonly sendTo: 'base' | 'ephemeral';
}

/** The addresses of a localnet, all on 127.0.0.1. */
export interface LocalnetUrls {
  /** The service, without path, for `createPrivatePayments`. */
  readonly service: string;
  /** The MCP endpoint of the service. */
  readonly mcp: string;
  /** JSON-RPC of the base ledger. */
  readonly base: string;
  /** WebSocket of the base ledger. */
  readonly baseWebSocket: string;
  /** JSON-RPC of the rollup. */
  readonly rollup: string;
  /** WebSocket of the rollup. */
  readonly rollupWebSocket: string;
}

/** A localnet in this process: the service, the ledger and the rollup. */
export interface Localnet extends AsyncDisposable {
  readonly urls: LocalnetUrls;
  /** Layout of the private payment programs. */
  readonly layout: 'a' | 'b';
  /** The default mint of payments and `fund`: USDC, base58. */
  readonly mint: string;

  /**
   * Creates a wallet, with an optional gift.
   *
   * @throws {ServiceError} the errors of {@link fund}.
   */
  createWallet(gift?: Gift): Promise<LocalnetWallet>;

  /**
   * Gives a wallet SOL, tokens or both. Resolves when they have arrived.
   *
   * @throws {ServiceError} INVALID_ADDRESS, INVALID_AMOUNT, INVALID_ARGUMENTS for an empty gift,
   *   MINT_NOT_FOUND, and errors of the faucet.
   */
  fund(wallet: Holder, gift: Gift): Promise<void>;

  /**
   * Signs a built transaction with these wallets, and sends it to its ledger. Resolves with the signature,
   * base58, when it has landed and the rollup is settled.
   *
   * @throws {ServiceError} INVALID_TRANSACTION, INVALID_ARGUMENTS if a signer is missing,
   *   TRANSACTION_FAILED.
   */
  send(built: Built, ...signers: readonly LocalnetWallet[]): Promise<string>;

  /** Logs a wallet in to the rollup. Resolves with a bearer token for private reads, valid for 24 hours. */
  logIn(wallet: LocalnetWallet): Promise<string>;

  /** Resolves when the rollup has processed base and settled all it can. Use it instead of polling. */
  settled(): Promise<void>;

  /**
   * Moves the time of the localnet ahead by `ms`. Both ledgers advance by as many slots, and blockhashes and
   * logins expire. Resolves when due payments have been made.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS unless `ms` is a positive whole number.
   */
  timeTravel(by: { readonly ms: number }): Promise<void>;

  /**
   * Takes a snapshot once the localnet is {@link settled}. It contains both ledgers with their accounts and
   * histories, the rollup's pending payments and tasks, and the state of the clock and the seed.
   *
   * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER with a `dataDir`.
   */
  snapshot(): Promise<LocalnetSnapshot>;

  /**
   * Restores a snapshot, by default the initial state. Both ledgers continue with the next slot. With a seed,
   * later random values, such as new wallets, are the same as after the snapshot.
   *
   * Everything else is reset as after a restart: WebSocket connections close, and idempotency keys, metrics,
   * rate limits, answered login challenges, profiles, paused clocks and the test wallets of MCP tools are
   * deleted. Bearer tokens stay valid until they expire. Addresses and ports stay the same. A request in
   * progress completes, or fails with LEDGER_STOPPED or 503.
   *
   * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER with a `dataDir`, INVALID_ARGUMENTS for a snapshot of
   *   another localnet.
   */
  reset(snapshot?: LocalnetSnapshot): Promise<void>;

  /** Completes the requests in flight, then closes everything. Later calls do nothing. */
  readonly close: () => Promise<void>;
}

/** Options for a localnet. */
export interface LocalnetOptions {
  /**
   * The source of the layout B programs, which mainnet runs: a folder with `ephemeral_spl_token.so`,
   * `delegation.so` and `permission.so`, the name of a cluster (`devnet`), or its RPC URL. Default: layout A,
   * from the npm package of MagicBlock's validator, which is fetched once and cached.
   */
  readonly programs?: string;
  /** The folder of both ledgers. Default: in memory. Snapshots are not available with a folder. */
  readonly dataDir?: string;
  /** TCP ports on 127.0.0.1. Default: free ports. Each node also uses the port after its own. */
  readonly ports?: { readonly service?: number; readonly base?: number; readonly rollup?: number };
  /**
   * Seed for all keys, addresses and blockhashes. With a fixed clock, identical calls produce identical
   * bytes. Default: random.
   */
  readonly seed?: string;
  /** Fixes the time at `startsAtMs`, Unix ms, until `timeTravel`. Default: the system time. */
  readonly clock?: { readonly startsAtMs: number };
  /** More settings, by environment variable (docs/operating.md). The environment itself is not read. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The logger. Default: none. */
  readonly logger?: Logger;
}
