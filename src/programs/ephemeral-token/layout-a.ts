import type { Address } from '../../solana/address.ts';
import {
  readonly,
  signer,
  writable,
  writableSigner,
  type AccountMeta,
  type Instruction,
} from '../../solana/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../addresses.ts';
import { concat, trailing, u64, u8 } from '../instruction-data.ts';

/**
 * Instructions of the ephemeral SPL token program as of January 2026 ("layout A"), the one the embedded ledger runs.
 * The first byte names the instruction; bumps are passed by the client. Amounts are u64 base units, little-endian.
 */

/** The accounts a delegation goes through: a buffer of the owning program, and two records. */
export interface DelegationAccounts {
  readonly buffer: Address;
  readonly record: Address;
  readonly metadata: Address;
}

const TAG = {
  initEata: 0,
  initVault: 1,
  deposit: 2,
  withdraw: 3,
  delegateEata: 4,
  undelegateEata: 5,
  createPermission: 6,
  delegatePermission: 7,
  undelegatePermission: 8,
  resetPermission: 9,
} as const;

const instruction = (accounts: AccountMeta[], data: Uint8Array): Instruction => ({
  programId: EPHEMERAL_TOKEN_PROGRAM,
  accounts,
  data,
});

/** Tag 0: creates the owner's eATA; does nothing when it is there and not delegated. */
export function initEata(
  accounts: { eata: Address; payer: Address; owner: Address; mint: Address },
  eataBump: number,
): Instruction {
  return instruction(
    [
      writable(accounts.eata),
      writableSigner(accounts.payer),
      readonly(accounts.owner),
      readonly(accounts.mint),
      readonly(SYSTEM_PROGRAM),
    ],
    Uint8Array.of(TAG.initEata, eataBump),
  );
}

/** Tag 1: creates the vault of a mint; does nothing when it is there. */
export function initVault(
  accounts: { vault: Address; payer: Address; mint: Address; vaultAta: Address; tokenProgram: Address },
  vaultBump: number,
): Instruction {
  return instruction(
    [
      writable(accounts.vault),
      writableSigner(accounts.payer),
      readonly(accounts.mint),
      writable(accounts.vaultAta),
      readonly(accounts.tokenProgram),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
    Uint8Array.of(TAG.initVault, vaultBump),
  );
}

/** The accounts tokens move between: the owner's ATA and the vault's. */
export interface VaultTransferAccounts {
  readonly eata: Address;
  readonly vault: Address;
  readonly mint: Address;
  readonly ownerAta: Address;
  readonly vaultAta: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
}

/** Tag 2: moves tokens from the owner's ATA into the vault and credits the eATA. */
export function deposit(accounts: VaultTransferAccounts, amount: bigint): Instruction {
  return instruction(
    [
      writable(accounts.eata),
      readonly(accounts.vault),
      readonly(accounts.mint),
      writable(accounts.ownerAta),
      writable(accounts.vaultAta),
      signer(accounts.owner),
      readonly(accounts.tokenProgram),
    ],
    concat(u8(TAG.deposit), u64(amount)),
  );
}

/** Tag 3: moves tokens from the vault back to the owner's ATA and debits the eATA, which must not be delegated. */
export function withdraw(accounts: VaultTransferAccounts, amount: bigint, vaultBump: number): Instruction {
  return instruction(
    [
      signer(accounts.owner),
      writable(accounts.eata),
      readonly(accounts.vault),
      readonly(accounts.mint),
      writable(accounts.vaultAta),
      writable(accounts.ownerAta),
      readonly(accounts.tokenProgram),
    ],
    concat(u8(TAG.withdraw), u64(amount), u8(vaultBump)),
  );
}

/**
 * Tag 4: hands the eATA over to a validator. Without `validator` the delegation program falls back on its own default
 * identity, so callers should always name one.
 */
export function delegateEata(
  accounts: { payer: Address; eata: Address; delegation: DelegationAccounts },
  eataBump: number,
  validator: Address | null,
): Instruction {
  const { buffer, record, metadata } = accounts.delegation;
  return instruction(
    [
      writableSigner(accounts.payer),
      writable(accounts.eata),
      readonly(EPHEMERAL_TOKEN_PROGRAM),
      writable(buffer),
      writable(record),
      writable(metadata),
      readonly(DELEGATION_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
    concat(Uint8Array.of(TAG.delegateEata, eataBump), trailing(validator)),
  );
}

/** Tag 5, sent to the rollup: asks for the eATA to be settled and given back to its owner. */
export function undelegateEata(accounts: { owner: Address; ownerAta: Address; eata: Address }): Instruction {
  return instruction(
    [
      signer(accounts.owner),
      writable(accounts.ownerAta),
      readonly(accounts.eata),
      writable(MAGIC_CONTEXT),
      readonly(MAGIC_PROGRAM),
    ],
    Uint8Array.of(TAG.undelegateEata),
  );
}

/** Tag 6: creates the eATA's permission account. A payer who is not the owner may only pass flags 0. */
export function createPermission(
  accounts: { eata: Address; permission: Address; payer: Address },
  eataBump: number,
  flags: number,
): Instruction {
  return instruction(
    [
      writable(accounts.eata),
      writable(accounts.permission),
      writableSigner(accounts.payer),
      readonly(SYSTEM_PROGRAM),
      readonly(PERMISSION_PROGRAM),
    ],
    Uint8Array.of(TAG.createPermission, eataBump, flags),
  );
}

/** Tag 7: hands the permission account over to a validator too. `delegation` belongs to the permission account. */
export function delegatePermission(
  accounts: {
    payer: Address;
    eata: Address;
    permission: Address;
    delegation: DelegationAccounts;
    validator: Address;
  },
  eataBump: number,
): Instruction {
  const { buffer, record, metadata } = accounts.delegation;
  return instruction(
    [
      writableSigner(accounts.payer),
      writable(accounts.eata),
      readonly(PERMISSION_PROGRAM),
      writable(accounts.permission),
      readonly(SYSTEM_PROGRAM),
      writable(buffer),
      writable(record),
      writable(metadata),
      readonly(DELEGATION_PROGRAM),
      readonly(accounts.validator),
    ],
    Uint8Array.of(TAG.delegatePermission, eataBump),
  );
}

/** Tag 8, sent to the rollup: asks for the permission account to be given back. */
export function undelegatePermission(accounts: {
  owner: Address;
  eata: Address;
  permission: Address;
}): Instruction {
  return instruction(
    [
      signer(accounts.owner),
      writable(accounts.eata),
      writable(accounts.permission),
      readonly(PERMISSION_PROGRAM),
      readonly(MAGIC_PROGRAM),
      writable(MAGIC_CONTEXT),
    ],
    Uint8Array.of(TAG.undelegatePermission),
  );
}

/** Tag 9: sets the owner's flags in the eATA's permission anew. */
export function resetPermission(
  accounts: { eata: Address; permission: Address; owner: Address },
  eataBump: number,
  flags: number,
): Instruction {
  return instruction(
    [
      readonly(accounts.eata),
      writable(accounts.permission),
      signer(accounts.owner),
      readonly(PERMISSION_PROGRAM),
    ],
    Uint8Array.of(TAG.resetPermission, eataBump, flags),
  );
}
