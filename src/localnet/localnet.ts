// Kept in the declarations: AsyncDisposable is neither in the default library nor in that of es2022.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Gift, Holder } from './gift.ts';
import type { Built } from './send.ts';
import type { LocalnetSnapshot } from './snapshot.ts';
import type { LocalnetWallet } from './wallet.ts';

/** Where a localnet is reached, all on 127.0.0.1. */
export interface LocalnetUrls {
  /** The service without path: what `createPrivatePayments` takes, and REST paths are put after. */
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

/** A whole localnet in this process: the service, the ledger and the rollup. */
export interface Localnet extends AsyncDisposable {
  readonly urls: LocalnetUrls;
  /** Of the programs of private payments that it runs. */
  readonly layout: 'a' | 'b';
  /** The mint that payments mean which name none: USDC, base58. `fund` gives it away. */
  readonly mint: string;

  /**
   * A new wallet, with what it is given, if anything.
   *
   * @throws {ServiceError} as {@link fund}.
   */
  createWallet(gift?: Gift): Promise<LocalnetWallet>;

  /**
   * Gives a wallet SOL, tokens or both; they are there when this resolves.
   *
   * @throws {ServiceError} INVALID_ADDRESS, INVALID_AMOUNT, INVALID_ARGUMENTS for nothing to give,
   *   MINT_NOT_FOUND, and of the faucet.
   */
  fund(wallet: Holder, gift: Gift): Promise<void>;

  /**
   * Signs what an operation built with these wallets, and sends it to the ledger it was built for. Resolves
   * with its signature, base58, once it has landed and the rollup has done what follows from it.
   *
   * @throws {ServiceError} INVALID_TRANSACTION, INVALID_ARGUMENTS where a signer is missing,
   *   TRANSACTION_FAILED.
   */
  send(built: Built, ...signers: readonly LocalnetWallet[]): Promise<string>;

  /**
   * Logs a wallet in to the rollup; resolves with its bearer token, which private reads need. It is good for
   * 24 hours.
   */
  logIn(wallet: LocalnetWallet): Promise<string>;

  /**
   * Resolves when the rollup has taken in all that happened on base, and nothing is left to settle but what
   * cannot be settled yet: what a test waits for instead of polling.
   */
  settled(): Promise<void>;

  /**
   * Moves the time of the whole localnet ahead by `ms`, as for a machine that slept: slots of both ledgers
   * pass, blockhashes and logins expire, and payments that fell due are made before this resolves.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS unless `ms` is a positive whole number.
   */
  timeTravel(by: { readonly ms: number }): Promise<void>;

  /**
   * What the localnet is now, once it is {@link settled}: both ledgers with their accounts and histories, the
   * books of the rollup with pending payments and tasks, and the time and randomness where they are given.
   *
   * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER with a `dataDir`.
   */
  snapshot(): Promise<LocalnetSnapshot>;

  /**
   * Goes back to a snapshot, or to the start when left out. What a snapshot holds is as it was; both ledgers
   * go on with the slot after the one they were at. With a seed, what is drawn from then on is the same as
   * after the snapshot, new wallets included.
   *
   * The rest of the program starts anew, as it would after a restart: subscriptions of WebSockets end with
   * their connections, and idempotency keys, metrics, rate limits, answered login challenges, profiles,
   * paused clocks and the test wallets of MCP tools are forgotten. Bearer tokens are signed and not kept:
   * those given since stay good until they expire. Addresses and ports stay, and a request under way is
   * answered, or refused with LEDGER_STOPPED or 503.
   *
   * @throws {ServiceError} UNSUPPORTED_ON_CLUSTER with a `dataDir`, INVALID_ARGUMENTS for a snapshot of
   *   another localnet.
   */
  reset(snapshot?: LocalnetSnapshot): Promise<void>;

  /** Answers what is in flight, then ends everything. However often it is called, it does so once. */
  readonly close: () => Promise<void>;
}
