import type { Address } from '../../solana/address.ts';
import { FIXED_ACCOUNTS } from './fixed-accounts.ts';

/**
 * Whether a call must have the account: `needed` always; `optional` only at the end, where it may be missing;
 * `free` always, with rights chosen by the caller.
 */
export type Presence = 'needed' | 'optional' | 'free';

/** One account of an instruction. */
export interface AccountSpec<
  R extends string = string,
  P extends Presence = Presence,
  G extends string = string,
> {
  /** Its role in the instruction, camelCase and stable. */
  readonly role: R;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly presence: P;
  /** The address, if it is the same in every call. */
  readonly fixed: Address | null;
  /**
   * How the caller of an encoder passes it: under its role, another name, or `group.name`; and the parts of
   * that.
   */
  readonly given: G;
  readonly path: readonly string[];
}

const FIXED: Readonly<Record<string, Address>> = FIXED_ACCOUNTS;

interface NameAccount {
  <R extends string>(role: R): AccountSpec<R, 'needed', R>;
  <R extends string, G extends string>(role: R, given: G): AccountSpec<R, 'needed', G>;
}

const account =
  (signs: boolean, changes: boolean): NameAccount =>
  <R extends string>(role: R, given: string = role) => ({
    role,
    signer: signs,
    writable: changes,
    presence: 'needed' as const,
    fixed: FIXED[role] ?? null,
    given: given as R,
    path: given.split('.'),
  });

/** A read-only account that does not sign. */
export const readonly = account(false, false);
/** A writable account that does not sign. */
export const writable = account(false, true);
/** A read-only account that signs. */
export const signer = account(true, false);
/** A writable account that signs. */
export const writableSigner = account(true, true);

/** An account at the end that may be missing. */
export const optional = <R extends string, G extends string>(
  spec: AccountSpec<R, 'needed', G>,
): AccountSpec<R, 'optional', G> => ({ ...spec, presence: 'optional', fixed: null });

/** An account whose rights the caller chooses. */
export const free = <R extends string>(role: R): AccountSpec<R, 'free', R> => ({
  ...readonly(role),
  presence: 'free',
});
