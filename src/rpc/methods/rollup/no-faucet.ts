import { invalidRequest } from '../../errors.ts';
import type { RpcMethod } from '../../rpc-method.ts';
import { requestAirdrop } from '../request-airdrop.ts';
import { requestTokenAirdrop } from '../request-token-airdrop.ts';

/** The airdrop methods, which a rollup refuses with the ephemeral validator's message. */
export const NO_FAUCET: readonly RpcMethod[] = [requestAirdrop, requestTokenAirdrop].map(({ name }) => ({
  name,
  call() {
    throw invalidRequest('free airdrop faucet is disabled');
  },
}));
