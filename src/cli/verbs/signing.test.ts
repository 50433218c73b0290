import { describe, expect, it } from 'vitest';
import { PaymentsError } from '../../client/payments-error.ts';
import type { Receipt } from '../../kit/payments.ts';
import { reportSent } from './signing.ts';
import type { Terminal } from './terminal.ts';
import { VerbCall } from './verb-call.ts';

const SIGNATURE = '3b3f5gySH4E5oo9kgzrsMjkB8JELo5AnPRCFbFYiAY6qaCz6AvviWXuZvqVjSea9vrLr86bYkTujitEGqkbB8nTM';

/** A call whose wallet signs where `signs`, and whose payment then ends so. */
function paying(signs: boolean, end: () => Receipt) {
  const said: string[] = [];
  const terminal = { isWatched: false, print: () => {}, log: (text: string) => void said.push(text) };
  const call = new VerbCall([], new Map(), terminal as unknown as Terminal);
  let signed: string | null = null;
  const signing = { wallet: '', signature: () => signed, checked: null as never };
  const ended = reportSent(call, signing, async () => {
    if (signs) signed = SIGNATURE;
    return end();
  });
  return { ended, said };
}

const failing = (code: 'NETWORK' | 'UPSTREAM_TIMEOUT' | 'TRANSACTION_FAILED') => (): Receipt => {
  throw new PaymentsError(code, 'no answer');
};

const withOutcome = (outcome: Receipt['outcome']) => (): Receipt =>
  ({
    outcome,
    message: 'what was seen',
    signature: SIGNATURE,
    sendTo: 'base',
    explanation: { effects: { tokens: [] } },
  }) as unknown as Receipt;

describe('reportSent', () => {
  it.each(['NETWORK', 'UPSTREAM_TIMEOUT'] as const)(
    'names the signature if %s leaves the outcome unknown',
    async (code) => {
      await expect(paying(true, failing(code)).ended).rejects.toMatchObject({
        exit: 'unconfirmed',
        code: 'OUTCOME_UNKNOWN',
        facts: { signature: SIGNATURE },
      });
    },
  );

  it('passes on errors from before signing', async () => {
    await expect(paying(false, failing('NETWORK')).ended).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it('passes on a rejection of the ledger, which is final', async () => {
    const refused = paying(true, failing('TRANSACTION_FAILED'));
    await expect(refused.ended).rejects.toMatchObject({ code: 'TRANSACTION_FAILED' });
  });

  it.each([
    ['arrived', 'done', ''],
    ['still under way', 'unconfirmed', 'what was seen'],
    ['moved nothing', 'refused', 'what was seen'],
  ] as const)('reports %s as %s', async (outcome, exit, words) => {
    const { ended, said } = paying(true, withOutcome(outcome));
    expect(await ended).toBe(exit);
    expect(said.join('')).toContain(words);
  });
});
