import { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Address } from '../../solana/address.ts';
import type { Rollup, RollupAuth } from '../chain.ts';
import { HttpRollupAuth } from './rollup-auth.ts';
import { identityAnswer } from './rpc-answers.ts';
import { RpcLedgerClient } from './rpc-ledger-client.ts';
import { Upstream, type UpstreamPorts } from './upstream.ts';

/**
 * A value that is costly to read and rarely changes. Concurrent callers share one read; failures are not
 * cached.
 */
export class ExpiringValue<Value> {
  readonly #clock: Clock;
  readonly #ageMaxMs: number;
  readonly #read: () => Promise<Value>;
  #known: { readonly value: Promise<Value>; readonly askedAt: number } | undefined;

  constructor(clock: Clock, ageMaxMs: number, read: () => Promise<Value>) {
    this.#clock = clock;
    this.#ageMaxMs = ageMaxMs;
    this.#read = read;
  }

  /** @throws whatever the read throws. */
  get(): Promise<Value> {
    const now = this.#clock.now();
    if (this.#known !== undefined) {
      const ageMs = now - this.#known.askedAt;
      if (ageMs >= 0 && ageMs <= this.#ageMaxMs) return this.#known.value;
    }
    const known = { value: this.#read(), askedAt: now };
    this.#known = known;
    known.value.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known.value;
  }
}

/**
 * How long the identity of a rollup is cached, ms. An operator who changes the key has to end delegations
 * first.
 */
export const IDENTITY_AGE_MAX_MS = 5 * 60_000;

/** Duration of one slot of MagicBlock's rollups, ms. */
const ROLLUP_SLOT_MS = 50;

/** The endpoints of a rollup. */
interface RollupPlace {
  /** In order of preference. */
  readonly urls: readonly URL[];
  /** The URL shown to callers; null to derive it from `urls`. */
  readonly publicUrl: string | null;
  readonly hasLogin: boolean;
  /** The validator the operator set; null to rely on the rollup's own answer. */
  readonly validator: Address | null;
  /** The environment variable that sets `validator`. */
  readonly validatorVariable: string;
}

/**
 * A rollup reached over JSON-RPC. The caller's token is sent in the query, where MagicBlock's rollups expect
 * it.
 */
export class RpcRollup extends RpcLedgerClient implements Rollup {
  readonly publicUrl: string | null;
  readonly auth: RollupAuth | null;
  readonly hidesStatuses: boolean;
  readonly #who: string;
  readonly #place: RollupPlace;
  readonly #identity: ExpiringValue<Address>;

  constructor(who: string, place: RollupPlace, ports: UpstreamPorts) {
    const { urls, publicUrl, hasLogin } = place;
    super(who, urls, 'query', ports, ROLLUP_SLOT_MS);
    this.#who = who;
    this.#place = place;
    this.publicUrl = publicUrlOf(publicUrl, urls);
    this.hidesStatuses = hasLogin;
    this.auth = hasLogin ? new HttpRollupAuth(new Upstream(who, urls, ports)) : null;
    this.#identity = new ExpiringValue(ports.clock, IDENTITY_AGE_MAX_MS, () =>
      this.rpc.read({ method: 'getIdentity', params: [], result: identityAnswer }),
    );
  }

  /**
   * @throws {ServiceError} VALIDATOR_DISPUTED if the rollup reports another validator than the operator set.
   *   Tokens are delegated to that key and recipients sealed for it, so neither of the two is used.
   */
  async identity(): Promise<Address> {
    const told = await this.#identity.get();
    const { validator, validatorVariable: variable } = this.#place;
    if (validator === null || validator === told) return told;
    throw new ServiceError(
      'VALIDATOR_DISPUTED',
      `${this.#who} says that validator ${told} runs it, but the operator has set ${variable} to ${validator}; nothing is built for either until the operator corrects the variable or the URL`,
      { told, configured: validator, variable },
    );
  }
}

/**
 * The URL at which callers reach a rollup: the one the operator sets, or else the first one the service uses,
 * unless it could contain a key (user, password, path, query or fragment). Null if there is none to show.
 */
export function publicUrlOf(named: string | null, urls: readonly URL[]): string | null {
  if (named !== null) return named;
  const [url] = urls;
  if (url === undefined || url.href !== `${url.origin}/`) return null;
  return url.origin;
}
