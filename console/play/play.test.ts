import { describe, expect, it } from 'vitest';
import { PaymentsError } from '../../src/client/index.ts';
import type { TableMint } from '../context/console-state.ts';
import type { ShownEata } from '../history/accounts.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { FAILURE_WORDS } from '../../src/console/calls/failure-words.ts';
import { failureOf } from './failure.ts';
import { agoWords } from './happened.tsx';
import { requestFor, type Intent } from './intent.ts';
import { liveRow, unseenWords, withRow, wordOfLogs } from './live-card.tsx';
import { isUnread, readyOf, type Portrait, type AmountResult } from './portrait.ts';
import { stageWords } from './stage-words.ts';
import { afterLanding, asShown, NOTHING_DONE, onceMore, stepOf, type Progress } from './tour.ts';
import { rollupCell, rollupWords } from './wallet-card.tsx';

const PAY: Intent = {
  kind: 'pay',
  wallet: 'Alice',
  to: 'Bob',
  amount: 1_250_000n,
  memo: 'for lunch',
  isOnBase: false,
};

describe('the tour', () => {
  it('advances when a step lands, and only then', () => {
    let progress: Progress = NOTHING_DONE;
    const steps = [stepOf(progress)];
    const go = (next: Progress): void => {
      progress = next;
      steps.push(stepOf(progress));
    };
    go({ ...progress, wallets: ['Alice', 'Bob'] });
    go(afterLanding(progress, { kind: 'deposit', wallet: 'Alice', amount: 1n }, 's'));
    go(afterLanding(progress, { kind: 'deposit', wallet: 'Bob', amount: 1n }, 's'));
    go(afterLanding(progress, { ...PAY, wallet: 'Bob', to: 'Alice' }, 's'));
    go(afterLanding(progress, PAY, 'payment'));
    go({ ...progress, hasLooked: true });
    go(afterLanding(progress, { kind: 'undelegate', wallet: 'Alice' }, 's'));
    go({ ...progress, settled: 2_250_000n });
    go(afterLanding(progress, { kind: 'withdraw', wallet: 'Alice', amount: 2_250_000n }, 's'));
    expect(steps).toEqual([0, 1, 1, 2, 2, 3, 4, 4, 4, 5]);
    expect(progress.paid).toEqual({ amount: 1_250_000n, signature: 'payment' });
  });

  const asked: Progress = {
    ...NOTHING_DONE,
    wallets: ['Alice', 'Bob'],
    deposited: ['Alice', 'Bob'],
    paid: { amount: 1n, signature: 's' },
    hasLooked: true,
    hasUndelegated: true,
  };

  it('reads the settled balance from base', () => {
    const back = { amount: 2_250_000n, isDelegated: false, slot: 1 };
    expect(asShown(asked, back).settled).toBe(2_250_000n);
    expect(asShown({ ...asked, settled: 2_250_000n }, { ...back, amount: 1n }).settled).toBe(1n);
    expect(asShown(asked, { ...back, isDelegated: true }).settled).toBeNull();
    expect(asShown(asked, null).settled).toBeNull();
    expect(asShown({ ...asked, hasUndelegated: false }, back).settled).toBeNull();
  });

  it('is finished if everything was paid: there is nothing to withdraw', () => {
    expect(stepOf(asShown(asked, { amount: 0n, isDelegated: false, slot: 1 }))).toBe(5);
    expect(stepOf({ ...asked, settled: 1n })).toBe(4);
    expect(stepOf(asked)).toBe(4);
  });

  it('clears the settled balance when the payer deposits again', () => {
    const again = afterLanding(
      { ...asked, settled: 1n },
      { kind: 'deposit', wallet: 'Alice', amount: 1n },
      's',
    );
    expect(again).toMatchObject({ hasUndelegated: false, settled: null, deposited: ['Bob', 'Alice'] });
  });

  it('makes the payer deposit again in a second round, because the vault holds nothing of theirs', () => {
    const done: Progress = {
      ...NOTHING_DONE,
      wallets: ['Alice', 'Bob'],
      deposited: ['Alice', 'Bob'],
      taken: 1n,
    };
    expect(onceMore(done)).toEqual({ ...NOTHING_DONE, wallets: ['Alice', 'Bob'], deposited: ['Bob'] });
  });
});

describe('the stage', () => {
  const facts = {
    payer: 'Alice',
    payee: 'Bob',
    paid: '1.25 USDC',
    deposits: '3.5 USDC and 1 USDC',
    onBase: '8.75 USDC',
    less: null,
    isWaitingForTakeOut: false,
  };

  it('shows the paid amount to the owner only', () => {
    const told = (as: Viewpoint) =>
      JSON.stringify([0, 1, 2, 3, 4].map((step) => stageWords(step, as, facts)));
    expect(told('owner')).toContain('1.25');
    expect(told('anyone')).not.toContain('1.25');
    expect(told('base')).not.toContain('1.25');
  });

  it('says once that the operator of the service sees everything', () => {
    expect(stageWords(3, 'anyone', facts).text).toContain('The operator of this service can see everything.');
  });
});

describe('a request', () => {
  const terms = { mint: 'mint', layout: 'a', isDelegated: false } as const;

  it('for a payment is private, on the rollup, with the note', () => {
    expect(requestFor(PAY, terms)).toEqual({
      operation: 'transfer',
      arguments: {
        from: 'Alice',
        to: 'Bob',
        mint: 'mint',
        amount: 1_250_000n,
        visibility: 'private',
        fromBalance: 'ephemeral',
        toBalance: 'ephemeral',
        memo: 'for lunch',
      },
    });
    expect(requestFor({ ...PAY, memo: '  ' }, terms).arguments).not.toHaveProperty('memo');
  });

  it('for a deposit uses the form that fits the current state of the eATA', () => {
    const deposit: Intent = { kind: 'deposit', wallet: 'Alice', amount: 1n };
    const form = (layout: 'a' | 'b', isDelegated: boolean) => {
      const {
        owner: _owner,
        mint: _mint,
        amount: _amount,
        ...rest
      } = requestFor(deposit, { mint: 'm', layout, isDelegated }).arguments as unknown as Record<
        string,
        unknown
      >;
      return rest;
    };
    expect([form('a', true), form('b', false), form('b', true)]).toEqual([
      {},
      { idempotent: false, initVaultIfMissing: true },
      { idempotent: true },
    ]);
  });
});

const MINT: TableMint = {
  mint: 'mint',
  symbol: 'USDC',
  decimals: 6,
  tokenProgram: 'token',
  vault: 'vault',
  faucet: true,
};
const DELEGATED: ShownEata = { amount: 3_500_000n, isDelegated: true, slot: 708 };
const portrait = (onRollup: AmountResult, eata: ShownEata | null = DELEGATED): Portrait => ({
  onBase: { kind: 'amount', amount: 6_500_000n },
  onRollup,
  isFrozen: false,
  eata,
  eataFault: null,
  wires: [],
});

describe('additional features of the networks’ programs', () => {
  const terms = { mint: 'mint', layout: 'b', isDelegated: false } as const;

  it('include payments from base to base, for which the mint is set up first', () => {
    const { operation, arguments: given } = requestFor({ ...PAY, isOnBase: true, memo: '' }, terms);
    expect([operation, given]).toMatchObject([
      'transfer',
      { fromBalance: 'base', toBalance: 'base', visibility: 'private' },
    ]);
    expect(requestFor({ kind: 'prepare', wallet: 'Alice' }, terms)).toEqual({
      operation: 'initializeMint',
      arguments: { payer: 'Alice', mint: 'mint' },
    });
  });

  it('include a handle of the wallet, requested in two parts', () => {
    const [pool, wallets] = (['pool', 'wallets'] as const).map((part) =>
      requestFor({ kind: 'handle', wallet: 'Alice', handle: 'alice.pay', part }, terms),
    );
    expect(pool).toEqual({
      operation: 'createStealthPool',
      arguments: { payer: 'Alice', authority: 'Alice', handle: 'alice.pay', destinations: ['Alice'] },
      part: 'pool',
    });
    expect(wallets).toEqual({ ...pool, part: 'wallets' });
  });
});

describe('the rollup balance of a wallet', () => {
  it.each([
    ['owner', 'value', 'only Alice can read this', { kind: 'amount', amount: 2_250_000n }],
    ['anyone', 'void', 'account not found', { kind: 'absent' }],
    ['base', 'nothing', 'base: 3.5 USDC deposited', { kind: 'not-asked' }],
    ['anyone', 'nothing', 'No answer.', { kind: 'failed', message: 'No answer.' }],
    ['anyone', 'value', 'everyone can read this', { kind: 'amount', amount: 1n }],
  ] as const)('for %s is %s: %s', (as, state, words, told) => {
    expect(rollupCell(as, portrait(told), MINT).state).toBe(state);
    expect(rollupWords(as, 'Alice', portrait(told), MINT)).toBe(words);
  });

  it('is unknown, not zero, if base could not be read', () => {
    const unread: Portrait = {
      ...portrait({ kind: 'amount', amount: 2_250_000n }, null),
      eataFault: 'The base ledger does not answer.',
    };
    for (const as of ['owner', 'anyone', 'base'] as const) {
      expect(rollupCell(as, unread, MINT)).toEqual({ state: 'nothing', says: 'no response' });
      expect(rollupWords(as, 'Alice', unread, MINT)).toBe('base: The base ledger does not answer.');
    }
    expect([isUnread(unread), isUnread(portrait({ kind: 'absent' }))]).toEqual([true, false]);
    expect(isUnread(portrait({ kind: 'failed', message: 'No answer.' }))).toBe(true);
  });

  it('of a wallet that is not logged in says so, instead of showing zero', () => {
    expect(rollupCell('owner', portrait({ kind: 'not-asked' }), MINT)).toEqual({
      state: 'nothing',
      says: 'not logged in',
    });
    expect(rollupWords('owner', 'Alice', portrait({ kind: 'not-asked' }), MINT)).toBe('log in to read it');
  });

  it('is loading, not hidden, before an answer arrives', () => {
    expect(rollupCell('anyone', null, MINT)).toEqual({ state: 'loading' });
  });

  it('is empty without a delegation: base accounts shown by the rollup are not its balance', () => {
    const told: AmountResult = { kind: 'amount', amount: 10_000_000n };
    expect(rollupCell('owner', portrait(told, null), MINT)).toEqual({ state: 'nothing' });
    const back = { ...DELEGATED, isDelegated: false };
    expect(rollupCell('owner', portrait(told, back), MINT)).toEqual({ state: 'nothing' });
    for (const as of ['owner', 'anyone', 'base'] as const)
      expect(rollupWords(as, 'Alice', portrait(told, back), MINT)).toBe('3.5 USDC to withdraw');
  });
});

describe('the withdrawable amount', () => {
  it('is what base shows, zero while it is delegated, and unknown if base was not read', () => {
    const told: AmountResult = { kind: 'absent' };
    expect(readyOf(portrait(told, { ...DELEGATED, isDelegated: false }))).toBe(3_500_000n);
    expect([readyOf(portrait(told)), readyOf(portrait(told, null))]).toEqual([0n, 0n]);
    const unread = { ...portrait(told, null), eataFault: 'The base ledger does not answer.' };
    expect([readyOf(unread), readyOf(null)]).toEqual([null, null]);
  });
});

describe('a failure', () => {
  const codes = [
    'EATA_ALREADY_DELEGATED',
    'NETWORK',
    'TIMEOUT',
    'INTERNAL_ERROR',
    'UPSTREAM_TIMEOUT',
  ] as const;

  it('suggests a remedy by its code', () => {
    const failure = failureOf(
      new PaymentsError('EATA_ALREADY_DELEGATED', 'words of the service'),
      'before-signing',
      FAILURE_WORDS,
    );
    expect(failure).toMatchObject({
      title: 'Undelegate it first.',
      wayOut: 'undelegate',
      code: 'EATA_ALREADY_DELEGATED',
    });
  });

  it('with an unknown code keeps the text of the service', () => {
    const error = new PaymentsError('VAULT_NOT_INITIALIZED', 'The vault is missing.');
    expect(failureOf(error, 'before-signing', FAILURE_WORDS).text).toContain('The vault is missing.');
  });

  it.each(codes)('with %s says that nothing moved only before signing', (code) => {
    const error = new PaymentsError(code, 'words');
    expect(failureOf(error, 'before-signing', FAILURE_WORDS).text).toContain('Nothing moved.');
    expect(failureOf(error, 'beyond', FAILURE_WORDS).text).not.toContain('Nothing moved');
    expect(failureOf(new Error('words'), 'beyond').text).not.toContain('Nothing moved');
  });

  it.each(codes)('with %s offers to build the same again only before signing', (code) => {
    expect(failureOf(new PaymentsError(code, 'words'), 'beyond', FAILURE_WORDS).wayOut).not.toBe('again');
    expect(failureOf(new Error('words'), 'before-signing').wayOut).toBe('again');
  });
});

describe('the live feed', () => {
  const event = (signature: string, logs: readonly string[] = []) => ({
    context: { slot: 5 },
    value: { signature, err: null, logs },
  });

  it('names a transaction by its logs', () => {
    const word = (...programs: readonly string[]) =>
      wordOfLogs(programs.map((program) => `Program ${program}`));
    const ephemeral = 'SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2';
    const delegation = 'DELeGGvXpWV2fqJUhqcF5ZSYMS4JTLjteaAMARRSaeSh';
    expect(word(`${ephemeral} invoke [1]`, `${delegation} invoke [2]`)).toBe('deposit');
    expect(word(`${delegation} invoke [1]`, `${ephemeral} invoke [2]`)).toBe('settlement');
    expect(word(`${ephemeral} invoke [1]`, 'Magic11111111111111111111111111111111111111 invoke [2]')).toBe(
      'undelegation',
    );
    expect(word(`${ephemeral} invoke [1]`, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [2]')).toBe(
      'withdrawal',
    );
    expect(word(`${ephemeral} invoke [1]`)).toBe('transaction');
    expect(word()).toBe('transaction');
  });

  it('shows a count that could not be read as unknown, not as zero', () => {
    expect([null, 0, 1, 1_200].map((count) => unseenWords(count))).toEqual([
      'Rollup: count unknown',
      'Rollup: no transactions yet',
      '1 transaction, all hidden',
      '1,200 transactions, all hidden',
    ]);
  });

  it('shows each transaction once, newest first, and no more than fit', () => {
    const row = (signature: string) => liveRow('base', event(signature));
    let rows = [1, 2, 3, 4, 5, 6, 7].reduce<ReturnType<typeof withRow>>((all, at) => {
      const one = row(`${at}`);
      return one === null ? all : withRow(all, one);
    }, []);
    expect(rows.map(({ signature }) => signature)).toEqual(['7', '6', '5', '4', '3', '2']);
    const again = row('5');
    if (again !== null) rows = withRow(rows, again);
    expect(rows).toHaveLength(6);
    expect(liveRow('base', null)).toBeNull();
  });
});

describe('the age of an event', () => {
  it('uses the largest unit that fits, and is never in the future', () => {
    expect([99, 41, -200, -9_000, -200_000].map((time) => agoWords(100, time))).toEqual([
      '1 s ago',
      '59 s ago',
      '5 min ago',
      '2 h ago',
      '2 d ago',
    ]);
    expect([agoWords(100, 200), agoWords(100, null)]).toEqual(['0 s ago', '']);
  });
});
