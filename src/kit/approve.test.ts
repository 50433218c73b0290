import { describe, expect, it } from 'vitest';
import type { ExplainTransactionOutput } from '../client/generated.ts';
import { approve, TransactionRefused } from './approve.ts';
import type { PaymentLimits } from './payments.ts';

const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';

const CLEAR: ExplainTransactionOutput = {
  verdict: 'clear',
  version: 'legacy',
  size: 200,
  cluster: 'localnet',
  sendTo: 'base',
  recentBlockhash: WALLET,
  feePayer: WALLET,
  signers: [{ address: WALLET, signature: 'missing' }],
  fullySigned: false,
  lookupTables: [],
  instructions: [],
  effects: {
    tokens: [],
    lamports: [],
    accountsCreated: [],
    rentLamportsMax: 0n,
    networkFeeLamportsMax: 5_000n,
  },
  findings: [],
  request: { operation: 'transfer', satisfied: 'yes', claims: [], differences: [] },
  chainRead: true,
};

const UNVERIFIABLE: Partial<ExplainTransactionOutput> = {
  verdict: 'caution',
  findings: [
    { level: 'caution', code: 'SEALED_RECIPIENT', message: 'sealed' },
    { level: 'caution', code: 'REQUEST_UNVERIFIABLE', message: 'a part' },
  ],
  request: {
    operation: 'transfer',
    satisfied: 'unverifiable',
    claims: [{ name: 'to', verdict: 'unverifiable', message: 'sealed' }],
    differences: [],
  },
};

interface Said {
  readonly accept?: readonly string[];
  readonly isSealedHere?: boolean;
  readonly limits?: PaymentLimits;
  readonly hasNoRequest?: boolean;
}

/** The codes of the reasons for a rejection; none if it is approved. */
function reasonsFor(
  change: Partial<ExplainTransactionOutput>,
  { accept = [], isSealedHere = false, limits = {}, hasNoRequest = false }: Said = {},
): string[] {
  const signers = new Set([WALLET]);
  const terms = { limits, accept: new Set(accept), signers, isSealedHere, args: {}, hasNoRequest };
  try {
    approve({ ...CLEAR, ...change }, terms);
    return [];
  } catch (error) {
    if (error instanceof TransactionRefused) return error.reasons.map(({ code }) => code);
    throw error;
  }
}

describe('approve()', () => {
  it('accepts a clear transaction that satisfies the request', () => {
    expect(reasonsFor({})).toEqual([]);
  });

  it('rejects a verdict that is not clear, even without a finding', () => {
    expect(reasonsFor({ verdict: 'caution' })).toEqual(['UNVERIFIABLE']);
    expect(reasonsFor({ verdict: 'danger' })).toEqual(['UNVERIFIABLE']);
    expect(reasonsFor({ chainRead: false })).toEqual(['UNVERIFIABLE']);
  });

  it('accepts a caution that the caller accepts, but never a danger', () => {
    const finding = { code: 'HIGH_RENT', message: 'much' };
    const caution = { verdict: 'caution', findings: [{ ...finding, level: 'caution' }] } as const;
    expect(reasonsFor(caution)).toEqual(['HIGH_RENT']);
    expect(reasonsFor(caution, { accept: ['HIGH_RENT'] })).toEqual([]);
    const danger = { verdict: 'danger', findings: [{ ...finding, level: 'danger' }] } as const;
    expect(reasonsFor(danger, { accept: ['HIGH_RENT'] })).toContain('HIGH_RENT');
  });

  it('accepts an unverifiable recipient only if the client itself sealed it', () => {
    expect(reasonsFor(UNVERIFIABLE)).toContain('SEALED_RECIPIENT');
    expect(reasonsFor(UNVERIFIABLE, { isSealedHere: true })).toEqual([]);
    const { request } = UNVERIFIABLE;
    const claims = [
      ...(request?.claims ?? []),
      { name: 'validator', verdict: 'unverifiable', message: 'unknown' } as const,
    ];
    const more = { ...UNVERIFIABLE, request: { ...(request ?? CLEAR.request), claims } as typeof request };
    expect(reasonsFor(more as Partial<ExplainTransactionOutput>, { isSealedHere: true })).toContain(
      'REQUEST_UNVERIFIABLE',
    );
  });

  it('rejects a transaction that someone else must also sign', () => {
    const signers = [...CLEAR.signers, { address: 'else', signature: 'missing' } as const];
    expect(reasonsFor({ signers })).toEqual(['SIGNER']);
    expect(reasonsFor({ signers: [...CLEAR.signers, { address: 'else', signature: 'valid' }] })).toEqual([]);
  });

  it('rejects amounts that cannot be compared with a limit (bug: NaN let everything pass)', () => {
    const effect = { account: WALLET, owner: WALLET, mint: null, change: -5n };
    const effects = { ...CLEAR.effects, tokens: [effect] } as unknown as typeof CLEAR.effects;
    const wallet = { address: WALLET, signs: true, tokens: [effect], lamportsMin: -5n };
    const spent = { effects, wallet } as unknown as Partial<ExplainTransactionOutput>;
    expect(reasonsFor(spent, { limits: { maxAmount: 5n, maxLamports: 5n } })).toEqual([]);
    for (const none of [NaN, '1.5'] as unknown[] as bigint[]) {
      expect(reasonsFor(spent, { limits: { maxAmount: none } })).toEqual(['LIMIT']);
      expect(reasonsFor(spent, { limits: { maxLamports: none } })).toEqual(['LIMIT']);
    }
    expect(reasonsFor(spent, { limits: { mints: [WALLET] } })).toEqual(['LIMIT']);
  });

  it('rejects other recipients of a transaction without a request (bug: it compared only requests)', () => {
    const paying = (owner: string | null, account: string | null) => {
      const own = { owner: WALLET, account: WALLET, mint: WALLET, held: null, change: -5n };
      const tokens = [own, { ...own, owner, account, change: 5n }];
      const wallet = { address: WALLET, signs: true, tokens: [own], lamportsMin: 0n };
      return { effects: { ...CLEAR.effects, tokens }, wallet } as unknown as typeof CLEAR;
    };
    const said = { hasNoRequest: true, limits: { recipients: ['shop'] } };
    expect(reasonsFor(paying('shop', 'its account'), said)).toEqual([]);
    expect(reasonsFor(paying(WALLET, 'own account'), said)).toEqual([]);
    expect(reasonsFor(paying('thief', 'its account'), said)).toEqual(['LIMIT']);
    expect(reasonsFor(paying(null, 'an account'), said)).toEqual(['LIMIT']);
    expect(reasonsFor(paying(null, null), said)).toEqual(['LIMIT']);
  });

  it('rejects an explanation without the wallet if there are limits (bug: maxAmount let it pass)', () => {
    expect(reasonsFor({}, { limits: { maxAmount: 5n } })).toEqual(['LIMIT']);
    expect(reasonsFor({}, { limits: { maxLamports: 5n } })).toEqual(['LIMIT']);
  });
});
