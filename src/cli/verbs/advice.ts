import { PaymentsError } from '../../client/payments-error.ts';
import { TransactionRefused } from '../../kit/transaction-refused.ts';
import type { SettledLayout } from './settle-layout.ts';

/** A failure with what the command line has for it, which neither the service nor the checks know. */
export class Advised extends Error {
  override readonly name = 'Advised';
  override readonly cause: unknown;
  /** One sentence, without its full stop. */
  readonly advice: string;

  constructor(cause: unknown, advice: string) {
    super(advice);
    this.cause = cause;
    this.advice = advice;
  }
}

const NAME_LAYOUT =
  'The ledger may run other programs than expected, and could not be asked: name them with --layout (of a localnet, b with --programs, else a)';

/** The service names what its own arguments can do. */
const SET_UP_MINT = 'Here, "init-mint" sets the mint up, once for all wallets';

/** What may help where a verb failed; null where its failure says all there is to say. */
export function adviceOn(error: unknown, { layout, isSure }: SettledLayout): string | null {
  if (error instanceof TransactionRefused) {
    return !isSure && error.reasons.some(({ code }) => code === 'OTHER_LAYOUT') ? NAME_LAYOUT : null;
  }
  // On layout A a deposit makes the vault, unless it was asked for none.
  const isMintBare = error instanceof PaymentsError && error.code === 'VAULT_NOT_INITIALIZED';
  return isMintBare && layout === 'b' ? SET_UP_MINT : null;
}
