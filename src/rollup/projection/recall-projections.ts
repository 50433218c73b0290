import type { AccountView } from '../../ledger/state/account-state.ts';
import { EPHEMERAL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { decodeEata } from '../../programs/ephemeral-token/state.ts';
import { mayBeDelegatedAccount } from './delegated-account.ts';
import { deriveProjection } from './projection.ts';
import type { Projections } from './projections.ts';

/**
 * Finds the projections there are among the rollup's own accounts: an eATA, and the ATA that goes with it;
 * and the other delegated accounts, each with the copy of its delegation record.
 */
export function recallProjections(own: AccountView, projections: Projections): void {
  for (const [address, { data }] of own.ownedBy(EPHEMERAL_TOKEN_PROGRAM)) {
    const eata = decodeEata(data);
    if (eata === null) {
      const record = mayBeDelegatedAccount(data) ? deriveDelegationRecord(address).address : undefined;
      if (record !== undefined && own.get(record) !== undefined) projections.addAccount({ address, record });
      continue;
    }
    const tokenProgram = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].find(
      (program) => own.get(deriveAta(eata.owner, eata.mint, program).address) !== undefined,
    );
    if (tokenProgram !== undefined) projections.add(deriveProjection(address, eata, tokenProgram));
  }
}
