import { Keypair, signTransaction } from '../ledger/keypair.ts';
import type { SendFromThrowaway } from '../payments/queue-crank.ts';
import type { Random } from '../ports/random.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { compileLegacyMessage } from '../solana/message.ts';

/**
 * Sends transactions that anybody may send from keys that are drawn for one transaction each and then
 * forgotten.
 */
export function createThrowawaySender(random: Random): SendFromThrowaway {
  return async (rollup, plan) => {
    const keypair = new Keypair(random.bytes(32));
    const { blockhash } = await rollup.latestBlockhash();
    const message = compileLegacyMessage({
      feePayer: keypair.address,
      blockhash: decodeBase58(blockhash),
      instructions: plan(keypair.address),
    });
    return rollup.sendTransaction(signTransaction(message, [keypair]).wire);
  };
}
