import type { Address } from './address.ts';

/** An account that an instruction names, with the rights the instruction needs on it. */
export interface AccountMeta {
  readonly address: Address;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** A call to a program. */
export interface Instruction {
  readonly programId: Address;
  readonly accounts: readonly AccountMeta[];
  readonly data: Uint8Array;
}

/** Creates a read-only account that does not sign. */
export const readonly = (address: Address): AccountMeta => ({ address, signer: false, writable: false });
/** Creates a writable account that does not sign. */
export const writable = (address: Address): AccountMeta => ({ address, signer: false, writable: true });
/** Creates a read-only account that signs. */
export const signer = (address: Address): AccountMeta => ({ address, signer: true, writable: false });
/** Creates a writable account that signs. */
export const writableSigner = (address: Address): AccountMeta => ({ address, signer: true, writable: true });
