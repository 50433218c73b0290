import type { Address } from '../../solana/address.ts';
import type { Rollup, RollupAuth } from '../chain.ts';
import { ExpiringValue } from './expiring-value.ts';
import { publicUrlOf } from './public-url.ts';
import { HttpRollupAuth } from './rollup-auth.ts';
import { identityAnswer } from './rpc-answers.ts';
import { RpcNode } from './rpc-node.ts';
import { Upstream, type UpstreamPorts } from './upstream.ts';

/** How long a rollup's identity is believed. An operator who moves a rollup to another key has delegations to end first. */
export const IDENTITY_AGE_MAX_MS = 5 * 60_000;

/** Where a rollup is. */
export interface RollupPlace {
  /** In the order they are tried. */
  readonly urls: readonly URL[];
  /** What callers may be shown; null to decide by the URLs. */
  readonly publicUrl: string | null;
  readonly hasLogin: boolean;
}

/** A rollup that is reached by JSON-RPC. The caller's token goes along in the query, as MagicBlock's rollups want it. */
export class RpcRollup extends RpcNode implements Rollup {
  readonly publicUrl: string | null;
  readonly auth: RollupAuth | null;
  readonly hidesStatuses: boolean;
  readonly #identity: ExpiringValue<Address>;

  constructor(who: string, { urls, publicUrl, hasLogin }: RollupPlace, ports: UpstreamPorts) {
    super(who, urls, 'query', ports);
    this.publicUrl = publicUrlOf(publicUrl, urls);
    this.hidesStatuses = hasLogin;
    this.auth = hasLogin ? new HttpRollupAuth(new Upstream(who, urls, ports)) : null;
    this.#identity = new ExpiringValue(ports.clock, IDENTITY_AGE_MAX_MS, () =>
      this.rpc.read({ method: 'getIdentity', params: [], result: identityAnswer }),
    );
  }

  identity(): Promise<Address> {
    return this.#identity.get();
  }
}
