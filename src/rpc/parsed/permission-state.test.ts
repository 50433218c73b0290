import { describe, expect, it } from 'vitest';
import { PERMISSION_PROGRAM } from '../../programs/addresses.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import { filled, littleEndian } from '../testing/parse-call.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { parseState } from './testing/parse-state.ts';

const ACCOUNT = addressFilledWith(1);
const { address, bump } = derivePermission(ACCOUNT);
const head = [0, bump, ...filled(1)];

describe('permissions', () => {
  it('are shown with what each member may do', () => {
    const members = [1, ...littleEndian(2, 4), 1, ...filled(5), 2 + 8 + 16, ...filled(6), 0, 0, 0];
    expect(parseState(PERMISSION_PROGRAM, [...head, ...members], address)).toEqual({
      info: {
        account: ACCOUNT,
        bump,
        members: [
          { address: addressFilledWith(5), flags: ['authority'] },
          { address: addressFilledWith(6), flags: ['txLogs', 'txMessage', 'accountSignatures'] },
        ],
      },
      type: 'permission',
    });
  });

  it('are shown without members if anyone may read', () => {
    expect(parseState(PERMISSION_PROGRAM, [...head, 0], address)).toMatchObject({ info: { members: null } });
  });

  it('are not parsed elsewhere, nor from other bytes', () => {
    expect(parseState(PERMISSION_PROGRAM, [...head, 0])).toBe('not parsed');
    expect(parseState(PERMISSION_PROGRAM, [1, ...head.slice(1), 0], address)).toBe('not parsed');
    expect(parseState(PERMISSION_PROGRAM, [...head, 1, ...littleEndian(2, 4)], address)).toBe('not parsed');
  });
});
