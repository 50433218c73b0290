import { expect, it } from 'vitest';
import { readLogs } from './log-tree.tsx';

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const OUTER = 'SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2';

it('reads calls by depth with their instruction and compute units', () => {
  const lines = readLogs([
    `Program ${OUTER} invoke [1]`,
    'Program log: Instruction: Deposit',
    `Program ${TOKEN} invoke [2]`,
    `Program ${TOKEN} consumed 105 of 1200000 compute units`,
    `Program ${TOKEN} success`,
    'Program log: done',
    `Program ${OUTER} consumed 1714 of 1200000 compute units`,
    `Program ${OUTER} success`,
  ]);
  expect(lines).toEqual([
    { kind: 'call', depth: 1, program: OUTER, instruction: 'Deposit', computeUnits: 1714, text: '' },
    { kind: 'call', depth: 2, program: TOKEN, computeUnits: 105, text: '' },
    { kind: 'log', depth: 1, text: 'done' },
  ]);
});

it('shows the failure text of the program', () => {
  const lines = readLogs([
    `Program ${TOKEN} invoke [1]`,
    `Program ${TOKEN} failed: custom program error: 0x1`,
  ]);
  expect(lines.at(-1)).toEqual({ kind: 'failed', depth: 1, text: 'custom program error: 0x1' });
});

it('does not mistake a program’s own line for one of another program or of a deeper call', () => {
  const lines = readLogs([
    `Program ${TOKEN} invoke [1]`,
    `Program ${OUTER} invoke [7]`,
    `Program ${OUTER} success`,
    `Program log: Program ${TOKEN} success`,
  ]);
  expect(lines.map(({ kind, depth }) => [kind, depth])).toEqual([
    ['call', 1],
    ['log', 1],
    ['log', 1],
    ['log', 1],
  ]);
});

it('stops reading if a node sends more lines than any transaction writes', () => {
  const lines = readLogs(Array.from({ length: 5_000 }, () => 'x'));
  expect(lines).toHaveLength(2_001);
  expect(lines.at(-1)?.text).toBe('and 3000 lines more');
});
