import type { KeyPairSigner } from '@solana/kit';
import { createFundedWallet, signAs, USDC } from '../../clients/wallet.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { parseAddress, type Address } from '../../src/solana/address.ts';
import { PaymentsClient } from '../../test/external-validator/payments-client.ts';
import { call } from '../call.ts';
import { inScope } from '../scope.ts';
import type { Section } from '../section.ts';
import { median, percentile } from '../statistics.ts';
import { markdown } from '../table.ts';
import { nameOf, openContest, type Contestant } from './contestants.ts';
import { balanceOf, hasSucceeded, until } from './poll.ts';

/** Private payments of one part without a delay, one after another, of each round. */
const PAYMENTS = 6;
const AMOUNT = 10_000;
/** What the payer begins with, base units: enough for any number of rounds. */
const FUNDS = 1_000_000_000;
/** Between two looks at the recipient's tokens, ms. */
const PAUSE_MS = 2;

/** Private payments through a transfer queue, on the embedded rollup and on MagicBlock's validator. */
export const payouts: Section = {
  name: 'payouts',
  title: 'Private payments from base to base, from confirmed to paid',
  run: ({ rounds }) =>
    inScope(async (scope) => {
      if (LAYOUT_B_FOLDER === null) return { text: `Not measured: it needs ${NO_LAYOUT_B}.` };
      const { embedded, external, version, missing } = await openContest(scope, 'b');
      const sides = [await prepare(embedded, false)];
      if (external !== null) sides.push(await prepare(external, true));
      for (let round = -1; round < rounds; round++) {
        for (const side of sides) {
          const latenciesMs = await pay(side);
          if (round >= 0) side.latenciesMs.push(...latenciesMs);
        }
      }
      const rows = sides.map(({ contestant, latenciesMs }) => toRow(contestant.name, latenciesMs));
      if (missing !== null) rows.push(toRow(nameOf(version), `not run: ${missing}`));
      return { text: markdown(rows) };
    }),
};

/** A payer and a recipient on one of the rollups. */
interface Side {
  readonly contestant: Contestant;
  readonly payments: PaymentsClient;
  readonly payer: KeyPairSigner;
  readonly payee: KeyPairSigner;
  /** The recipient's token account on base. */
  readonly account: Address;
  readonly latenciesMs: number[];
}

function toRow(what: string, measured: readonly number[] | string) {
  const isRun = typeof measured !== 'string';
  return {
    what,
    'confirmed to paid, p50 ms': isRun ? median(measured).toFixed(0) : measured,
    'p95 ms': isRun ? percentile(measured, 0.95).toFixed(0) : '',
    'most ms': isRun ? Math.max(...measured).toFixed(0) : '',
    payments: isRun ? String(measured.length) : '',
  };
}

/** Makes the mint ready; a rollup that is another program is told of its queue. */
async function prepare(contestant: Contestant, isExternal: boolean): Promise<Side> {
  const { serviceUrl, ledgerUrl } = contestant;
  const payments = new PaymentsClient(serviceUrl);
  const payer = await createFundedWallet(ledgerUrl, FUNDS);
  const payee = await createFundedWallet(ledgerUrl, 1);
  await payments.do(payer, 'initialize-mint', { payer: payer.address, mint: USDC });
  if (isExternal) await payments.ensureQueueCrank(USDC);
  const account = deriveAta(parseAddress(payee.address, 'payee'), USDC_MINT, TOKEN_PROGRAM).address;
  return { contestant, payments, payer, payee, account, latenciesMs: [] };
}

/** From the moment base calls a payment confirmed until its recipient has the tokens there, ms. */
async function pay({ contestant, payments, payer, payee, account }: Side): Promise<number[]> {
  const { ledgerUrl } = contestant;
  const latenciesMs: number[] = [];
  for (let paid = 0; paid < PAYMENTS; paid++) {
    const before = await balanceOf(ledgerUrl, account);
    const terms = { from: payer.address, to: payee.address, mint: USDC, amount: AMOUNT };
    const { transactionBase64 } = await payments.build('transfer', terms);
    const signed = await signAs(payer, transactionBase64);
    const signature = await call<string>(ledgerUrl, 'sendTransaction', [signed, { encoding: 'base64' }]);
    await until(() => hasSucceeded(ledgerUrl, signature));
    const confirmedMs = performance.now();
    await until(async () => (await balanceOf(ledgerUrl, account)) === before + AMOUNT, PAUSE_MS);
    latenciesMs.push(performance.now() - confirmedMs);
  }
  return latenciesMs;
}
