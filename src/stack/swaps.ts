import { SwapUpstream } from '../payments/swap/swap-upstream.ts';
import { SwapDesk } from '../payments/swap/desk.ts';
import type { SwapSources } from '../payments/swap/source.ts';
import { createHttpTransport } from '../chain/upstream/transport.ts';
import type { Config } from '../config/config.ts';
import { systemTimer } from '../ports/timer.ts';
import { createDeskKey } from '../signing/desk-key.ts';
import type { LocalFaucet } from '../wallets/fund.ts';
import type { Ports, Resource } from './node.ts';

interface SwapParts {
  readonly config: Pick<Config, 'swapUpstreamUrl' | 'readOnly'>;
  readonly ports: Ports;
  /** The embedded ledger; null without one. */
  readonly localnet: { readonly faucet: LocalFaucet } | null;
}

/** Opens the upstream of swaps, if one is set, and the desk of an embedded ledger. */
export function openSwaps({ config, ports, localnet }: SwapParts): SwapSources & Resource {
  const { swapUpstreamUrl: url, readOnly } = config;
  const { timer = systemTimer } = ports;
  const transport = createHttpTransport();
  return {
    upstream: url === null ? null : new SwapUpstream(url.reveal(), { ...ports, timer, transport }),
    // The desk is funded by transactions of the faucet.
    desk: localnet === null || readOnly ? null : new SwapDesk(createDeskKey(ports.random), localnet.faucet),
    close: () => transport.close(),
  };
}
