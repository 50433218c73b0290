import { ServiceError } from '../../errors/service-error.ts';
import type { Address } from '../../solana/address.ts';
import type { Rollup, RollupAuth } from '../chain.ts';
import { ExpiringValue } from './expiring-value.ts';
import { publicUrlOf } from './public-url.ts';
import { HttpRollupAuth } from './rollup-auth.ts';
import { identityAnswer } from './rpc-answers.ts';
import { RpcLedgerClient } from './rpc-ledger-client.ts';
import { Upstream, type UpstreamPorts } from './upstream.ts';

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
