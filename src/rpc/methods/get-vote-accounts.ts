import type { Commitment } from '../../solana/commitment.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { verifyAddress } from '../params/keys.ts';
import { bool, string, u64 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';

/** Agave `RpcGetVoteAccountsConfig`. */
const voteAccountsConfig = struct<{
  readonly votePubkey: string | undefined;
  readonly commitment: Commitment | undefined;
  readonly keepUnstakedDelinquents: boolean | undefined;
  readonly delinquentSlotDistance: bigint | undefined;
}>(
  'RpcGetVoteAccountsConfig',
  {
    votePubkey: optional(string),
    commitment: flattenedCommitment,
    keepUnstakedDelinquents: optional(bool),
    delinquentSlotDistance: optional(u64),
  },
  { hasFlattened: true },
);

/** `getVoteAccounts([config]?)`: the accounts whose stake decides on blocks. One node decides alone: there are none. */
export const getVoteAccounts = defineMethod(
  'getVoteAccounts',
  { required: [], optional: [voteAccountsConfig] },
  (_node, config) => {
    if (config?.votePubkey !== undefined) verifyAddress(config.votePubkey);
    return { current: [], delinquent: [] };
  },
);
