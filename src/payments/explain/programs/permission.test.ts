import { describe, expect, it } from 'vitest';
import { PERMISSION_PROGRAM, USDC_MINT } from '../../../programs/addresses.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../../programs/delegation/pdas.ts';
import { deriveEata } from '../../../programs/ephemeral-token/pdas.ts';
import { derivePermission, type Member, MEMBER_FLAG } from '../../../programs/permission/state.ts';
import {
  createPermission,
  delegatePermission,
  updatePermission,
} from '../../../programs/permission/testing/instructions.ts';
import type { Address } from '../../../solana/address.ts';
import { explainInstructions, found, key, OWNER, THIEF, words } from '../testing/explain-instructions.ts';

const account = deriveEata(OWNER, USDC_MINT).address;
const permission = derivePermission(account).address;

const create = (members: readonly Member[] | null) =>
  explainInstructions([createPermission({ account, permission, payer: OWNER }, members)], {
    mints: [USDC_MINT],
  });

const update = (members: readonly Member[] | null) => {
  const parties = {
    authority: { address: OWNER, signs: true },
    account: { address: account, signs: false },
    permission,
  };
  return explainInstructions([updatePermission(parties, members)], { mints: [USDC_MINT] });
};

const reader = (address: Address, flags: number): Member => ({ address, flags });

describe('the members of a permission', () => {
  it('are a danger if one is not the owner, and are listed with their rights', () => {
    const explained = create([
      reader(OWNER, MEMBER_FLAG.authority),
      reader(THIEF, MEMBER_FLAG.txBalances + MEMBER_FLAG.txLogs),
    ]);
    expect(found(explained)).toEqual(['danger OTHER_READERS']);
    expect(words(explained)).toContain(`${THIEF} (flags 6: read logs, read balances) could read ${account}`);
    expect(words(explained)).not.toContain(`${OWNER} (`);
    expect(explained.calls[0]?.text).toContain(`${OWNER} (flags 1: change the permission) and ${THIEF}`);
  });

  it('are a danger if everyone can read', () => {
    expect(words(create(null))).toContain('Everyone could read');
    expect(found(create(null))).toEqual(['danger OTHER_READERS']);
  });

  it('are no danger if they are the owner or have no rights', () => {
    expect(found(create([reader(OWNER, 31)]))).toEqual([]);
    expect(found(create([reader(OWNER, 31), reader(key(5), 0)]))).toEqual([]);
    expect(found(create([]))).toEqual([]);
  });

  it('are also listed if a permission changes, which is itself a danger', () => {
    expect(found(update([reader(OWNER, 31)]))).toEqual(['danger DANGEROUS_INSTRUCTION']);
    expect(found(update(null))).toEqual(['danger DANGEROUS_INSTRUCTION', 'danger OTHER_READERS']);
    expect(words(update([reader(THIEF, 4)]))).toContain(`${THIEF} (flags 4: read balances)`);
  });
});

describe('a permission that is delegated', () => {
  const delegate = (validator: Address | null, clusterValidator: Address | null) =>
    found(
      explainInstructions(
        [
          delegatePermission(
            {
              payer: OWNER,
              authority: { address: OWNER, signs: true },
              account: { address: account, signs: false },
              permission,
              delegation: {
                buffer: deriveDelegateBuffer(permission, PERMISSION_PROGRAM).address,
                record: deriveDelegationRecord(permission).address,
                metadata: deriveDelegationMetadata(permission).address,
              },
            },
            validator,
          ),
        ],
        { clusterValidator },
      ),
    );

  it.each<[string, Address | null, Address | null, string[]]>([
    ['the validator of the cluster is not reported', key(8), key(8), []],
    ['another validator is a danger', THIEF, key(8), ['danger OTHER_VALIDATOR']],
    ['a validator that could not be compared is a caution', THIEF, null, ['caution OTHER_VALIDATOR']],
    ["the program's own choice is a caution", null, key(8), ['caution DEFAULT_VALIDATOR']],
  ])('to %s', (_, validator, clusterValidator, findings) => {
    expect(delegate(validator, clusterValidator)).toEqual(findings);
  });
});
