import { EPHEMERAL_TOKEN_PROGRAM } from '../../addresses.ts';
import { readonly, writable } from '../../instruction-table/account-spec.ts';
import type { ProgramSpec } from '../../instruction-table/instruction-spec.ts';

/**
 * The ephemeral SPL token program. Layout A is that of January 2026, the one the embedded ledger runs, where bumps are passed
 * by the client; B is what is deployed on mainnet and devnet since May 2026, where the program finds them itself. Amounts are
 * base units. Where one tag means both layouts, the lengths of data and accounts tell them apart.
 */
export const EPHEMERAL_TOKEN: ProgramSpec = {
  address: EPHEMERAL_TOKEN_PROGRAM,
  name: 'ephemeral SPL token program',
  tagBytes: 1,
};

/**
 * The five accounts the program delegates one of its own accounts through, in the order all its instructions have.
 * `subject` is that account's role; `given` is what a builder's caller has those three as that are not fixed.
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
