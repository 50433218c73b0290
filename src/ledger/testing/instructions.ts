import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import { CLOCK_SYSVAR, RECENT_BLOCKHASHES_SYSVAR, RENT_SYSVAR } from '../../programs/sysvars.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { type Instruction, readonly, signer, writable, writableSigner } from '../../solana/instruction.ts';
import { findPda } from '../../solana/pda.ts';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
};

/** Builds `SystemInstruction::CreateAccount`. */
export function createAccount(
  payer: Address,
  created: Address,
  { lamports, space, owner }: { lamports: bigint; space: bigint; owner: Address },
): Instruction {
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [writableSigner(payer), writableSigner(created)],
    data: Buffer.concat([u32(0), u64(lamports), u64(space), addressBytes(owner)]),
  };
}

/** Builds `SystemInstruction::InitializeNonceAccount`. */
export function initializeNonce(nonce: Address, authority: Address): Instruction {
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [writable(nonce), readonly(RECENT_BLOCKHASHES_SYSVAR), readonly(RENT_SYSVAR)],
    data: Buffer.concat([u32(6), addressBytes(authority)]),
  };
}

/** Builds `SystemInstruction::AdvanceNonceAccount`. */
export function advanceNonce(nonce: Address, authority: Address): Instruction {
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [writable(nonce), readonly(RECENT_BLOCKHASHES_SYSVAR), signer(authority)],
    data: u32(4),
  };
}

/** Builds `SystemInstruction::WithdrawNonceAccount` to the authority. */
export function withdrawNonce(nonce: Address, authority: Address, lamports: bigint): Instruction {
  return {
    programId: SYSTEM_PROGRAM,
    accounts: [
      writable(nonce),
      writable(authority),
      readonly(RECENT_BLOCKHASHES_SYSVAR),
      readonly(RENT_SYSVAR),
      signer(authority),
    ],
    data: Buffer.concat([u32(5), u64(lamports)]),
  };
}

/** Builds `CreateLookupTable`, and derives the table address for this authority and slot. */
export function createLookupTable(authority: Address, recentSlot: bigint) {
  const pda = findPda([addressBytes(authority), u64(recentSlot)], addressBytes(ADDRESS_LOOKUP_TABLE_PROGRAM));
  const instruction: Instruction = {
    programId: ADDRESS_LOOKUP_TABLE_PROGRAM,
    accounts: [writable(pda.address), signer(authority), writableSigner(authority), readonly(SYSTEM_PROGRAM)],
    data: Buffer.concat([u32(0), u64(recentSlot), Buffer.of(pda.bump)]),
  };
  return { table: pda.address, instruction };
}

/** Builds `ExtendLookupTable`. */
export function extendLookupTable(
  table: Address,
  authority: Address,
  addresses: readonly Address[],
): Instruction {
  return {
    programId: ADDRESS_LOOKUP_TABLE_PROGRAM,
    accounts: [writable(table), signer(authority), writableSigner(authority), readonly(SYSTEM_PROGRAM)],
    data: Buffer.concat([u32(2), u64(BigInt(addresses.length)), ...addresses.map(addressBytes)]),
  };
}

/** Builds `DeactivateLookupTable`. */
export function deactivateLookupTable(table: Address, authority: Address): Instruction {
  return {
    programId: ADDRESS_LOOKUP_TABLE_PROGRAM,
    accounts: [writable(table), signer(authority)],
    data: u32(3),
  };
}

/** Returns the address of the code of an upgradeable program. */
export function programDataOf(program: Address): Address {
  return findPda([addressBytes(program)], addressBytes(BPF_LOADER_UPGRADEABLE)).address;
}

/** `UpgradeableLoaderInstruction`: the variants for deploying, upgrading and closing. */
export const loader = {
  initializeBuffer: (buffer: Address, authority: Address): Instruction => ({
    programId: BPF_LOADER_UPGRADEABLE,
    accounts: [writable(buffer), readonly(authority)],
    data: u32(0),
  }),
  write: (buffer: Address, authority: Address, offset: number, bytes: Uint8Array): Instruction => ({
    programId: BPF_LOADER_UPGRADEABLE,
    accounts: [writable(buffer), signer(authority)],
    data: Buffer.concat([u32(1), u32(offset), u64(BigInt(bytes.length)), bytes]),
  }),
  deploy: (payer: Address, program: Address, buffer: Address, codeBytesMax: number): Instruction => ({
    programId: BPF_LOADER_UPGRADEABLE,
    accounts: [
      writableSigner(payer),
      writable(programDataOf(program)),
      writable(program),
      writable(buffer),
      readonly(RENT_SYSVAR),
      readonly(CLOCK_SYSVAR),
      readonly(SYSTEM_PROGRAM),
      signer(payer),
    ],
    data: Buffer.concat([u32(2), u64(BigInt(codeBytesMax))]),
  }),
  upgrade: (authority: Address, program: Address, buffer: Address): Instruction => ({
    programId: BPF_LOADER_UPGRADEABLE,
    accounts: [
      writable(programDataOf(program)),
      writable(program),
      writable(buffer),
      writable(authority),
      readonly(RENT_SYSVAR),
      readonly(CLOCK_SYSVAR),
      signer(authority),
    ],
    data: u32(3),
  }),
  closeProgram: (authority: Address, program: Address): Instruction => ({
    programId: BPF_LOADER_UPGRADEABLE,
    accounts: [writable(programDataOf(program)), writable(authority), signer(authority), writable(program)],
    data: u32(5),
  }),
};
