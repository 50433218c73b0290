import { createHash } from 'node:crypto';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';

/** One of the programs that payments on layout B run on. */
interface NetworkProgram {
  readonly address: Address;
  /** Its file in a folder of programs. */
  readonly file: string;
  /** What it is called in sentences. */
  readonly name: string;
}

/** The programs of layout B, all of which a ledger needs. */
export const NETWORK_PROGRAMS: readonly NetworkProgram[] = [
  {
    address: EPHEMERAL_TOKEN_PROGRAM,
    file: 'ephemeral_spl_token.so',
    name: 'the ephemeral SPL token program',
  },
  { address: DELEGATION_PROGRAM, file: 'delegation.so', name: 'the delegation program' },
  { address: PERMISSION_PROGRAM, file: 'permission.so', name: 'the permission program' },
];

/** The code (ELF) of each of {@link NETWORK_PROGRAMS}, by the address of the program. */
export type ProgramDumps = ReadonlyMap<Address, Uint8Array>;

/** What a program is called in messages: its file, or where it was read from. */
export type NameOfProgram = (program: Address) => string;

/** SHA-256 of each code in hex, by the address of the program. */
export function hashesOf(dumps: ProgramDumps): ReadonlyMap<Address, string> {
  return new Map([...dumps].map(([program, code]) => [program, sha256(code)]));
}

/** The programs whose code differs. Both sets hold the same programs. */
export function differingPrograms(one: ProgramDumps, other: ProgramDumps): Address[] {
  return [...one]
    .filter(([program, code]) => Buffer.compare(code, other.get(program) ?? new Uint8Array(0)) !== 0)
    .map(([program]) => program);
}

/** SHA-256 in hex. */
export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
