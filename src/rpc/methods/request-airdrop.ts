import type { Commitment } from '../../solana/commitment.ts';
import { invalidParams } from '../errors.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { findHashFault, verifyAddress } from '../params/keys.ts';
import { string, u64 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';

/** Agave `RpcRequestAirdropConfig`. The blockhash is checked, but the faucet takes the newest one. */
const airdropConfig = struct<{
  readonly recentBlockhash: string | undefined;
  readonly commitment: Commitment | undefined;
}>(
  'RpcRequestAirdropConfig',
  { recentBlockhash: optional(string), commitment: flattenedCommitment },
  { hasFlattened: true },
);

/** `requestAirdrop([address, lamports, config?])`: the signature of the faucet's transfer. */
export const requestAirdrop = defineMethod(
  'requestAirdrop',
  { required: [string, u64], optional: [airdropConfig] },
  (node, text, lamports, config) => {
    const address = verifyAddress(text);
    const fault = config?.recentBlockhash === undefined ? undefined : findHashFault(config.recentBlockhash);
    if (fault !== undefined) throw invalidParams(`Invalid param: ${fault}`);
    return node.ledger.airdrop(address, lamports);
  },
);
