import { createHash } from 'node:crypto';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { DUMPS_PACKAGE, isDump } from '../genesis/dumps.ts';
import { codeOf, deriveProgramData, programDataOf } from '../genesis/program-accounts.ts';
import type { AccountReads } from '../ledger.ts';

/** A program that payments on layout B need. */
export interface NetworkProgram {
  readonly address: Address;
  /** Its file in a folder of programs. */
  readonly file: string;
  /** Its name in sentences. */
  readonly name: string;
  /** SHA-256 in hex of the code that payments are tested with, without trailing zeros. */
  readonly tested: string;
}

/** The programs of layout B. A ledger needs all of them. */
export const NETWORK_PROGRAMS: readonly NetworkProgram[] = [
  {
    address: EPHEMERAL_TOKEN_PROGRAM,
    file: 'ephemeral_spl_token.so',
    name: 'the ephemeral SPL token program',
    tested: '7ec9f60cc3db2d5ab05027f378ed9fc414ae4990ff3b31b1bcd30717d2898b58',
  },
  {
    address: DELEGATION_PROGRAM,
    file: 'delegation.so',
    name: 'the delegation program',
    tested: '1f540175c1cd006b127185f1ab07a421b44d729fbd94f40d19063c0e9141a284',
  },
  {
    address: PERMISSION_PROGRAM,
    file: 'permission.so',
    name: 'the permission program',
    tested: 'bf8d6a36ed9513f0b16bddfc14769cbbd6f142d1880be98a9d98c8a3dd49fe0a',
  },
];

/** The code (ELF) of each of {@link NETWORK_PROGRAMS}, by the address of the program. */
export type ProgramDumps = ReadonlyMap<Address, Uint8Array>;

/** Names a program in messages: its file, or where it was read from. */
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

/**
 * The names of the programs whose code is not the tested one. The loader leaves zeros after code that is
 * shorter than the code it replaced.
 */
export function untestedPrograms(dumps: ProgramDumps): string[] {
  return NETWORK_PROGRAMS.filter(({ address, tested }) => {
    const code = dumps.get(address) ?? new Uint8Array();
    const end = code.findLastIndex((byte) => byte !== 0) + 1;
    return sha256(code.subarray(0, end)) !== tested;
  }).map(({ name }) => name);
}

/** SHA-256 in hex. */
function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Reads the programs from the accounts of a ledger; null if it does not have all of them.
 */
export function readLedgerPrograms(ledger: Pick<AccountReads, 'getAccount'>): ProgramDumps | null {
  const dumps = new Map<Address, Uint8Array>();
  for (const { address } of NETWORK_PROGRAMS) {
    const code = readCode(ledger, address);
    if (code === null) return null;
    dumps.set(address, code);
  }
  return dumps;
}

function readCode(ledger: Pick<AccountReads, 'getAccount'>, program: Address): Uint8Array | null {
  const account = ledger.getAccount(program);
  const programData = account === null ? null : programDataOf(account);
  // Code that is not where the loader stores it cannot be one of these programs.
  if (programData !== deriveProgramData(program)) return null;
  const code = ledger.getAccount(programData);
  return code === null ? null : codeOf(code);
}

/** Whether these are the programs of layout A from the npm package. */
export function areOfPackage(dumps: ProgramDumps): boolean {
  return [...dumps].every(([program, code]) => isDump(code, DUMPS_PACKAGE.dumps.get(`${program}.so`)));
}
