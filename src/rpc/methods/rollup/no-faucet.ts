import { invalidRequest } from '../../errors.ts';
import type { RpcMethod } from '../../rpc-method.ts';
import { requestAirdrop } from '../request-airdrop.ts';
import { requestTokenAirdrop } from '../request-token-airdrop.ts';

/** The ways to get something for nothing, which a rollup refuses in the words of the ephemeral validator. */
export const NO_FAUCET: readonly RpcMethod[] = [requestAirdrop, requestTokenAirdrop].map(({ name }) => ({
  name,
  call() {
    throw invalidRequest('free airdrop faucet is disabled');
  },
}));
