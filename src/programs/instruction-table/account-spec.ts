import type { Address } from '../../solana/address.ts';
import { FIXED_ACCOUNTS } from './fixed-accounts.ts';

/**
 * Whether a call names the account: `needed` in every call; `optional` only at the end, where it may be missing; `free` in
 * every call, with the rights that the caller says.
 */
export type Presence = 'needed' | 'optional' | 'free';

/** One account of an instruction. */
export interface AccountSpec<
  R extends string = string,
  P extends Presence = Presence,
  G extends string = string,
> {
  /** What it is to the instruction, camelCase and stable. */
  readonly role: R;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly presence: P;
  /** The account itself where it is the same in every call. */
  readonly fixed: Address | null;
  /** What the caller of an encoder gives it as: the role, another name, or `group.name`; and its parts. */
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

/** An account that stands only at the end and may be missing. */
export const optional = <R extends string, G extends string>(
  spec: AccountSpec<R, 'needed', G>,
): AccountSpec<R, 'optional', G> => ({ ...spec, presence: 'optional', fixed: null });

/** An account whose rights are the caller's choice. */
export const free = <R extends string>(role: R): AccountSpec<R, 'free', R> => ({
  ...readonly(role),
  presence: 'free',
});
