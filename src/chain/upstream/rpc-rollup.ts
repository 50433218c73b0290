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
 * How long a rollup's identity is believed. An operator who moves a rollup to another key has delegations to
 * end first.
 */
export const IDENTITY_AGE_MAX_MS = 5 * 60_000;

/** How long a slot of MagicBlock's rollups takes, ms. */
const ROLLUP_SLOT_MS = 50;

/** Where a rollup is. */
interface RollupPlace {
  /** In the order they are tried. */
  readonly urls: readonly URL[];
  /** What callers may be shown; null to decide by the URLs. */
  readonly publicUrl: string | null;
  readonly hasLogin: boolean;
  /** The validator that runs it as the operator has set it; null where it is for the rollup alone to tell. */
  readonly validator: Address | null;
  /** The environment variable that sets `validator`. */
  readonly validatorVariable: string;
}

/**
 * A rollup that is reached by JSON-RPC. The caller's token goes along in the query, as MagicBlock's rollups
 * want it.
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
   * @throws {ServiceError} VALIDATOR_DISPUTED when it tells another than the operator has set. Tokens are
   *   delegated to that key, and recipients sealed for it: of two, neither is taken.
   */
  async identity(): Promise<Address> {
    const told = await this.#identity.get();
    const { validator, validatorVariable: variable } = this.#place;
    if (validator === null || validator === told) return told;
    throw new ServiceError(
      'VALIDATOR_DISPUTED',
      `${this.#who} says that validator ${told} runs it, but the operator has set ${variable} to ${validator}; nothing is built for either before the operator has corrected the variable or the URL`,
      { told, configured: validator, variable },
    );
  }
}
