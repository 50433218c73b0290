import { describe, expect, it } from 'vitest';
import { PaymentsError } from '../../client/payments-error.ts';
import { TransactionRefused } from '../../kit/approve.ts';
import { Advised, withAdvice } from './advice.ts';
import type { SettledLayout } from './ledgers.ts';

const target = { service: new URL('http://127.0.0.1:1') };
const LAYOUT_A = { layout: 'a', isSure: true } as const;

/** The advice added to a failure; null if there is none. */
function adviceOn(error: Error, settled: SettledLayout): string | null {
  const told = withAdvice(error, { settled, target });
  if (told === error) return null;
  expect(told).toBeInstanceOf(Advised);
  return (told as Advised).advice;
}

const refusedFor = (code: string) => new TransactionRefused([{ code, message: 'x' }], {} as never);

describe('withAdvice', () => {
  it('names --layout only if the layout could not be detected', () => {
    const other = refusedFor('OTHER_LAYOUT');
    expect(adviceOn(other, { layout: 'a', isSure: false })).toContain('set --layout');
    expect(adviceOn(other, LAYOUT_A)).toBeNull();
    expect(adviceOn(refusedFor('UNVERIFIABLE'), { layout: 'a', isSure: false })).toBeNull();
  });

  it.each([
    ['SIGNER', '--keypair'],
    ['BLOCKHASH_OF_OTHER_LEDGER', '--send-to'],
    ['LIMIT', '--to, --max-amount'],
  ])('names the flag that caused a refusal for %s', (code, flag) => {
    expect(adviceOn(refusedFor(code), LAYOUT_A)).toContain(flag);
  });

  it('names undelegate if the account for a deposit is already delegated', () => {
    const twice = new PaymentsError('EATA_ALREADY_DELEGATED', 'x');
    expect(adviceOn(twice, LAYOUT_A)).toContain('"undelegate" first');
  });

  it('names init-mint only on layout b (bug: it was named on layout a, which rejects it)', () => {
    const bare = new PaymentsError('VAULT_NOT_INITIALIZED', 'x');
    expect(adviceOn(bare, { layout: 'b', isSure: true })).toContain('"init-mint" to set up the mint');
    expect(adviceOn(bare, LAYOUT_A)).toBeNull();
    expect(adviceOn(new PaymentsError('MINT_NOT_FOUND', 'x'), { layout: 'b', isSure: true })).toBeNull();
  });

  it('names flags if a recipient has not deposited (bug: it named arguments of the service)', () => {
    const notThere = (details: Record<string, unknown>) =>
      new PaymentsError('EATA_NOT_DELEGATED', 'x', { details });
    expect(adviceOn(notThere({ field: 'to' }), LAYOUT_A)).toContain('--to-balance base --public');
    expect(adviceOn(notThere({}), LAYOUT_A)).toBeNull();
  });

  it.each([
    ['NETWORK', 'The tool service at 127.0.0.1:1 does not answer: is it running? Start one'],
    ['TIMEOUT', 'The tool service at 127.0.0.1:1 did not answer in time. Start one'],
  ] as const)('describes %s with its own flags (bug: it named options of the client)', (code, words) => {
    const told = withAdvice(new PaymentsError(code, 'raise timeoutMs'), { settled: LAYOUT_A, target });
    expect(told).toMatchObject({ exit: 'unavailable', code, message: expect.stringContaining(words) });
  });
});
