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
import {
  decodePermission,
  derivePermission,
  type Member,
  MEMBER_FLAG,
} from '../../programs/permission/state.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { isOfBooks, itemIn } from '../books/item.ts';
import { EPHEMERAL } from '../books/items.ts';
import type { SetObserver } from '../overlay/overlay.ts';

/** The wallet that has logged in; null without a login. */
export type Reader = Address | null;

/** A right that a permission grants a member. Every member may know that the account exists. */
export type Right = 'balances' | 'message' | 'logs' | 'signatures';

/** The flag that grants each right. `authority` grants all, because its holder could add the others. */
const FLAG_OF: Record<Right, number> = {
  balances: MEMBER_FLAG.txBalances,
  message: MEMBER_FLAG.txMessage,
  logs: MEMBER_FLAG.txLogs,
  signatures: MEMBER_FLAG.accountSignatures,
};

/**
 * The access rules of one private account.
 *
 * | right | opens |
 * |---|---|
 * | balances | the account itself, and its balances in transactions |
 * | message | the transactions that name it: their existence, accounts, instructions and outcome |
 * | logs | the logs and the return data of these transactions |
 * | signatures | the account's history (getSignaturesForAddress), limited to the visible transactions |
 */
export class AccessGuard {
  /** The wallets with any right, without duplicates, in the order of the permission. */
  readonly readers: readonly Address[];
  readonly #flags = new Map<Address, number>();

  /** @param owner the owner of the account's tokens, who has every right regardless of the members. */
  constructor(members: readonly Member[], owner: Address | null) {
    if (owner !== null) this.#flags.set(owner, MEMBER_FLAG.authority);
    for (const { address, flags } of members) {
      // The permission program lists the account's program as a member without any rights.
      if (flags !== 0) this.#flags.set(address, (this.#flags.get(address) ?? 0) | flags);
    }
    this.readers = [...this.#flags.keys()];
  }

  allows(reader: Reader, right: Right): boolean {
    if (reader === null) return false;
    const flags = this.#flags.get(reader) ?? 0;
    return (flags & (MEMBER_FLAG.authority | FLAG_OF[right])) !== 0;
  }
}

/** Guards the rollup's own books, which contain data of all wallets. No one may read them. */
export const INTERNAL: AccessGuard = new AccessGuard([], null);

/**
 * Guards transfer queues. No one may read them. A queue links payers and payees, so transactions that name it
 * are shown only to their signers.
 */
export const SECRET: AccessGuard = new AccessGuard([], null);

type PermissionSource = Pick<LedgerReads, 'getAccount' | 'programAccounts' | 'subscribe'>;

/** A permission that is not public, and the addresses it governs. */
interface Governed {
  readonly account: Address;
  readonly members: readonly Member[];
  readonly addresses: readonly Address[];
}

/**
 * Decides which accounts are private and who may read them. No one may read transfer queues and the books of
 * the rollup. An account that exists only on the rollup is readable by the wallet it belongs to. If a
 * permission account on base names members, those members may read its account, even if the permission is
 * delegated. The permission of an eATA also governs its ATA. It stays in effect after the delegation ends,
 * because the history remains. Changes on base take effect when they are durable.
 *
 * Must subscribe to the base ledger before any listener that publishes projections for the same events.
 */
export class Guards implements SetObserver {
  readonly #base: PermissionSource;
  readonly #byAddress = new Map<Address, AccessGuard>();
  readonly #byPermission = new Map<Address, Governed>();
  /** The permission of each governed account. */
  readonly #permissionOf = new Map<Address, Address>();
  /** Transfer queues and the accounts that hold their tokens. */
  readonly #secret = new Set<Address>();
  readonly #ephemeral = new EphemeralGuards();
  readonly #unsubscribe: () => void;

  constructor(base: PermissionSource) {
    this.#base = base;
    for (const program of [PERMISSION_PROGRAM, DELEGATION_PROGRAM]) {
      for (const [address, account] of base.programAccounts(program)) this.#follow(address, account);
    }
    this.#unsubscribe = base.subscribe(({ changes }) => this.#onChanges(changes));
  }

  /** The guard of an account; undefined if everyone may read it. */
  get(address: Address): AccessGuard | undefined {
    if (isOfBooks(address)) return INTERNAL;
    if (this.#secret.has(address)) return SECRET;
    return this.#byAddress.get(address) ?? this.#ephemeral.get(address);
  }

  /** Whether an account exists, or existed, only on the rollup. */
  isEphemeral(address: Address): boolean {
    return this.#ephemeral.get(address) !== undefined;
  }

  /** Lists every private account except the books. */
  *entries(): Iterable<readonly [Address, AccessGuard]> {
    for (const address of this.#secret) yield [address, SECRET];
    for (const entry of this.#byAddress) if (!this.#secret.has(entry[0])) yield entry;
    yield* this.#ephemeral.entries();
  }

  /** Receives every account that the rollup sets, as soon as it is visible. */
  noteAccount(address: Address, account: Account): void {
    this.#ephemeral.noteAccount(address, account);
  }

  close(): void {
    this.#unsubscribe();
  }

  #onChanges(changes: readonly AccountChange[]): void {
    for (const { address, after } of changes) {
      if (this.#byPermission.has(address)) this.#forget(address);
      if (after !== null) this.#follow(address, after);
      // The owner of an account's tokens is known only after the account exists.
      const permission = this.#permissionOf.get(address);
      if (permission !== undefined) this.#lookAgain(permission);
    }
  }

  #follow(address: Address, { owner, data }: Account): void {
    if (owner !== PERMISSION_PROGRAM && owner !== DELEGATION_PROGRAM) return;
    for (const each of queueAddresses(address, data)) this.#secret.add(each);
    const permission = decodePermission(data);
    // A permission without members is public. The delegation program owns other kinds of accounts, too.
    if (permission === null || permission.members === null) return;
    const { account, members } = permission;
    if (derivePermission(account).address !== address) return;
    // A permission cannot make the books readable.
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

  /** Adds the ATAs of an eATA that did not exist when its permission was created. */
  #lookAgain(permission: Address): void {
    const { addresses } = this.#byPermission.get(permission) as Governed;
    const account = this.#base.getAccount(permission);
    if (addresses.length === 1 && account !== null) this.#follow(permission, account);
  }
}

/** Returns the eATA at an address, delegated or not; null if there is none. */
export function eataAt(address: Address, account: Account | null): Eata | null {
  const eata = account === null ? null : decodeEata(account.data);
  return eata !== null && deriveEata(eata.owner, eata.mint).address === address ? eata : null;
}

/** Returns the possible ATAs of an eATA on the rollup, one for each token program. */
function projectionsOf({ owner, mint }: Eata): Address[] {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => deriveAta(owner, mint, program).address);
}

/** Maximum number of closed accounts whose guards are kept. Their last events arrive a little later. */
const CLOSED_MAX = 1_000;

/** Guards of rollup-only accounts. Each takes effect when the account's book entry is visible. */
class EphemeralGuards implements SetObserver {
  readonly #guards = new Map<Address, AccessGuard>();
  /** Account addresses by the address of their book entry. */
  readonly #byItem = new Map<Address, Address>();
  /** Guards of closed accounts, in the order of closing. */
  readonly #closed = new Map<Address, AccessGuard>();

  get(address: Address): AccessGuard | undefined {
    return this.#guards.get(address) ?? this.#closed.get(address);
  }

  /** Returns the guards of existing accounts. */
  entries(): Iterable<readonly [Address, AccessGuard]> {
    return this.#guards;
  }

  noteAccount(item: Address, account: Account): void {
    if (!isOfBooks(item)) return;
    if (account.lamports === 0n) {
      this.#close(item);
      return;
    }
    const ephemeral = itemIn(EPHEMERAL, account);
    if (ephemeral === null) return;
    this.#byItem.set(item, ephemeral.address);
    this.#guards.set(ephemeral.address, new AccessGuard([], ephemeral.reader));
  }

  #close(item: Address): void {
    const address = this.#byItem.get(item);
    const guard = address && this.#guards.get(address);
    if (address === undefined || guard === undefined) return;
    this.#byItem.delete(item);
    this.#guards.delete(address);
    this.#closed.set(address, guard);
    if (this.#closed.size <= CLOSED_MAX) return;
    const [oldest] = this.#closed.keys();
    if (oldest !== undefined) this.#closed.delete(oldest);
  }
}

/**
 * Returns the addresses to hide if an account is a transfer queue: the queue, which names payers and payees,
 * and the accounts of its tokens, whose amount grows with every payment. Returns nothing for any other
 * account.
 */
function queueAddresses(address: Address, data: Uint8Array): Address[] {
  const queue = decodeTransferQueue(data);
  if (queue === null || deriveTransferQueue(queue.mint, queue.validator).address !== address) return [];
  const atas = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(
    (program) => deriveAta(address, queue.mint, program).address,
  );
  return [address, deriveEata(address, queue.mint).address, ...atas];
}
