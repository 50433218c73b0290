import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { signBuilt } from '../../src/rollup/testing/payment-scene.ts';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { folderOfFile } from '../folders.ts';
import { Party } from './party.ts';

const MOVED_NOTHING =
  'It moved nothing: it has landed, but the step after it failed. It cost at most 505000 lamports (0.000505 SOL).';
const MINT = { mint: USDC_MINT as string };

describe.skipIf(LAYOUT_B_FOLDER === null)(
  `a withdrawal that was built before another one took the tokens (needs ${NO_LAYOUT_B})`,
  () => {
    let app: RunningApp;
    let files: string;
    beforeAll(async () => {
      app = await runApp(LAYOUT_B_FOLDER ?? '');
      files = await folderOfFile();
      const first = await Party.create(app, files);
      await first.do('spl/initialize-mint', { payer: first.address, ...MINT });
    });
    afterAll(() => app.close());

    it.each([
      ["with the owner's token", false],
      ['without a token', true],
    ])('is reported to have moved nothing, %s', async (_, isAnonymous) => {
      const owner = await Party.create(app, files);
      await owner.setTokens({ amount: 9_000_000 });
      await owner.do('spl/deposit', { owner: owner.address, ...MINT, amount: 5_000_000 });
      const build = () => owner.call('spl/withdraw', { owner: owner.address, ...MINT, amount: 4_000_000 });
      const sent = [];
      for (const { transactionBase64, sendTo } of [await build(), await build()]) {
        const signed = signBuilt(owner.keypair, String(transactionBase64));
        const args = { transactionBase64: signed, sendTo, confirm: true };
        sent.push(await owner.call('transaction/send', args, isAnonymous));
      }
      expect(sent).toMatchObject([
        { outcome: 'confirmed', arrival: { outcome: 'arrived' } },
        { outcome: 'confirmed', arrival: { outcome: 'moved nothing', message: MOVED_NOTHING } },
      ]);
      expect(await owner.balances()).toEqual({ base: 8_000_000n, ephemeral: 1_000_000n });
    });
  },
);
