import { ServiceError } from '../../errors/service-error.ts';
import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { DATA_BYTES_MAX } from '../assert-settable.ts';
import { codeOf, deriveProgramData, programDataOf } from '../genesis/program-accounts.ts';
import type { AccountSource } from '../provision/cluster-accounts.ts';
import { isElf } from '../provision/program-file.ts';
import { NETWORK_PROGRAMS, type ProgramDumps } from './program-set.ts';

type NetworkProgram = (typeof NETWORK_PROGRAMS)[number];

/**
 * The programs as a cluster has them deployed. The code of each is asked for by itself, as it may be large.
 *
 * @throws {ServiceError} PROVISION_INVALID naming the program that is not there or is no upgradeable program
 *   with code; UPSTREAM_* when the cluster does not answer.
 */
export async function readClusterPrograms(source: AccountSource): Promise<ProgramDumps> {
  const accounts = await source.getAccounts(NETWORK_PROGRAMS.map(({ address }) => address));
  const dumps = new Map<NetworkProgram['address'], Uint8Array>();
  for (const [index, program] of NETWORK_PROGRAMS.entries()) {
    assertProgram(program, accounts[index] ?? null);
    const [programData = null] = await source.getAccounts([deriveProgramData(program.address)]);
    dumps.set(program.address, readCode(program, programData));
  }
  return dumps;
}

/** The ProgramData is the PDA the loader keeps the code at, and the program has to name it. */
function assertProgram(program: NetworkProgram, account: Account | null): void {
  if (account === null) throw fault(program, 'does not exist there');
  if (account.owner !== BPF_LOADER_UPGRADEABLE || !account.executable) {
    throw fault(program, 'is not an executable account of the upgradeable loader there');
  }
  if (programDataOf(account) !== deriveProgramData(program.address)) {
    throw fault(program, 'does not name its ProgramData there');
  }
}

function readCode(program: NetworkProgram, programData: Account | null): Uint8Array {
  const code = programData === null ? null : codeOf(programData);
  if (code === null) throw fault(program, 'has no code there: it was closed');
  if (code.length > DATA_BYTES_MAX)
    throw fault(program, `has more than ${DATA_BYTES_MAX} bytes of code there`);
  if (!isElf(code)) throw fault(program, 'has code there that is no ELF file');
  return code;
}

function fault({ address, name }: NetworkProgram, what: string): ServiceError {
  return new ServiceError(
    'PROVISION_INVALID',
    `The programs cannot be taken from the cluster of --programs: ${name} (${address}) ${what}. Name another cluster, or a folder with the programs`,
    { account: address },
  );
}
