import { describe, expect, it } from 'vitest';
import type { Address } from '../solana/address.ts';
import type { Pda } from '../solana/pda.ts';
import { TOKEN_PROGRAM } from './addresses.ts';
import { deriveAta } from './associated-token.ts';
import * as delegation from './delegation/pdas.ts';
import * as espl from './ephemeral-token/pdas.ts';
import { deriveStealthPool } from './ephemeral-token/stealth-pool.ts';
import { deriveHydraCrank } from './hydra.ts';
import { derivePermission } from './permission/state.ts';

import vectors from '../../test/vectors/pda.json' with { type: 'json' };

interface Input {
  readonly [name: string]: Address;
  readonly shuttleId: never;
  readonly groupId: never;
  readonly index: never;
}

const shuttle = ({ owner, mint, shuttleId }: Input) =>
  espl.deriveShuttleMetadata(owner as Address, mint as Address, shuttleId).address;
const queue = ({ mint, validator }: Input) =>
  espl.deriveTransferQueue(mint as Address, validator as Address).address;
const stash = ({ user, mint }: Input) => espl.deriveStash(user as Address, mint as Address).address;

const DERIVATIONS: Record<string, (input: Input) => Pda> = {
  eata: (i) => espl.deriveEata(i['owner'] as Address, i['mint'] as Address),
  vault: (i) => espl.deriveVault(i['mint'] as Address),
  ata: (i) => deriveAta(i['owner'] as Address, i['mint'] as Address, i['tokenProgram'] as Address),
  vaultAta: (i) =>
    deriveAta(
      espl.deriveVault(i['mint'] as Address).address,
      i['mint'] as Address,
      i['tokenProgram'] as Address,
    ),
  vaultEata: (i) => espl.deriveEata(espl.deriveVault(i['mint'] as Address).address, i['mint'] as Address),
  rentPda: () => espl.deriveRentPda(),
  shuttleMetadata: (i) =>
    espl.deriveShuttleMetadata(i['owner'] as Address, i['mint'] as Address, i.shuttleId),
  shuttleEata: (i) => espl.deriveEata(shuttle(i), i['mint'] as Address),
  shuttleWalletAta: (i) => deriveAta(shuttle(i), i['mint'] as Address, i['tokenProgram'] as Address),
  transferQueue: (i) => espl.deriveTransferQueue(i['mint'] as Address, i['validator'] as Address),
  queueEata: (i) => espl.deriveEata(queue(i), i['mint'] as Address),
  queueVaultAta: (i) => deriveAta(queue(i), i['mint'] as Address, i['tokenProgram'] as Address),
  queueRefillState: (i) => espl.deriveQueueRefillState(queue(i)),
  groupReceipt: (i) => espl.deriveGroupReceipt(i['queue'] as Address, i['source'] as Address, i.groupId),
  lamportsPda: (i) =>
    espl.deriveLamportsPda(
      i['payer'] as Address,
      i['destination'] as Address,
      new Uint8Array(Buffer.from(i['saltHex'] as string, 'hex')),
    ),
  stash: (i) => espl.deriveStash(i['user'] as Address, i['mint'] as Address),
  stashAta: (i) => deriveAta(stash(i), i['mint'] as Address, i['tokenProgram'] ?? TOKEN_PROGRAM),
  hydraCrank: (i) => deriveHydraCrank(stash(i), i.shuttleId),
  permission: (i) => derivePermission(i['account'] as Address),
  delegateBuffer: (i) =>
    delegation.deriveDelegateBuffer(i['account'] as Address, i['ownerProgram'] as Address),
  delegationRecord: (i) => delegation.deriveDelegationRecord(i['account'] as Address),
  delegationMetadata: (i) => delegation.deriveDelegationMetadata(i['account'] as Address),
  commitState: (i) => delegation.deriveCommitState(i['account'] as Address),
  commitRecord: (i) => delegation.deriveCommitRecord(i['account'] as Address),
  undelegateBuffer: (i) => delegation.deriveUndelegateBuffer(i['account'] as Address),
  feesVault: () => delegation.deriveFeesVault(),
  validatorFeesVault: (i) => delegation.deriveValidatorFeesVault(i['validator'] as Address),
  magicFeeVault: (i) => delegation.deriveMagicFeeVault(i['validator'] as Address),
  programConfig: (i) => delegation.deriveProgramConfig(i['program'] as Address),
  ephemeralBalance: (i) => delegation.deriveEphemeralBalance(i['authority'] as Address, i.index),
  stealthPool: (i) => deriveStealthPool(i['handle'] as string),
};

describe('program-derived addresses', () => {
  it('has a derivation for every kind of the vectors and no other', () => {
    expect(Object.keys(DERIVATIONS).sort()).toEqual(
      [...new Set(vectors.cases.map(({ kind }) => kind))].sort(),
    );
  });

  it.each(vectors.cases.map((vector) => [`${vector.kind} ${vector.id}`, vector] as const))(
    'derives %s',
    (_, { kind, input, address, bump }) => {
      const derive = DERIVATIONS[kind] as (input: Input) => Pda;
      expect(derive(input as unknown as Input)).toMatchObject({ address, bump });
    },
  );
});

describe('deriveStealthPool', () => {
  it.each([
    ['', 0],
    ['x'.repeat(256), 256],
    ['é'.repeat(128), 256],
  ])('rejects the handle %j of %i bytes', (handle) => {
    expect(() => deriveStealthPool(handle)).toThrow('handle must be between 1 and 255 UTF-8 bytes');
  });
});
