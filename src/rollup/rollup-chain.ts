import type {
  LatestBlockhash,
  QueueTask,
  Rollup,
  RollupAuth,
  SendOptions,
  SignatureStatus,
  SimulationResult,
} from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { InProcessClient } from '../ledger/ledger-chain.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import { UNREADABLE } from './privacy/private-runs.ts';
import type { TokenReaders } from './privacy/private-views.ts';
import type { EmbeddedRollup } from './rollup.ts';

interface RollupChainOptions {
  /** The rollup, with access to private data. */
  readonly rollup: Pick<EmbeddedRollup, 'identity' | 'signatureStatus' | 'delegationStatus' | 'queueTask'>;
  /** The rollup as the holders of tokens see it. */
  readonly readers: Pick<TokenReaders, 'publicView' | 'viewOf'>;
  readonly auth: RollupAuth;
  /** URL of the rollup's node; null if it has none. */
  readonly publicUrl: string | null;
}

/**
 * The rollup of this process for the payment operations. Reads and simulations are limited to what the holder
 * of the caller's token may see, or to public data without a token.
 *
 * Every method fails with ServiceError AUTH_REFUSED if the token is invalid or has expired.
 */
export class RollupChain implements Rollup {
  readonly publicUrl: string | null;
  readonly auth: RollupAuth;
  /** `RollupRules` rejects transactions that change the holder of an account. */
  readonly keepsHolders = true;
  readonly #options: RollupChainOptions;

  constructor(options: RollupChainOptions) {
    this.publicUrl = options.publicUrl;
    this.auth = options.auth;
    this.#options = options;
  }

  async identity(): Promise<Address> {
    return this.#options.rollup.identity;
  }

  async isSettling(eata: Address): Promise<boolean> {
    return this.#options.rollup.delegationStatus(eata).isUndelegating;
  }

  /** Returns the state of a queue's task. It is not secret, so no token is needed. */
  queueTask(queue: Address): Promise<QueueTask> {
    return this.#options.rollup.queueTask(queue);
  }

  async getAccounts(addresses: readonly Address[], token?: string): Promise<readonly (Account | null)[]> {
    return await this.#nodeFor(token).getAccounts(addresses);
  }

  async latestBlockhash(token?: string): Promise<LatestBlockhash> {
    return await this.#nodeFor(token).latestBlockhash();
  }

  async blockHeight(token?: string): Promise<number> {
    return await this.#nodeFor(token).blockHeight();
  }

  async isBlockhashValid(blockhash: string, token?: string): Promise<boolean> {
    return await this.#nodeFor(token).isBlockhashValid(blockhash);
  }

  async lastHeightOf(blockhash: string): Promise<number | null> {
    return await this.#nodeFor(undefined).lastHeightOf(blockhash);
  }

  /**
   * @throws {ServiceError} MISSING_AUTH_TOKEN or AUTH_REFUSED, without a simulation, if the transaction would
   *   reveal accounts that the caller may not read.
   */
  async simulateTransaction(
    wire: Uint8Array,
    watch: readonly Address[],
    token?: string,
  ): Promise<SimulationResult> {
    const run = await this.#nodeFor(token).simulateTransaction(wire, watch);
    if (run.err === UNREADABLE) throw unreadable(token);
    return run;
  }

  async sendTransaction(wire: Uint8Array, token?: string, options?: SendOptions): Promise<string> {
    return await this.#nodeFor(token).sendTransaction(wire, token, options);
  }

  /** Returns a status without a token, because anyone who knows the signature may see it. */
  async signatureStatus(signature: string): Promise<SignatureStatus | null> {
    return this.#options.rollup.signatureStatus(signature);
  }

  #nodeFor(token: string | undefined): InProcessClient {
    const { readers } = this.#options;
    const view = token === undefined ? readers.publicView : readers.viewOf(token);
    if (view !== undefined) return new InProcessClient(view);
    throw new ServiceError(
      'AUTH_REFUSED',
      'The bearer token is invalid on this rollup or has expired: log in again (GET /v1/spl/challenge, POST /v1/spl/login)',
    );
  }
}

/**
 * Creates the error for unreadable accounts. The fee payer cannot be the cause, because rollup transactions
 * have no fee.
 */
function unreadable(token: string | undefined): ServiceError {
  const what = 'The transaction uses private accounts and is simulated only for their readers';
  return token === undefined
    ? new ServiceError('MISSING_AUTH_TOKEN', `${what}: log in as one of them and pass the bearer token`)
    : new ServiceError('AUTH_REFUSED', `${what}: the bearer token belongs to another wallet`);
}
