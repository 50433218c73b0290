import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Intent } from '../books/intent.ts';

/** Tag of `RefundOnFailure` of the ephemeral token program: what it has called once a refund has ended. */
const REFUND_ON_FAILURE = 209;

/**
 * Whether an intent pays a sender back what could not be paid. The program asks for that anew a few times
 * without waiting, and then gives it up; so nobody but the rollup can see to it that the sender has it.
 */
export function isRefund({ source, callbacks }: Pick<Intent, 'source' | 'callbacks'>): boolean {
  return (
    source === EPHEMERAL_TOKEN_PROGRAM &&
    callbacks.some(
      ({ program, discriminator }) =>
        program === EPHEMERAL_TOKEN_PROGRAM && discriminator[0] === REFUND_ON_FAILURE,
    )
  );
}
