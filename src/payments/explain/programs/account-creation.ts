import { SYSTEM_PROGRAM } from '../../../programs/addresses.ts';
import { isTokenProgram } from '../../../programs/token/token-program.ts';
import type { Reading } from '../reading.ts';

/**
 * Why nobody should pay for the account a call creates; null if the payer keeps it: as a token account or
 * nonce that the same transaction assigns to the payer, or as a plain wallet, which is an ordinary payment.
 */
export function creationDanger(r: Reading): string | null {
  const account = r.name('account');
  const created = r.creationOf('account');
  if (created === null) {
    return `An earlier instruction names ${account}: it need not be new, and a wallet that is created again is lost to its owner.`;
  }
  const program = r.address('owner');
  if (program !== SYSTEM_PROGRAM && !isTokenProgram(program)) {
    return `The lamports in ${account} would belong to program ${program}: what it does with them cannot be told.`;
  }
  if (created.holder !== null) {
    return created.holder === r.account('payer')
      ? null
      : `${r.name('payer')} pays for ${account}, and ${created.holder} would have it.`;
  }
  if (program !== SYSTEM_PROGRAM) {
    return `Nothing in the transaction says whose token account ${account} becomes: whoever initialises it first has it.`;
  }
  return r.amount('space') === 0n ? null : `With data, and no program to use it, ${account} can never pay.`;
}

/** Whether the account is newly created for its payer, so that nothing can be lost in it. */
function isCreatedForPayer(r: Reading): boolean {
  const created = r.creationOf('account');
  return created !== null && created.holder !== null && created.holder === created.payer;
}

/** Why an existing account must not be allocated data. */
export const allocationDanger = (r: Reading): string | null =>
  isCreatedForPayer(r)
    ? null
    : `With data ${r.name('account')} can never pay again: what it holds would be locked up for ever.`;

/** Why an existing account must not be assigned to a program. */
export const assignmentDanger = (r: Reading): string | null =>
  isCreatedForPayer(r)
    ? null
    : `${r.name('account')} would belong to program ${r.address('owner')}, which can then take its lamports; it could never pay again by itself.`;
