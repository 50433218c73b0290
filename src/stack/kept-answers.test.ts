import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { emptyGenesis, openTestLedger } from '../ledger/testing/test-ledger.ts';
import { systemClock } from '../ports/clock.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { type Claim, digestUse } from '../service/rest/idempotency-keys.ts';
import { openKeys } from './kept-answers.ts';

const use = digestUse(['deposit', '', 'key'], { amount: 1 });
const reply = { status: 200, body: '{}' };

describe('the idempotency keys of a stack', () => {
  it.each([
    ['are kept where its ledger is', true, 'answered'],
    ['are forgotten where that is in memory', false, 'new'],
  ])('%s', async (_, hasFolder, kind) => {
    const { ledger } = await openTestLedger({ genesis: emptyGenesis });
    const dataFolder = hasFolder ? temporaryFolder() : null;
    const nodes = { dataFolder, ledgers: { base: ledger, rollup: null } };
    const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };
    for (const expected of ['new', kind]) {
      const { keys, close } = openKeys(nodes, ports);
      const claim = await keys.claim(use);
      expect(claim.kind).toBe(expected);
      if (claim.kind === 'new') await claim.settle(reply);
      await close();
    }
    await ledger.close();
  });

  it('begin anew, and say so, where their file is none', async () => {
    const { ledger } = await openTestLedger({ genesis: emptyGenesis });
    const dataFolder = temporaryFolder();
    writeFileSync(join(dataFolder, 'answers.mdb'), 'x'.repeat(10_000));
    const warned: unknown[] = [];
    const logger = { ...silentLogger, warn: (facts: unknown) => warned.push(facts) } as unknown as Logger;
    const ports = { clock: systemClock, random: systemRandom, logger };
    const { keys, close } = openKeys({ dataFolder, ledgers: { base: ledger, rollup: null } }, ports);
    expect((await keys.claim(use)).kind).toBe('new');
    expect(warned).toMatchObject([{ file: join(dataFolder, 'answers.mdb') }]);
    await close();
    await ledger.close();
  });

  it.each([
    ['in memory', false],
    ['in its folder', true],
  ])(
    '%s are of one ledger, also where it is reset meanwhile (bug: answers about it were repeated)',
    async (_, hasFolder) => {
      const base = { genesisHash: 'first' };
      const dataFolder = hasFolder ? temporaryFolder() : null;
      const nodes = { dataFolder, ledgers: { base, rollup: null } } as unknown as Parameters<
        typeof openKeys
      >[0];
      const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };
      let table = openKeys(nodes, ports);
      const claimed = async (key: string): Promise<Claim> =>
        await table.keys.claim(digestUse(['deposit', '', key], { amount: 1 }));
      const answered = async (claim: Claim): Promise<void> => {
        expect(claim.kind).toBe('new');
        if (claim.kind === 'new') await claim.settle(reply);
      };
      await answered(await claimed('before'));
      const begunBefore = await claimed('meanwhile');
      base.genesisHash = 'second';
      await answered(begunBefore);
      for (const key of ['before', 'meanwhile', 'after']) await answered(await claimed(key));
      if (hasFolder) {
        await table.close();
        table = openKeys(nodes, ports);
      }
      for (const key of ['before', 'meanwhile', 'after']) expect((await claimed(key)).kind).toBe('answered');
      await table.close();
    },
  );

  it('are left alone where the system cannot open their file', async () => {
    const { ledger } = await openTestLedger({ genesis: emptyGenesis });
    const dataFolder = temporaryFolder();
    mkdirSync(join(dataFolder, 'answers.mdb'));
    writeFileSync(join(dataFolder, 'answers.mdb', 'kept'), 'x');
    const ports = { clock: systemClock, random: systemRandom, logger: silentLogger };
    expect(() => openKeys({ dataFolder, ledgers: { base: ledger, rollup: null } }, ports)).toThrow('EISDIR');
    expect(existsSync(join(dataFolder, 'answers.mdb', 'kept'))).toBe(true);
    await ledger.close();
  });
});
