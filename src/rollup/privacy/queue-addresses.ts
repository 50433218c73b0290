import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue-state.ts';
import { deriveEata, deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';

/**
 * What is to be kept from everybody when an account is a transfer queue: the queue, which says who pays whom,
 * and where its tokens are, whose amount rises with every payment. None for any other account.
 */
export function queueAddresses(address: Address, data: Uint8Array): Address[] {
  const queue = decodeTransferQueue(data);
  if (queue === null || deriveTransferQueue(queue.mint, queue.validator).address !== address) return [];
  const atas = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(
    (program) => deriveAta(address, queue.mint, program).address,
  );
  return [address, deriveEata(address, queue.mint).address, ...atas];
}
