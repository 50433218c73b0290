import type {
  LatestBlockhash,
  QueueTask,
  Rollup,
  RollupAuth,
  SignatureStatus,
  SimulationResult,
  SendOptions,
} from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { InProcessClient } from '../ledger/in-process-client.ts';
import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { TokenReaders } from './auth/token-readers.ts';
import { UNREADABLE } from './privacy/refused-run.ts';
import type { EmbeddedRollup } from './rollup.ts';

/** What a {@link RollupChain} is made of. */
interface RollupChainOptions {
  /** The whole of it, whoever reads. */
  readonly rollup: Pick<EmbeddedRollup, 'identity' | 'signatureStatus' | 'delegationStatus' | 'queueTask'>;
  /** What the holders of tokens may read of it. */
  readonly readers: Pick<TokenReaders, 'publicView' | 'viewOf'>;
  readonly auth: RollupAuth;
  /** Where its node is reached; null when it has none. */
  readonly publicUrl: string | null;
}

/**
 * The rollup of this process for the payment operations. The caller's token decides what is read and tried:
 * what its holder may see, and without one what everybody may.
 *
 * Everything fails with ServiceError AUTH_REFUSED for a token that is none of its own or has expired.
 */
export class RollupChain implements Rollup {
  readonly publicUrl: string | null;
  readonly auth: RollupAuth;
  /** `RollupRules` refuses a transaction after which an account has another holder. */
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

  /** Needs no token: whether a queue is worked off is no secret of those who are paid through it. */
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

  /**
   * @throws {ServiceError} MISSING_AUTH_TOKEN and AUTH_REFUSED when it would bring to light what the caller
   *   may not read: it is not tried at all then.
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

  /** Needs no token: how a transaction ended is told to whoever knows its signature. */
  async signatureStatus(signature: string): Promise<SignatureStatus | null> {
    return this.#options.rollup.signatureStatus(signature);
  }

  #nodeFor(token: string | undefined): InProcessClient {
    const { readers } = this.#options;
    const view = token === undefined ? readers.publicView : readers.viewOf(token);
    if (view !== undefined) return new InProcessClient(view);
    throw new ServiceError(
      'AUTH_REFUSED',
      'The bearer token is none of this rollup, or has expired: log in again (GET /v1/spl/challenge, POST /v1/spl/login)',
    );
  }
}

/** On this rollup nobody pays fees, so that no transaction fails for want of a fee payer. */
function unreadable(token: string | undefined): ServiceError {
  const what = 'The transaction uses private accounts, and the rollup tries it for their readers alone';
  return token === undefined
    ? new ServiceError('MISSING_AUTH_TOKEN', `${what}: log in as one and pass the bearer token`)
    : new ServiceError('AUTH_REFUSED', `${what}: the bearer token is of another wallet`);
}
