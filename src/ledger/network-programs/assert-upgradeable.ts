import type { Layout } from '../../chain/chain.ts';
import { ServiceError } from '../../errors/service-error.ts';

const BEGIN_ANEW = 'Begin a new ledger (--reset, or another folder with --ledger)';

/**
 * Requires that a kept ledger can be given other programs of layout B than those it runs, and that this is
 * wanted.
 *
 * @param layout that of the programs it runs; null where it does not have all of them.
 * @param others what the programs that differ are called.
 * @throws {ServiceError} PROVISION_INVALID saying why not, and what to do instead.
 */
export function assertUpgradeable(layout: Layout | null, others: readonly string[], isWanted: boolean): void {
  if (layout === null) {
    throw refusal(
      `The kept ledger was begun without the programs of private payments. ${BEGIN_ANEW} to have them.`,
    );
  }
  if (layout === 'a') {
    // Programs of layout B answer InvalidAccountData for an eATA of 72 bytes, so that the tokens in it could
    // not be withdrawn any more.
    throw refusal(
      `The kept ledger has the programs of layout A, and --programs gives those of layout B, which cannot read the accounts that were made before. ${BEGIN_ANEW} to have them, or leave --programs (LOCALNET_PROGRAMS) out.`,
    );
  }
  if (isWanted) return;
  throw refusal(
    `The kept ledger has other programs than --programs (LOCALNET_PROGRAMS) gives: ${others.join(', ')}. Deploy these on it with --upgrade-programs, or begin a new ledger with --reset.`,
  );
}

const refusal = (message: string): ServiceError => new ServiceError('PROVISION_INVALID', message);
