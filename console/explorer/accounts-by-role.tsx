import { Address } from '../parts/address.tsx';
import type { Ledger } from '../parts/reader.ts';
import { Tag } from '../parts/status.tsx';
import type { FullTransaction, NamedAccount } from './full-transaction.ts';

/** The accounts of a transaction with their roles. */
export function AccountsByRole({
  ledger,
  transaction,
}: {
  readonly ledger: Ledger;
  readonly transaction: FullTransaction;
}) {
  return (
    <ol class="list accounts">
      {transaction.transaction.message.accountKeys.map((account, at) => (
        <li key={account.pubkey}>
          <span class="dim num">{at}</span>
          <Address address={account.pubkey} ledger={ledger} copy />
          <span class="row wrap">
            {rolesOf(account, at).map((role) => (
              <Tag key={role}>{role}</Tag>
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}

function rolesOf({ signer, writable, source }: NamedAccount, at: number): string[] {
  return [
    ...(at === 0 ? ['fee payer'] : []),
    ...(signer === true ? ['signer'] : []),
    writable === true ? 'writable' : 'read-only',
    ...(source === 'lookupTable' ? ['from a lookup table'] : []),
  ];
}
