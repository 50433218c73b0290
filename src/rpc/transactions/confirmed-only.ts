import type { Commitment } from '../../solana/commitment.ts';
import { invalidParams } from '../errors.ts';

/**
 * Refuses `processed` where Agave does. This ledger has a single head, but clients should meet here what a
 * cluster would answer.
 *
 * @throws {RpcError} -32602 with the text of Agave's `check_is_at_least_confirmed`.
 */
export function refuseProcessed(commitment: Commitment | undefined): void {
  if (commitment === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`');
  }
}
