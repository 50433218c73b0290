import type { AccountChange } from '../../ledger/ledger-events.ts';
import type { LedgerReads } from '../../ledger/ledger.ts';
import {
  DELEGATION_PROGRAM,
  PERMISSION_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { decodeTransferQueue } from '../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveEata, deriveTransferQueue } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, type Eata } from '../../programs/ephemeral-token/state.ts';
import { decodePermission, derivePermission, type Member } from '../../programs/permission/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { isOfBooks } from '../books/books-address.ts';
import type { SetObserver } from '../overlay/overlay-accounts.ts';
import { EphemeralGuards } from './ephemeral-guards.ts';
import { AccessGuard, INTERNAL, SECRET } from './guard.ts';

/** The base ledger as {@link Guards} needs it. */
type PermissionSource = Pick<LedgerReads, 'getAccount' | 'programAccounts' | 'subscribe'>;

/** A permission that is not open to everybody, and the addresses it governs. */
interface Governed {
  readonly account: Address;
  readonly members: readonly Member[];
  readonly addresses: readonly Address[];
}

/**
 * Which accounts are private, and who may read them: the books of the rollup and transfer queues, which
 * nobody may, accounts that exist on the rollup only, which the wallet may that they are about, and those
 * with a permission account on the base ledger, delegated or not, that names members. For an eATA it governs
 * the ATA it is projected to as well, and stays with both when the delegation ends, as there is a history
 * then. Follows the base ledger; changes count once they are durable there.
 *
 * It has to be made before anything that tells of a projection on account of the same events.
 */
export class Guards implements SetObserver {
  readonly #base: PermissionSource;
  readonly #byAddress = new Map<Address, AccessGuard>();
  readonly #byPermission = new Map<Address, Governed>();
  /** The permissions of the accounts they govern. */
  readonly #permissionOf = new Map<Address, Address>();
  /** Transfer queues and what they hold. */
  readonly #secret = new Set<Address>();
  readonly #ephemeral = new EphemeralGuards();
  readonly #unsubscribe: () => void;

  constructor(base: PermissionSource) {
    this.#base = base;
    for (const program of [PERMISSION_PROGRAM, DELEGATION_PROGRAM]) {
      for (const [address, account] of base.programAccounts(program)) this.#follow(address, account);
    }
    this.#unsubscribe = base.subscribe(({ changes }) => this.#hear(changes));
  }

  /** The guard of an account; undefined for one that everybody may read. */
  get(address: Address): AccessGuard | undefined {
    if (isOfBooks(address)) return INTERNAL;
    if (this.#secret.has(address)) return SECRET;
    return this.#byAddress.get(address) ?? this.#ephemeral.get(address);
  }

  /** Whether an account exists on the rollup only, or did. */
  isEphemeral(address: Address): boolean {
    return this.#ephemeral.get(address) !== undefined;
  }

  /** Every account but the books that not everybody may read. */
  *entries(): Iterable<readonly [Address, AccessGuard]> {
    for (const address of this.#secret) yield [address, SECRET];
    for (const entry of this.#byAddress) if (!this.#secret.has(entry[0])) yield entry;
    yield* this.#ephemeral.entries();
  }

  /** Told of every account that the rollup puts in place, as soon as it shows. */
  noteAccount(address: Address, account: Account): void {
    this.#ephemeral.noteAccount(address, account);
  }

  close(): void {
    this.#unsubscribe();
  }

  #hear(changes: readonly AccountChange[]): void {
    for (const { address, after } of changes) {
      if (this.#byPermission.has(address)) this.#forget(address);
      if (after !== null) this.#follow(address, after);
      // Whose tokens an account holds is known only once it is there.
      const permission = this.#permissionOf.get(address);
      if (permission !== undefined) this.#lookAgain(permission);
    }
  }

  #follow(address: Address, { owner, data }: Account): void {
    if (owner !== PERMISSION_PROGRAM && owner !== DELEGATION_PROGRAM) return;
    for (const each of queueAddresses(address, data)) this.#secret.add(each);
    const permission = decodePermission(data);
    // Without members it is open to everybody. The delegation program has accounts of all kinds.
    if (permission === null || permission.members === null) return;
    const { account, members } = permission;
    if (derivePermission(account).address !== address) return;
    // No permission opens what nobody may read, wherever it comes from.
    if (isOfBooks(account)) return;
    const eata = eataAt(account, this.#base.getAccount(account));
    const guard = new AccessGuard(members, eata?.owner ?? null);
    const addresses = eata === null ? [account] : [account, ...projectionsOf(eata)];
    for (const each of addresses) this.#byAddress.set(each, guard);
    this.#byPermission.set(address, { account, members, addresses });
    this.#permissionOf.set(account, address);
  }

  #forget(permission: Address): void {
    const { account, addresses } = this.#byPermission.get(permission) as Governed;
    for (const each of addresses) this.#byAddress.delete(each);
    this.#byPermission.delete(permission);
    this.#permissionOf.delete(account);
  }

  /** Governs the ATAs of an eATA that was not there when its permission was followed. */
  #lookAgain(permission: Address): void {
    const { addresses } = this.#byPermission.get(permission) as Governed;
    const account = this.#base.getAccount(permission);
    if (addresses.length === 1 && account !== null) this.#follow(permission, account);
  }
}

/** The eATA at an address, delegated or not; null when something else is there. */
export function eataAt(address: Address, account: Account | null): Eata | null {
  const eata = account === null ? null : decodeEata(account.data);
  return eata !== null && deriveEata(eata.owner, eata.mint).address === address ? eata : null;
}

/** Where an eATA's tokens are on the rollup: of the two, the one under the mint's own token program. */
function projectionsOf({ owner, mint }: Eata): Address[] {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => deriveAta(owner, mint, program).address);
}

/**
 * What is to be kept from everybody when an account is a transfer queue: the queue, which says who pays whom,
 * and where its tokens are, whose amount rises with every payment. None for any other account.
 */
function queueAddresses(address: Address, data: Uint8Array): Address[] {
  const queue = decodeTransferQueue(data);
  if (queue === null || deriveTransferQueue(queue.mint, queue.validator).address !== address) return [];
  const atas = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(
    (program) => deriveAta(address, queue.mint, program).address,
  );
  return [address, deriveEata(address, queue.mint).address, ...atas];
}
