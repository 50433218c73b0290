// Kept in the declarations: AsyncDisposable is neither in the default library nor in that of es2022.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Logger } from '../ports/logger.ts';
import type { LocalnetSnapshot } from './snapshot.ts';

/** A wallet of a localnet. Do not use its key anywhere else. */
export interface LocalnetWallet {
  /** base58. */
  readonly address: string;
  /**
   * 64 bytes: the ed25519 seed and the public key, as the Solana CLI keeps them.
   * `createKeyPairSignerFromBytes` of
   * @solana/kit and `Keypair.fromSecretKey` of @solana/web3.js take them.
   */
  readonly secretKey: Uint8Array;
  /** The 64 bytes of the ed25519 signature over `message`. */
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

/** A transaction that an operation built. REST and MCP return more than this. */
export interface Built {
  /** The transaction, base64. Missing signatures are 64 zero bytes. */
  readonly transactionBase64: string;
  /** The ledger it was built for. */
  readonly sendTo: 'base' | 'ephemeral';
}

/** The addresses of a localnet, all on 127.0.0.1. */
export interface LocalnetUrls {
  /** The service without path, as for `createPrivatePayments`. */
  readonly service: string;
  /** Its MCP endpoint. */
  readonly mcp: string;
  /** JSON-RPC of the base ledger. */
  readonly base: string;
  /** Its WebSocket. */
  readonly baseWebSocket: string;
  /** JSON-RPC of the rollup. */
  readonly rollup: string;
  /** Its WebSocket. */
  readonly rollupWebSocket: string;
}

/** A localnet in this process: the service, the ledger and the rollup. */
export interface Localnet extends AsyncDisposable {
  readonly urls: LocalnetUrls;
  /** Layout of its programs of private payments. */
  readonly layout: 'a' | 'b';
  /** The default mint of payments and `fund`: USDC, base58. */
  readonly mint: string;

  /**
   * Creates a wallet, with an optional gift.
   *
   * @throws {ServiceError} as {@link fund}.
   */
  createWallet(gift?: Gift): Promise<LocalnetWallet>;

  /**
   * Gives a wallet SOL, tokens or both. Resolves when they have arrived.
   *
   * @throws {ServiceError} INVALID_ADDRESS, INVALID_AMOUNT, INVALID_ARGUMENTS for nothing to give,
   *   MINT_NOT_FOUND, and of the faucet.
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

  /** Logs a wallet in to the rollup. Resolves with the bearer token for private reads (24 hours). */
  logIn(wallet: LocalnetWallet): Promise<string>;

  /** Resolves when the rollup has processed base and settled all it can. Use it instead of polling. */
  settled(): Promise<void>;

  /**
   * Moves the time of the localnet ahead by `ms`: slots of both ledgers pass, blockhashes and logins
   * expire, and due payments are made before this resolves.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS unless `ms` is a positive whole number.
   */
  timeTravel(by: { readonly ms: number }): Promise<void>;

  /**
   * Takes a snapshot when the localnet is {@link settled}: both ledgers with their accounts and histories,
   * the books of the rollup with pending payments and tasks, and the time and the seed if they are set.
   *
   * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER with a `dataDir`.
   */
  snapshot(): Promise<LocalnetSnapshot>;

  /**
   * Returns to a snapshot, by default to the start. Both ledgers continue with the next slot. With a seed,
   * later random values, such as new wallets, are the same as after the snapshot.
   *
   * Everything else is as after a restart: WebSocket connections close, and idempotency keys, metrics, rate
   * limits, answered login challenges, profiles, paused clocks and the test wallets of MCP tools are deleted.
   * Bearer tokens stay valid until they expire. Addresses and ports stay. A request in progress is
   * answered, or fails with LEDGER_STOPPED or 503.
   *
   * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER with a `dataDir`, INVALID_ARGUMENTS for a snapshot of
   *   another localnet.
   */
  reset(snapshot?: LocalnetSnapshot): Promise<void>;

  /** Answers the requests in flight, then closes everything. Later calls do nothing. */
  readonly close: () => Promise<void>;
}

/** Options of a localnet. */
export interface LocalnetOptions {
  /**
   * The programs of layout B, as mainnet runs them: a folder with `ephemeral_spl_token.so`, `delegation.so`
   * and `permission.so`, the name of a cluster (`devnet`), or the URL of its RPC. Default: layout A, from
   * the npm package of MagicBlock's validator, which is fetched once and cached for the user.
   */
  readonly programs?: string;
  /** The folder of both ledgers. Default: in memory. With a folder there are no snapshots. */
  readonly dataDir?: string;
  /** TCP ports on 127.0.0.1. Default: free ports. The two nodes also use the port after theirs. */
  readonly ports?: { readonly service?: number; readonly base?: number; readonly rollup?: number };
  /**
   * Seed of all keys, addresses and blockhashes. With a fixed clock, the same calls produce the same bytes.
   * Default: random.
   */
  readonly seed?: string;
  /** Fixes the time at `startsAtMs`, Unix ms, until `timeTravel`. Default: the system time. */
  readonly clock?: { readonly startsAtMs: number };
  /** Further settings by environment variable (docs/operating.md). The environment itself is not read. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The logger. Default: none. */
  readonly logger?: Logger;
}
