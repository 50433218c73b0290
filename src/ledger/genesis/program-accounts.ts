import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import { addressBytes, type Address } from '../../solana/address.ts';
import { findPda } from '../../solana/pda.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';

/**
 * `UpgradeableLoaderState`, tags u32. Program: 2, address of its ProgramData. ProgramData: 3, slot u64, Option of the
 * upgrade authority (room for 1 + 32 is kept also when there is none), then the code at 45.
 */
const PROGRAM_TAG = 2;
const PROGRAM_DATA_TAG = 3;
const CODE_AT = 45;

/**
 * The two accounts of an upgradeable program that nobody may upgrade, deployed at slot 0; in the order the engine needs
 * them. Programs of the networks are of this kind, so whoever copies a program from here (a rollup cloning it, an
 * explorer) finds what it expects.
 */
export function programAccounts(program: Address, code: Uint8Array): [Address, Account][] {
  const programData = findPda([addressBytes(program)], addressBytes(BPF_LOADER_UPGRADEABLE));

  const data = new Uint8Array(CODE_AT + code.length);
  data[0] = PROGRAM_DATA_TAG;
  data.set(code, CODE_AT);

  const pointer = new Uint8Array(4 + 32);
  pointer[0] = PROGRAM_TAG;
  pointer.set(addressBytes(programData.address), 4);

  return [
    [programData.address, loaderAccount(data, false)],
    [program, loaderAccount(pointer, true)],
  ];
}

function loaderAccount(data: Uint8Array, executable: boolean): Account {
  return {
    lamports: rentExemptMinimum(data.length),
    owner: BPF_LOADER_UPGRADEABLE,
    data,
    executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}
