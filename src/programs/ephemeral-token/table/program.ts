import { EPHEMERAL_TOKEN_PROGRAM } from '../../addresses.ts';
import { readonly, writable } from '../../instruction-table/account-spec.ts';
import type { ProgramSpec } from '../../instruction-table/instruction-spec.ts';

/**
 * The ephemeral SPL token program. Layout A, from January 2026, runs on the embedded ledger and needs the
 * bumps from clients. Layout B, on mainnet and devnet since May 2026, finds the bumps itself. Amounts are
 * base units. If a tag exists in both layouts, the data length and the account count tell them apart.
 */
export const EPHEMERAL_TOKEN: ProgramSpec = {
  address: EPHEMERAL_TOKEN_PROGRAM,
  name: 'ephemeral SPL token program',
  tagBytes: 1,
};

/**
 * Lists the five accounts that the program needs to delegate one of its accounts, in their common order.
 *
 * @param subject the role of the delegated account.
 * @param given the group under which callers pass the three accounts that are not fixed.
 */
export const delegatedThrough = <G extends string = 'delegation'>(
  subject: string,
  given = 'delegation' as G,
) =>
  [
    readonly('ephemeralTokenProgram'),
    writable(`${subject}Buffer`, `${given}.buffer` as const),
    writable(`${subject}Record`, `${given}.record` as const),
    writable(`${subject}Metadata`, `${given}.metadata` as const),
    readonly('delegationProgram'),
  ] as const;
