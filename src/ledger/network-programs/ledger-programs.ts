import type { Address } from '../../solana/address.ts';
import { codeOf, deriveProgramData, programDataOf } from '../genesis/program-accounts.ts';
import { DUMPS_PACKAGE } from '../genesis/dumps-package.ts';
import { isDump } from '../genesis/dump-folders.ts';
import type { AccountReads } from '../ledger.ts';
import { NETWORK_PROGRAMS, type ProgramDumps } from './program-set.ts';

/**
 * The programs that a ledger runs, from its own accounts, which cannot be at odds with it; null where it does
 * not have all of them.
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
  // The code of a program that is not where the loader keeps it is nobody's that could be known.
  if (programData !== deriveProgramData(program)) return null;
  const code = ledger.getAccount(programData);
  return code === null ? null : codeOf(code);
}

/** Whether these are the programs of layout A that the npm package has, which every ledger had at first. */
export function areOfPackage(dumps: ProgramDumps): boolean {
  return [...dumps].every(([program, code]) => isDump(code, DUMPS_PACKAGE.dumps.get(`${program}.so`)));
}
