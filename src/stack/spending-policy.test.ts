import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { openSpendingPolicy } from './spending-policy.ts';

function open(text: string) {
  const file = join(temporaryFolder(), 'policy.json');
  writeFileSync(file, text);
  return openSpendingPolicy({ spendingPolicy: file });
}

describe('SPENDING_POLICY', () => {
  it('is read from its file', () => {
    expect(open('{"mints": {"SOL": {"payment": "5"}}}')).toEqual({ mints: { SOL: { payment: 5n } } });
    expect(openSpendingPolicy({ spendingPolicy: null })).toBeNull();
  });

  it.each(['{', '{"mints": {}, "recipents": []}', '[]'])('stops the start if the file is %s', (text) => {
    expect(() => open(text)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  it('stops the start if the file does not exist', () => {
    expect(() => openSpendingPolicy({ spendingPolicy: '/nowhere/policy.json' })).toThrow(/ENOENT/);
  });
});
