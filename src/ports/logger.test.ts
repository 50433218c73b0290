import { expect, it } from 'vitest';
import { withFields } from './logger.ts';

it('a logger with fields adds them to each line that has no field of that name', () => {
  const lines: unknown[] = [];
  const note =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push([level, fields, message]);
  const all = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const logger = withFields(all, { ledger: 'rollup' });
  logger.debug({}, 'a');
  logger.info({ slot: 1 }, 'b');
  logger.warn({ ledger: 'x' }, 'c');
  logger.error({}, 'd');
  expect(lines).toEqual([
    ['debug', { ledger: 'rollup' }, 'a'],
    ['info', { ledger: 'rollup', slot: 1 }, 'b'],
    ['warn', { ledger: 'x' }, 'c'],
    ['error', { ledger: 'rollup' }, 'd'],
  ]);
});
