import { type Member, MEMBER_FLAG } from '../../programs/permission/state.ts';
import type { Address } from '../../solana/address.ts';

/** Who reads: the wallet that has logged in, or nobody known. */
export type Reader = Address | null;

/** What a member of a permission may see of the account it governs, besides knowing that it is there. */
export type Right = 'balances' | 'message' | 'logs' | 'signatures';

/** The flag of a member that opens each right; `authority` opens all, as it could give itself the others. */
const FLAG_OF: Record<Right, number> = {
  balances: MEMBER_FLAG.txBalances,
  message: MEMBER_FLAG.txMessage,
  logs: MEMBER_FLAG.txLogs,
  signatures: MEMBER_FLAG.accountSignatures,
};

/**
 * Decides who may see what of one private account.
 *
 * | right | opens |
 * |---|---|
 * | balances | the account itself wherever it can be read, and what it held in transactions |
 * | message | the transactions that name it: that they happened, who and what is in them, how they ended |
 * | logs | the logs and the return data of these transactions |
 * | signatures | the account's history (getSignaturesForAddress), of the transactions that may be seen |
 */
export class AccessGuard {
  /** Those who may see anything at all, without repetition, in the order of the permission. */
  readonly readers: readonly Address[];
  readonly #flags = new Map<Address, number>();

  /** @param owner whose tokens the account holds: they see all of it, whatever the members are. */
  constructor(members: readonly Member[], owner: Address | null) {
    if (owner !== null) this.#flags.set(owner, MEMBER_FLAG.authority);
    for (const { address, flags } of members) {
      // The permission program names the account's program as a member who may do nothing.
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

/** Keeps an account to the rollup itself: its own books, which tell of everybody. */
export const INTERNAL: AccessGuard = new AccessGuard([], null);

/**
 * Keeps a transfer queue to the rollup itself. Payers and payees meet in it, so that transactions that name
 * it are shown to those who signed them and to nobody else.
 */
export const SECRET: AccessGuard = new AccessGuard([], null);
