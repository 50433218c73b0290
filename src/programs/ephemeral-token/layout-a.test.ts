import { describe, expect, it } from 'vitest';
import { describeInstruction } from '../../../test/vectors/instruction-text.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { EPHEMERAL_TOKEN_PROGRAM, PERMISSION_PROGRAM, TOKEN_PROGRAM } from '../addresses.ts';
import { createAtaIdempotent, deriveAta } from '../associated-token.ts';
import {
  type DelegationAccounts,
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../delegation/pdas.ts';
import { type AccountsOf, encode } from '../instruction-table/encode.ts';
import { derivePermission } from '../permission/state.ts';
import { deriveEata, deriveVault } from './pdas.ts';
import { EATA_TABLE, EATA_TABLE_A } from './table/eata.ts';

import vectors from '../../../test/vectors/layout-a.json' with { type: 'json' };

interface Input {
  readonly owner: Address;
  readonly payer: Address;
  readonly mint: Address;
  readonly validator: Address;
  readonly amount: string;
  readonly bump: number;
  readonly vaultBump: number;
  readonly flags: number;
}

const eataOf = ({ owner, mint }: Input) => deriveEata(owner, mint).address;
const permissionOf = (input: Input) => derivePermission(eataOf(input)).address;
const delegationOf = (account: Address, program: Address): DelegationAccounts => ({
  buffer: deriveDelegateBuffer(account, program).address,
  record: deriveDelegationRecord(account).address,
  metadata: deriveDelegationMetadata(account).address,
});
const transferOf = (input: Input): AccountsOf<typeof EATA_TABLE.deposit> => {
  const vault = deriveVault(input.mint).address;
  return {
    eata: eataOf(input),
    vault,
    mint: input.mint,
    ownerAta: deriveAta(input.owner, input.mint, TOKEN_PROGRAM).address,
    vaultAta: deriveAta(vault, input.mint, TOKEN_PROGRAM).address,
    owner: input.owner,
    tokenProgram: TOKEN_PROGRAM,
  };
};

const ENCODERS: Record<string, (input: Input) => Instruction> = {
  'ix.initEphemeralAtaIx': (i) =>
    encode(EATA_TABLE_A.initEata, { eata: eataOf(i), ...i }, { eataBump: i.bump }),
  'ix.initVaultIx': (i) =>
    encode(
      EATA_TABLE_A.initVault,
      { ...transferOf({ ...i, owner: i.payer }), payer: i.payer },
      { vaultBump: i.bump },
    ),
  'ix.initVaultAtaIx': (i) => {
    const { vault, vaultAta, mint } = transferOf({ ...i, owner: i.payer });
    return createAtaIdempotent({
      payer: i.payer,
      ata: vaultAta,
      owner: vault,
      mint,
      tokenProgram: TOKEN_PROGRAM,
    });
  },
  'ix.transferToVaultIx': (i) => encode(EATA_TABLE.deposit, transferOf(i), { amount: BigInt(i.amount) }),
  'ix.withdrawSplIx': (i) =>
    encode(EATA_TABLE_A.withdraw, transferOf(i), { amount: BigInt(i.amount), vaultBump: i.vaultBump }),
  'ix.delegateEphemeralAtaIx': (i) =>
    encode(
      EATA_TABLE_A.delegateEata,
      { payer: i.payer, eata: eataOf(i), delegation: delegationOf(eataOf(i), EPHEMERAL_TOKEN_PROGRAM) },
      { eataBump: i.bump, validator: i.validator ?? null },
    ),
  'ix.undelegateIx': (i) =>
    encode(EATA_TABLE.undelegateEata, { owner: i.owner, ownerAta: transferOf(i).ownerAta, eata: eataOf(i) }),
  'ix.createEataPermissionIx': (i) =>
    encode(
      EATA_TABLE_A.createPermission,
      { eata: eataOf(i), permission: permissionOf(i), payer: i.payer },
      { eataBump: i.bump, flags: i.flags },
    ),
  'ix.delegateEataPermissionIx': (i) =>
    encode(
      EATA_TABLE_A.delegatePermission,
      {
        payer: i.payer,
        eata: eataOf(i),
        permission: permissionOf(i),
        delegation: delegationOf(permissionOf(i), PERMISSION_PROGRAM),
        validator: i.validator,
      },
      { eataBump: i.bump },
    ),
  'ix.undelegateEataPermissionIx': (i) =>
    encode(EATA_TABLE.undelegatePermission, { owner: i.owner, eata: eataOf(i), permission: permissionOf(i) }),
  'ix.resetEataPermissionIx': (i) =>
    encode(
      EATA_TABLE_A.resetPermission,
      { eata: eataOf(i), permission: permissionOf(i), owner: i.owner },
      { eataBump: i.bump, flags: i.flags },
    ),
};

describe('layout A instructions', () => {
  const cases = vectors.cases.filter(({ op }) => op in ENCODERS);

  it('has a vector for every encoder', () => {
    expect(new Set(cases.map(({ op }) => op))).toEqual(new Set(Object.keys(ENCODERS)));
  });

  it.each(cases.map((vector) => [`${vector.op} ${vector.id}`, vector] as const))(
    'encodes %s',
    (_, vector) => {
      const encoder = ENCODERS[vector.op] as (input: Input) => Instruction;
      const instruction = encoder(vector.input as unknown as Input);
      expect(describeInstruction(instruction)).toEqual(vector.expect.instructions[0]);
    },
  );
});
