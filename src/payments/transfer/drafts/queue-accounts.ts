import { EPHEMERAL_TOKEN_PROGRAM } from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import type { DelegationAccounts } from '../../../programs/ephemeral-token/layout-a.ts';
import { deriveEata, deriveTransferQueue } from '../../../programs/ephemeral-token/pdas.ts';
import { derivePermission } from '../../../programs/permission/pdas.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveDelegationAccounts } from '../../accounts/deposit-accounts.ts';
import { remember } from '../../building/remember.ts';

/** The queue for delayed transfers of a mint, and the accounts created with it. */
interface QueueAccounts {
  readonly queue: Address;
  readonly queuePermission: Address;
  readonly queueEata: Address;
  readonly queueAta: Address;
  readonly eataDelegation: DelegationAccounts;
}

/**
 * Most transfers use few mints and validators, and deriving addresses is most of the cost of building one.
 */
const REMEMBERED_MAX = 256;

/** The transfer queue of a mint on a validator. */
export const queueAccountsOf = (mint: Address, validator: Address, tokenProgram: Address): QueueAccounts =>
  // One text as the key; base58 contains no spaces.
  queues([mint, validator, tokenProgram].join(' '));

const queues = remember(REMEMBERED_MAX, (key): QueueAccounts => {
  const [mint, validator, tokenProgram] = key.split(' ') as [Address, Address, Address];
  const queue = deriveTransferQueue(mint, validator).address;
  const queueEata = deriveEata(queue, mint).address;
  return {
    queue,
    queuePermission: derivePermission(queue).address,
    queueEata,
    queueAta: deriveAta(queue, mint, tokenProgram).address,
    eataDelegation: deriveDelegationAccounts(queueEata, EPHEMERAL_TOKEN_PROGRAM),
  };
});
