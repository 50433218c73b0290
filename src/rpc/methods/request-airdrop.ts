import { isServiceError } from '../../errors/service-error.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { invalidParams } from '../errors.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { findHashFault, verifyAddress } from '../params/keys.ts';
import { string, u64 } from '../params/primitives.ts';
import { optional, struct } from '../params/struct.ts';
import { defineMethod } from '../rpc-method.ts';
import { nextSlot } from '../blocks/next-slot.ts';

/** Agave `RpcRequestAirdropConfig`. The blockhash is checked, but the faucet uses the newest one. */
const airdropConfig = struct<{
  readonly recentBlockhash: string | undefined;
  readonly commitment: Commitment | undefined;
}>(
  'RpcRequestAirdropConfig',
  { recentBlockhash: optional(string), commitment: flattenedCommitment },
  { hasFlattened: true },
);

/**
 * `requestAirdrop([address, lamports, config?])`: the signature of the faucet's transfer, even if that failed
 * on the ledger, as on a cluster. The transfer lands in the next slot, so that a client that subscribes to
 * its effects together with the request is notified.
 */
export const requestAirdrop = defineMethod(
  'requestAirdrop',
  { required: [string, u64], optional: [airdropConfig] },
  (node, text, lamports, config) => {
    const address = verifyAddress(text);
    const fault = config?.recentBlockhash === undefined ? undefined : findHashFault(config.recentBlockhash);
    if (fault !== undefined) throw invalidParams(`Invalid param: ${fault}`);
    return nextSlot(node.ledger).then(() => give(node.ledger, address, lamports));
  },
);

async function give(ledger: Ledger, address: Address, lamports: bigint): Promise<string> {
  try {
    return await ledger.airdrop(address, lamports);
  } catch (error) {
    const signature = isServiceError(error, 'INVALID_ARGUMENTS') ? error.context['signature'] : undefined;
    if (typeof signature === 'string' && ledger.signatureStatus(signature) !== null) return signature;
    throw error;
  }
}
