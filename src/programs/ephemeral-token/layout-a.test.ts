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
import { derivePermission } from '../permission/state.ts';
import * as layoutA from './layout-a.ts';
import { deriveEata, deriveVault } from './pdas.ts';

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
const transferOf = (input: Input): layoutA.VaultTransferAccounts => {
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
  'ix.initEphemeralAtaIx': (i) => layoutA.initEata({ eata: eataOf(i), ...i }, i.bump),
  'ix.initVaultIx': (i) =>
    layoutA.initVault({ ...transferOf({ ...i, owner: i.payer }), payer: i.payer }, i.bump),
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
  'ix.transferToVaultIx': (i) => layoutA.deposit(transferOf(i), BigInt(i.amount)),
  'ix.withdrawSplIx': (i) => layoutA.withdraw(transferOf(i), BigInt(i.amount), i.vaultBump),
  'ix.delegateEphemeralAtaIx': (i) =>
    layoutA.delegateEata(
      { payer: i.payer, eata: eataOf(i), delegation: delegationOf(eataOf(i), EPHEMERAL_TOKEN_PROGRAM) },
      i.bump,
      i.validator ?? null,
    ),
  'ix.undelegateIx': (i) =>
    layoutA.undelegateEata({ owner: i.owner, ownerAta: transferOf(i).ownerAta, eata: eataOf(i) }),
  'ix.createEataPermissionIx': (i) =>
    layoutA.createPermission(
      { eata: eataOf(i), permission: permissionOf(i), payer: i.payer },
      i.bump,
      i.flags,
    ),
  'ix.delegateEataPermissionIx': (i) =>
    layoutA.delegatePermission(
      {
        payer: i.payer,
        eata: eataOf(i),
        permission: permissionOf(i),
        delegation: delegationOf(permissionOf(i), PERMISSION_PROGRAM),
        validator: i.validator,
      },
      i.bump,
    ),
  'ix.undelegateEataPermissionIx': (i) =>
    layoutA.undelegatePermission({ owner: i.owner, eata: eataOf(i), permission: permissionOf(i) }),
  'ix.resetEataPermissionIx': (i) =>
    layoutA.resetPermission(
      { eata: eataOf(i), permission: permissionOf(i), owner: i.owner },
      i.bump,
      i.flags,
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
      const encode = ENCODERS[vector.op] as (input: Input) => Instruction;
      const instruction = encode(vector.input as unknown as Input);
      expect(describeInstruction(instruction)).toEqual(vector.expect.instructions[0]);
    },
  );
});
