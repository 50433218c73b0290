import { BPF_LOADER_UPGRADEABLE } from '../../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH, rentExemptMinimum } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { findPda } from '../../solana/pda.ts';
import { internAddress } from '../state/intern-address.ts';

/**
 * `UpgradeableLoaderState`, tags u32. Program: 2, address of its ProgramData. ProgramData: 3, slot u64,
 * Option of the upgrade authority (1 + 32 bytes are reserved even without one), then the code at 45.
 */
const PROGRAM_TAG = 2;
const PROGRAM_BYTES = 4 + 32;
const PROGRAM_DATA_TAG = 3;
const SLOT_AT = 4;
const AUTHORITY_AT = 12;
const CODE_AT = 45;

/** Returns the address at which the loader stores the code of an upgradeable program. */
export function deriveProgramData(program: Address): Address {
  return findPda([program], BPF_LOADER_UPGRADEABLE).address;
}

/**
 * Creates the two accounts of an upgradeable program, deployed at slot 0, in the order that the engine needs.
 * Programs on the networks are upgradeable too, so rollups and explorers find the accounts that they expect.
 *
 * @param authority the upgrade authority; null for an immutable program.
 */
export function programAccounts(
  program: Address,
  code: Uint8Array,
  authority: Address | null = null,
): [programData: [Address, Account], program: [Address, Account]] {
  const programData = deriveProgramData(program);

  const data = new Uint8Array(CODE_AT + code.length);
  data[0] = PROGRAM_DATA_TAG;
  writeAuthority(data, authority);
  data.set(code, CODE_AT);

  return [
    [programData, loaderAccount(data, false)],
    [program, loaderAccount(encodeProgram(programData), true)],
  ];
}

/** Creates the data of an upgradeable program's own account, which points to its ProgramData. */
export function encodeProgram(programData: Address): Uint8Array {
  const data = new Uint8Array(PROGRAM_BYTES);
  data[0] = PROGRAM_TAG;
  data.set(addressBytes(programData), 4);
  return data;
}

/** Returns the ProgramData address in an account; null if the account is not an upgradeable program. */
export function programDataOf({ owner, data }: Account): Address | null {
  if (owner !== BPF_LOADER_UPGRADEABLE || data.length < PROGRAM_BYTES || data[0] !== PROGRAM_TAG) return null;
  return internAddress(data.subarray(4, PROGRAM_BYTES));
}

/** Whether an account contains the code of an upgradeable program. */
export function isProgramData({ owner, data }: Account): boolean {
  return owner === BPF_LOADER_UPGRADEABLE && data.length >= CODE_AT && data[0] === PROGRAM_DATA_TAG;
}

/** Returns the code in the ProgramData of an upgradeable program; null if the account is not ProgramData. */
export function codeOf(programData: Account): Uint8Array | null {
  return isProgramData(programData) ? programData.data.subarray(CODE_AT) : null;
}

/** Returns ProgramData with deployment slot 0, because later programs cannot be called or upgraded. */
export function deployedAtGenesis(programData: Account): Account {
  if (programData.data.subarray(SLOT_AT, AUTHORITY_AT).every((byte) => byte === 0)) return programData;
  const data = new Uint8Array(programData.data);
  data.fill(0, SLOT_AT, AUTHORITY_AT);
  return { ...programData, data };
}

/** Returns ProgramData with `authority` as upgrade authority; null makes the program immutable. */
export function withAuthority(programData: Account, authority: Address | null): Account {
  const data = new Uint8Array(programData.data);
  writeAuthority(data, authority);
  return { ...programData, data };
}

/** Returns ProgramData with `bytes` written into its code at `offset`, and zeros in any gap. */
export function withCodeWritten(programData: Account, offset: number, bytes: Uint8Array): Account {
  const data = new Uint8Array(Math.max(programData.data.length, CODE_AT + offset + bytes.length));
  data.set(programData.data, 0);
  data.set(bytes, CODE_AT + offset);
  const minimum = rentExemptMinimum(data.length);
  return { ...programData, data, lamports: programData.lamports < minimum ? minimum : programData.lamports };
}

function writeAuthority(data: Uint8Array, authority: Address | null): void {
  data.fill(0, AUTHORITY_AT, CODE_AT);
  if (authority === null) return;
  data[AUTHORITY_AT] = 1;
  data.set(addressBytes(authority), AUTHORITY_AT + 1);
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
