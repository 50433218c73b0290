import { describe, expect, it } from 'vitest';
import { delegationOf } from '../../test/vectors/derived-accounts.ts';
import { describeInstruction } from '../../test/vectors/instruction-text.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MEMO_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from './addresses.ts';
import { deriveEphemeralBalance } from './delegation/pdas.ts';
import * as delegating from './delegation/testing/instructions.ts';
import * as magic from './magic/testing/instructions.ts';
import { addMemo } from './memo.ts';
import { derivePermission } from './permission/state.ts';
import * as permission from './permission/testing/instructions.ts';
import { transferLamports } from './system.ts';
import * as token from './token/instructions.ts';

import layoutA from '../../test/vectors/layout-a.json' with { type: 'json' };
import layoutB from '../../test/vectors/layout-b.json' with { type: 'json' };

interface Input {
  readonly payer: Address;
  readonly authority: Address;
  readonly authorityIsSigner: boolean;
  readonly permissionedAccount: Address;
  readonly permissionedAccountIsSigner: boolean;
  readonly members: readonly { readonly flags: number; readonly pubkey: Address }[];
  readonly accounts: readonly Address[];
  readonly delegatedAccount: Address;
  readonly ownerProgram: Address;
  readonly validator?: Address;
  readonly escrowAuthority: Address;
  readonly amount: number;
  readonly index: number;
}

interface Expected {
  readonly programId: string;
  readonly keys: readonly string[];
  readonly data: string;
}

/** Validator the MagicBlock SDK delegates to when none is given. */
const SDK_DEFAULT_VALIDATOR = 'MAS1Dt9qreoRMQ14YQuhg8UTZMMzDdKhmkZMECCzk57' as Address;

const partiesOf = (i: Input): permission.PermissionParties => ({
  authority: { address: i.authority, signs: i.authorityIsSigner },
  account: { address: i.permissionedAccount, signs: i.permissionedAccountIsSigner },
  permission: derivePermission(i.permissionedAccount).address,
});
const membersOf = (i: Input) => i.members.map(({ flags, pubkey }) => ({ flags, address: pubkey }));
const delegate = (i: Input): Instruction =>
  delegating.delegate(
    {
      payer: i.payer,
      account: i.delegatedAccount,
      ownerProgram: i.ownerProgram,
      delegation: delegationOf(i.delegatedAccount, i.ownerProgram),
    },
    [],
    i.validator ?? SDK_DEFAULT_VALIDATOR,
  );

/** By the name of the SDK's builder: those of the permission, the delegation and the Magic program. */
const BUILDERS_A: Record<string, (input: Input) => Instruction> = {
  'ix.createCreatePermissionInstruction': (i) =>
    permission.createPermission(
      {
        account: i.permissionedAccount,
        permission: derivePermission(i.permissionedAccount).address,
        payer: i.payer,
      },
      membersOf(i),
    ),
  'ix.createUpdatePermissionInstruction': (i) => permission.updatePermission(partiesOf(i), membersOf(i)),
  'ix.createClosePermissionInstruction': (i) =>
    permission.closePermission({ ...partiesOf(i), payer: i.payer }),
  'ix.createDelegatePermissionInstruction': (i) =>
    permission.delegatePermission(
      {
        ...partiesOf(i),
        payer: i.payer,
        delegation: delegationOf(derivePermission(i.permissionedAccount).address, PERMISSION_PROGRAM),
      },
      i.validator ?? null,
    ),
  'ix.createCommitPermissionInstruction': (i) => permission.commitPermission(partiesOf(i)),
  'ix.createCommitAndUndelegatePermissionInstruction': (i) =>
    permission.commitAndUndelegatePermission(partiesOf(i)),
  'ix.createDelegateInstruction': delegate,
  'ix.createTopUpEscrowInstruction': (i) =>
    delegating.topUpEscrow(
      {
        payer: i.payer,
        authority: i.escrowAuthority,
        escrow: deriveEphemeralBalance(i.escrowAuthority, i.index).address,
      },
      BigInt(i.amount),
      i.index,
    ),
  'ix.createCommitInstruction': (i) => magic.scheduleCommit(i.payer, i.accounts),
  'ix.createCommitAndUndelegateInstruction': (i) =>
    magic.scheduleCommitAndUndelegate(i.payer, i.accounts, 'readonly'),
};

const BUILDERS_B: Record<string, (input: Input) => Instruction> = {
  'ix.createDelegateInstruction': delegate,
  'ix.createCommitInstruction': (i) => magic.scheduleCommit(i.payer, i.accounts),
  'ix.createCommitAndUndelegateInstruction': (i) =>
    magic.scheduleCommitAndUndelegate(i.payer, i.accounts, 'writable'),
};

const LAYOUTS = [
  { layout: 'a', vectors: layoutA, builders: BUILDERS_A },
  { layout: 'b', vectors: layoutB, builders: BUILDERS_B },
] as const;

/** The builders of these programs have tables of their own: layout-a.test.ts and layout-b.test.ts. */
const ELSEWHERE = new Set<string>([EPHEMERAL_TOKEN_PROGRAM, ASSOCIATED_TOKEN_PROGRAM]);

const rows = LAYOUTS.flatMap(({ layout, vectors, builders }) =>
  vectors.cases
    .filter(({ level }) => level === 'ix')
    .map(({ id, op, input, expect: { instructions } }) => ({
      layout,
      id,
      op,
      input: input as unknown as Input,
      expected: instructions?.[0] as Expected,
      build: builders[op],
    })),
);

describe('instructions of the permission, delegation and Magic programs', () => {
  const here = rows.filter(({ expected }) => !ELSEWHERE.has(expected.programId));

  it.each(LAYOUTS)('has an encoder for every single-instruction vector of layout $layout', (table) => {
    const mine = here.filter(({ layout }) => layout === table.layout);
    expect(new Set(mine.map(({ op }) => op))).toEqual(new Set(Object.keys(table.builders)));
  });

  it('leaves the other builders to layout-a.test.ts and layout-b.test.ts', () => {
    const left = rows.filter(({ expected }) => ELSEWHERE.has(expected.programId));
    const buildersOf = (wanted: string) =>
      new Set(left.filter(({ layout }) => layout === wanted).map(({ op }) => op));
    expect([buildersOf('a').size, buildersOf('b').size]).toEqual([11, 24]);
  });

  it.each(here.map((row) => [row.op, row.id, row] as const))('encodes %s of %s', (_, __, row) => {
    expect(describeInstruction(row.build?.(row.input) as Instruction)).toEqual(row.expected);
  });
});

describe('instructions of the token, memo and system programs', () => {
  const keyAt = ({ keys }: Expected, index: number) => keys[index]?.split(' ')[0] as Address;
  const amountAt = ({ data }: Expected, offset: number) => Buffer.from(data, 'hex').readBigUInt64LE(offset);

  /** By program and the first byte of the data. What they name is read back from the vector. */
  const ENCODERS: Record<string, (expected: Expected) => Instruction> = {
    [`${TOKEN_PROGRAM} 3`]: (e) =>
      token.transferTokens(
        TOKEN_PROGRAM,
        { source: keyAt(e, 0), destination: keyAt(e, 1), authority: keyAt(e, 2) },
        amountAt(e, 1),
      ),
    [`${TOKEN_PROGRAM} 9`]: (e) =>
      token.closeTokenAccount(TOKEN_PROGRAM, {
        account: keyAt(e, 0),
        destination: keyAt(e, 1),
        authority: keyAt(e, 2),
      }),
    [`${TOKEN_PROGRAM} 17`]: (e) => token.syncNative(TOKEN_PROGRAM, keyAt(e, 0)),
    [`${SYSTEM_PROGRAM} 2`]: (e) => transferLamports(keyAt(e, 0), keyAt(e, 1), amountAt(e, 4)),
  };

  const hosted = layoutB.cases.flatMap(({ id, input, expect: { instructions } }) =>
    (instructions ?? [])
      .filter(({ programId }) => [TOKEN_PROGRAM, SYSTEM_PROGRAM, MEMO_PROGRAM].includes(programId as Address))
      .map((expected) => ({ id, expected, memo: (input as { memo?: string }).memo })),
  );

  it.each(hosted.map(({ id, ...row }) => [id, row] as const))('are those of %s', (_, { expected, memo }) => {
    const encode = ENCODERS[`${expected.programId} ${Number.parseInt(expected.data.slice(0, 2), 16)}`];
    const encoded =
      expected.programId === MEMO_PROGRAM ? addMemo(memo as string) : (encode?.(expected) as Instruction);
    expect(describeInstruction(encoded)).toEqual(expected);
  });

  it('all have a vector', () => {
    const seen = new Set(
      hosted.map(
        ({ expected: { programId, data } }) => `${programId} ${Number.parseInt(data.slice(0, 2), 16)}`,
      ),
    );
    expect(Object.keys(ENCODERS).filter((name) => !seen.has(name))).toEqual([]);
    expect(hosted.some(({ expected }) => expected.programId === MEMO_PROGRAM)).toBe(true);
  });
});

describe('the signers of a permission', () => {
  const [authority, account, gate] = [
    'MEUGGrYPxKk17hCr7wpT6s8dtNokZj5U2L57vjYMS8e',
    'MUS3hc9TCw4cGC12vHNoYcCGzJG1txjgQLZWVoeNHNd',
    'MTEWGuqxUpYZGFJQcp8tLN7x5v9BSeoFHYWQQ3n3xzo',
  ] as [Address, Address, Address];

  it.each([
    ['updatePermission', (p: permission.PermissionParties) => permission.updatePermission(p, null)],
    ['commitPermission', permission.commitPermission],
    ['commitAndUndelegatePermission', permission.commitAndUndelegatePermission],
  ])('is as expected: %s', (_, build) => {
    for (const accountSigns of [true, false]) {
      const signers = build({
        authority: { address: authority, signs: !accountSigns },
        account: { address: account, signs: accountSigns },
        permission: gate,
      }).accounts.filter(({ signer }) => signer);
      expect(signers.map(({ address }) => address)).toEqual([accountSigns ? account : authority]);
    }
  });

  it.each(['authority', 'account'] as const)(
    'is writable if a permission is delegated: the %s',
    (signing) => {
      const parties = {
        authority: { address: authority, signs: signing === 'authority' },
        account: { address: account, signs: signing === 'account' },
        permission: gate,
        payer: gate,
        delegation: delegationOf(gate, PERMISSION_PROGRAM),
      };
      const [, ...named] = permission.delegatePermission(parties, null).accounts.slice(0, 3);
      expect(named).toEqual(
        [authority, account].map((address) => {
          const signs = parties[signing].address === address;
          return { address, signer: signs, writable: signs };
        }),
      );
    },
  );

  it('can let everyone read, which differs from naming no one', () => {
    const accounts = { account, permission: gate, payer: authority };
    expect([...permission.createPermission(accounts, null).data.subarray(8)]).toEqual([0]);
    expect([...permission.createPermission(accounts, []).data.subarray(8)]).toEqual([1, 0, 0, 0, 0]);
  });

  it('may name the validator the permission is delegated to as an eleventh account', () => {
    const parties = {
      authority: { address: authority, signs: true },
      account: { address: account, signs: false },
      permission: gate,
      payer: authority,
      delegation: delegationOf(gate, PERMISSION_PROGRAM),
    };
    const without = permission.delegatePermission(parties, null).accounts;
    const given = permission.delegatePermission(parties, account).accounts;
    expect(without).toHaveLength(10);
    expect(given).toEqual([...without, { address: account, signer: false, writable: false }]);
  });
});
