import { describe, expect, it } from 'vitest';
import type { ExplainTransactionOutput } from '../../src/client/generated.ts';
import { PaymentsError, type PrivatePayments } from '../../src/client/index.ts';
import { decodeBase58, decodeBase64, encodeBase58, encodeBase64 } from '../parts/encodings.ts';
import { readTransaction, signatureOf, splitBlockhash } from '../solana/transaction.ts';
import { memoryStorage } from '../testing/memory-storage.ts';
import { type Keypair, makeKeypair } from '../wallets/keypair.ts';
import { type Agreed, consentOf, contentOf } from './consent.ts';
import { dropSent, storeSent, storedSent, lookUp, type Status } from './look-up.ts';
import { type PaymentRequest, type Proposal, propose, requestOf } from './proposal.ts';
import { NotAgreed, type Sent, submit } from './submit.ts';

const CLEAR: ExplainTransactionOutput = {
  verdict: 'clear',
  version: 'legacy',
  size: 0,
  cluster: 'localnet',
  sendTo: 'ephemeral',
  recentBlockhash: 'blockhash',
  feePayer: '',
  signers: [],
  fullySigned: false,
  lookupTables: [],
  instructions: [],
  effects: {
    tokens: [],
    lamports: [],
    accountsCreated: [],
    rentLamportsMax: 0n,
    networkFeeLamportsMax: null,
  },
  findings: [],
  request: { operation: 'transfer', satisfied: 'yes', claims: [], differences: [] },
  chainRead: true,
};

const lamports = (change: bigint): ExplainTransactionOutput => ({
  ...CLEAR,
  effects: { ...CLEAR.effects, lamports: [{ address: 'Bob', change }] },
});

/** Whether consent to one explanation applies to another. */
const stillHolds = (shown: ExplainTransactionOutput, now: ExplainTransactionOutput): boolean => {
  const bytes = { wallet: 'w', sendTo: 'base', transactionBase64: 'AQ==' } as Proposal;
  return contentOf({ ...bytes, explanation: shown }) === contentOf({ ...bytes, explanation: now });
};

/** The state of the page after someone signs a proposal as shown. */
const agreedTo = (proposal: Proposal): Agreed => ({ content: contentOf(proposal), isTicked: false });

describe('consent', () => {
  const { request: satisfied, ...unasked } = CLEAR;
  const trial = { balanceChanges: [], logs: [], logsTruncated: false };
  it.each<readonly [string, object]>([
    ['a clear transaction that matches the request', CLEAR],
    ['a transaction that needs a close look', { ...CLEAR, verdict: 'caution' }],
    ['a sealed recipient', { ...CLEAR, request: { ...satisfied, satisfied: 'unverifiable' } }],
    ['a successful simulation', { ...CLEAR, simulation: { ...trial, status: 'succeeds' } }],
  ])('is not needed for %s', (_, explanation) => {
    expect(consentOf(explanation as ExplainTransactionOutput, false)).toBe('free');
  });

  it.each<readonly [string, object]>([
    ['a danger', { ...CLEAR, verdict: 'danger' }],
    ['a missing verdict', { ...CLEAR, verdict: undefined }],
    ['an unknown verdict', { ...CLEAR, verdict: 'worse' }],
    ['a transaction that differs from the request', { ...CLEAR, request: { ...satisfied, satisfied: 'no' } }],
    ['a transaction that was not compared', unasked],
    ['a failed simulation', { ...CLEAR, simulation: { ...trial, status: 'fails' } }],
  ])('is required for %s by ticking the box', (_, explanation) => {
    expect(consentOf(explanation as ExplainTransactionOutput, false)).toBe('refused');
    expect(consentOf(explanation as ExplainTransactionOutput, true)).toBe('ask');
  });

  it('applies to an explanation that differs only in the slot of its simulation', () => {
    const tried = (units: number, before: bigint): ExplainTransactionOutput => ({
      ...CLEAR,
      simulation: {
        status: 'succeeds',
        computeUnits: units,
        balanceChanges: [{ address: 'Bob', asset: 'lamports', before, after: before + 5n, change: 5n }],
        logs: [`slot ${units}`],
        logsTruncated: false,
      },
    });
    expect(stillHolds(CLEAR, CLEAR)).toBe(true);
    expect(stillHolds(tried(1, 7n), tried(2, 9n))).toBe(true);
    const { verdict, ...rest } = CLEAR;
    expect(stillHolds(CLEAR, { ...rest, verdict })).toBe(true);
  });

  const grave: ExplainTransactionOutput = {
    ...CLEAR,
    verdict: 'danger',
    findings: [{ level: 'danger', code: 'A', message: 'a' }],
    request: {
      operation: 'transfer',
      satisfied: 'no',
      claims: [],
      differences: [{ part: 'memo', expected: 'a', found: 'b' }],
    },
    simulation: { status: 'succeeds', balanceChanges: [], logs: [], logsTruncated: false },
  };
  const { request: compared, simulation: tried, ...bare } = grave;
  const { effects } = grave;
  const created = {
    address: 'x',
    what: 'x',
    payer: 'x',
    lamports: 1n,
    onlyIfMissing: false,
    exists: false,
  };
  it.each<readonly [string, ExplainTransactionOutput]>([
    ['another verdict', { ...grave, verdict: 'clear' }],
    ['another danger', { ...grave, findings: [{ level: 'danger', code: 'SET_AUTHORITY', message: 'b' }] }],
    ['no comparison', { ...bare, ...(tried && { simulation: tried }) }],
    ['a missing simulation', { ...bare, ...(compared && { request: compared }) }],
    ['a failed simulation', { ...grave, ...(tried && { simulation: { ...tried, status: 'fails' } }) }],
    [
      'another difference',
      {
        ...grave,
        ...(compared && {
          request: { ...compared, differences: [{ part: 'to', expected: 'Bob', found: 'Mallory' }] },
        }),
      },
    ],
    ['another created account', { ...grave, effects: { ...effects, accountsCreated: [created] } }],
    ['another rent', { ...grave, effects: { ...effects, rentLamportsMax: 10n ** 12n } }],
    ['another fee', { ...grave, effects: { ...effects, networkFeeLamportsMax: 10n ** 12n } }],
    ['other lamports', { ...grave, effects: { ...effects, lamports: [{ address: 'Bob', change: 6n }] } }],
    ['a ledger that was not read', { ...grave, chainRead: false }],
  ])('does not apply to %s than the user saw', (_, now) => {
    expect(stillHolds(grave, now)).toBe(false);
  });

  it('does not apply if a point is no longer compared', () => {
    const { request: _request, ...uncompared } = CLEAR;
    expect(stillHolds(CLEAR, uncompared)).toBe(false);
  });
});

/** An unsigned transaction of one signer. */
function unsigned(
  key: Keypair,
  blockhash: Uint8Array = new Uint8Array(32).fill(9),
  tail: Iterable<number> = [0],
): string {
  const signer = decodeBase58(key.address) ?? new Uint8Array();
  return encodeBase64(
    Uint8Array.from([1, ...Array<number>(64).fill(0), 1, 0, 0, 1, ...signer, ...blockhash, ...tail]),
  );
}

/** The transaction that a service builds. */
interface Built {
  /** The 32 bytes of its blockhash. */
  readonly blockhash: Uint8Array;
  /** The answers that follow. */
  readonly tail: Iterable<number>;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
  readonly explanation: ExplainTransactionOutput;
}

function builtIn(round: number, change: Partial<Built>): Built {
  const { blockhash = new Uint8Array(32).fill(round) } = change;
  const recentBlockhash = encodeBase58(blockhash);
  const built = { blockhash, tail: [0], recentBlockhash, lastValidBlockHeight: 100 * round };
  return { ...built, explanation: CLEAR, ...change };
}

/** A service whose blockhashes run out once they are explained; what it builds later may differ. */
function forgetfulService(key: Keypair, later: Partial<Built> = {}, first: Partial<Built> = {}) {
  const rounds = [builtIn(1, first), builtIn(2, later)] as const;
  let now = rounds[0];
  let built = 0;
  let explained = 0;
  const sent: Record<string, unknown>[] = [];
  const api = {
    transfer: async () => {
      now = rounds[built++] ?? rounds[1];
      const { recentBlockhash, lastValidBlockHeight } = now;
      const transactionBase64 = unsigned(key, now.blockhash, now.tail);
      return { transactionBase64, sendTo: 'ephemeral', recentBlockhash, lastValidBlockHeight };
    },
    explainTransaction: async (): Promise<ExplainTransactionOutput> => {
      explained += 1;
      const hash = encodeBase58(now.blockhash);
      const claim = { name: 'blockhash', verdict: 'ok', message: `blockhash: ${hash}` } as const;
      const compared = { operation: 'transfer', satisfied: 'yes', claims: [claim], differences: [] } as const;
      const told = { ...now.explanation, recentBlockhash: hash, request: { ...compared } };
      if (explained !== 2) return told;
      const finding = { level: 'danger', code: 'BLOCKHASH_UNKNOWN', message: 'It has expired.' } as const;
      return { ...told, verdict: 'danger', findings: [finding] };
    },
    sendTransaction: async (input: Record<string, unknown>) => {
      sent.push(input);
      return { outcome: 'confirmed' };
    },
  } as unknown as PrivatePayments;
  return { sent, ports: { api, tokenOf: () => 'token', store: () => undefined } };
}

/** A blockhash whose base58 is one letter 44 times, which is the base64 of 33 bytes as well. */
const blockhashOf = (letter: string): Uint8Array => decodeBase58(letter.repeat(44)) ?? new Uint8Array();
const bytesOf = (letter: string): Uint8Array => decodeBase64(letter.repeat(44)) ?? new Uint8Array();

/** A service that builds one transaction, explains it with each of `explanations` in turn, and takes it. */
function service(
  key: Keypair,
  explanations: readonly ExplainTransactionOutput[],
  outcome: string | ((signed: string) => Error) = 'confirmed',
) {
  const calls: { readonly name: string; readonly input: Record<string, unknown>; readonly token: unknown }[] =
    [];
  let asked = 0;
  const answer: Record<string, (input: Record<string, unknown>) => object> = {
    transfer: () => ({
      transactionBase64: unsigned(key),
      sendTo: 'ephemeral',
      recentBlockhash: 'blockhash',
      lastValidBlockHeight: 858,
    }),
    explainTransaction: () => explanations[asked++] ?? CLEAR,
    sendTransaction: ({ transactionBase64 }) => {
      if (typeof outcome === 'string') return { outcome };
      const bytes = decodeBase64(String(transactionBase64)) ?? new Uint8Array();
      throw outcome(signatureOf(bytes));
    },
  };
  const api = new Proxy({} as PrivatePayments, {
    get:
      (_, name: string) =>
      async (input: Record<string, unknown>, options: { readonly token?: string } = {}) => {
        calls.push({ name, input, token: options.token });
        return answer[name]?.(input);
      },
  });
  const kept: Sent[] = [];
  return { calls, kept, ports: { api, tokenOf: () => 'token', store: (sent: Sent) => void kept.push(sent) } };
}

const request = (from: string): PaymentRequest => ({
  operation: 'transfer',
  arguments: { from, to: 'Bob', mint: 'mint', amount: 18_446_744_073_709_551_615n },
});

describe('a proposal', () => {
  it('is explained against the exact request, with the blockhash, the ledger and the wallet', async () => {
    const key = await makeKeypair();
    const { calls, ports } = service(key, [CLEAR]);
    const proposal = await propose(ports, key.address, request(key.address));
    expect(calls.map(({ name, token }) => [name, token])).toEqual([
      ['transfer', 'token'],
      ['explainTransaction', 'token'],
    ]);
    expect(calls[1]?.input).toEqual({
      transactionBase64: proposal.transactionBase64,
      sendTo: 'ephemeral',
      wallet: key.address,
      request: requestOf(request(key.address), 'blockhash'),
    });
    expect(requestOf(request('Alice'), 'b').arguments['amount']).toBe('18446744073709551615');
  });

  it('is explained again before signing, and the wallet signs exactly that message', async () => {
    const key = await makeKeypair();
    const { calls, ports } = service(key, [CLEAR, CLEAR]);
    const proposal = await propose(ports, key.address, request(key.address));
    const sent = await submit(ports, proposal, agreedTo(proposal), key);
    expect(calls.map(({ name }) => name).slice(2)).toEqual(['explainTransaction', 'sendTransaction']);
    const bytes = decodeBase64(String(calls[3]?.input['transactionBase64'])) ?? new Uint8Array();
    const before = readTransaction(decodeBase64(proposal.transactionBase64) ?? new Uint8Array());
    expect(bytes.slice(65)).toEqual(before.message);
    expect(bytes.slice(1, 65)).toEqual(await key.sign(before.message));
    expect(sent).toMatchObject({ outcome: 'landed' });
  });

  it('whose effect has changed is not signed, and is shown again', async () => {
    const key = await makeKeypair();
    const { calls, ports } = service(key, [lamports(5n), lamports(6n)]);
    const proposal = await propose(ports, key.address, request(key.address));
    const sent = await submit(ports, proposal, agreedTo(proposal), key);
    expect(sent).toMatchObject({ outcome: 'changed', proposal: { explanation: lamports(6n) } });
    expect(calls.some(({ name }) => name === 'sendTransaction')).toBe(false);
  });

  it('is signed at the first press even if its blockhash expired, if nothing else differs', async () => {
    const key = await makeKeypair();
    const { sent, ports } = forgetfulService(key);
    const proposal = await propose(ports, key.address, request(key.address));
    const submitted = await submit(ports, proposal, agreedTo(proposal), key);
    expect(submitted).toMatchObject({ outcome: 'landed', sent: { lastValidBlockHeight: 200 } });
    const bytes = decodeBase64(String(sent[0]?.['transactionBase64'])) ?? new Uint8Array();
    expect(splitBlockhash(readTransaction(bytes)).blockhash).toBe(sent[0]?.['recentBlockhash']);
    expect(sent[0]?.['recentBlockhash']).not.toBe(proposal.recentBlockhash);
    expect(bytes.slice(1, 65)).toEqual(await key.sign(readTransaction(bytes).message));
  });

  it.each<readonly [string, Partial<Built>]>([
    ['another byte', { tail: [1] }],
    ['another effect', { explanation: lamports(7n) }],
    ['another blockhash than it says', { recentBlockhash: encodeBase58(blockhashOf('B')) }],
    ['an earlier last block height', { lastValidBlockHeight: 99 }],
  ])('whose blockhash expired and that now has %s is not signed, and is shown again', async (_, later) => {
    const key = await makeKeypair();
    const { sent, ports } = forgetfulService(key, later);
    const proposal = await propose(ports, key.address, request(key.address));
    const submitted = await submit(ports, proposal, agreedTo(proposal), key);
    expect(submitted).toMatchObject({ outcome: 'changed' });
    expect(submitted).not.toMatchObject({ proposal });
    expect(sent).toEqual([]);
  });

  it('that differs only in an earlier last block height is not signed', async () => {
    const key = await makeKeypair();
    const { sent, ports } = forgetfulService(key, {
      blockhash: new Uint8Array(32).fill(1),
      lastValidBlockHeight: 99,
    });
    const proposal = await propose(ports, key.address, request(key.address));
    expect(await submit(ports, proposal, agreedTo(proposal), key)).toMatchObject({ outcome: 'changed' });
    expect(sent).toEqual([]);
  });

  it('whose other bytes contain the blockhash of the rebuild is not signed', async () => {
    const key = await makeKeypair();
    const same = Array<number>(33).fill(7);
    // Two bytes more, so that the base64 of each 33 is letters of its own.
    const [shown, rebuilt] = [
      [0, 0, ...bytesOf('B'), ...same],
      [0, 0, ...same, ...bytesOf('C')],
    ];
    const { sent, ports } = forgetfulService(
      key,
      { blockhash: blockhashOf('C'), tail: rebuilt },
      { blockhash: blockhashOf('B'), tail: shown },
    );
    const proposal = await propose(ports, key.address, request(key.address));
    expect(await submit(ports, proposal, agreedTo(proposal), key)).toMatchObject({ outcome: 'changed' });
    expect(sent).toEqual([]);
  });

  it('that names another address at each place of the old blockhash is not signed', async () => {
    const key = await makeKeypair();
    const paying = (letter: string): Partial<Built> => {
      const address = letter.repeat(44);
      const effects = { ...CLEAR.effects, lamports: [{ address, change: 5n }] };
      return { blockhash: blockhashOf(letter), explanation: { ...CLEAR, effects } };
    };
    const { sent, ports } = forgetfulService(key, paying('C'), paying('B'));
    const proposal = await propose(ports, key.address, request(key.address));
    expect(await submit(ports, proposal, agreedTo(proposal), key)).toMatchObject({ outcome: 'changed' });
    expect(sent).toEqual([]);
  });

  it.each<readonly [string, (proposal: Proposal, other: Proposal) => Proposal]>([
    ['bytes', (proposal, { transactionBase64 }) => ({ ...proposal, transactionBase64 })],
    ['ledger', (proposal) => ({ ...proposal, sendTo: 'base' })],
    ['wallet', (proposal, { wallet }) => ({ ...proposal, wallet })],
    ['explanation', (proposal) => ({ ...proposal, explanation: lamports(5n) })],
  ])('with different %s than the user accepted is not signed, and is shown', async (_, change) => {
    const [key, mallory] = [await makeKeypair(), await makeKeypair()];
    const { calls, ports } = service(key, []);
    const shown = await propose(ports, key.address, request(key.address));
    const other = await propose(service(mallory, []).ports, mallory.address, request(mallory.address));
    const proposal = change(shown, other);
    const sent = await submit(ports, proposal, agreedTo(shown), key);
    expect(sent).toEqual({ outcome: 'changed', proposal });
    expect(calls.map(({ name }) => name)).not.toContain('sendTransaction');
  });

  it('with an objection is signed only if the box is ticked', async () => {
    const key = await makeKeypair();
    const danger: ExplainTransactionOutput = { ...CLEAR, verdict: 'danger' };
    const { calls, ports } = service(key, [danger, danger]);
    const proposal = await propose(ports, key.address, request(key.address));
    await expect(submit(ports, proposal, agreedTo(proposal), key)).rejects.toThrow(
      new NotAgreed('It contains a dangerous instruction.'),
    );
    expect(calls.map(({ name }) => name)).toEqual(['transfer', 'explainTransaction']);
    const ticked = await submit(ports, proposal, { ...agreedTo(proposal), isTicked: true }, key);
    expect(ticked).toMatchObject({ outcome: 'landed' });
  });

  it('is stored by its signature before it is sent, and is not sent if it cannot be stored', async () => {
    const key = await makeKeypair();
    const { calls, kept, ports } = service(key, []);
    const proposal = await propose(ports, key.address, request(key.address));
    const store = (sent: Sent): void => {
      expect(calls.map(({ name }) => name)).not.toContain('sendTransaction');
      ports.store(sent);
    };
    const submitted = await submit({ ...ports, store }, proposal, agreedTo(proposal), key);
    expect(submitted).toEqual({ outcome: 'landed', sent: kept[0] });
    const { calls: others, ports: full } = service(key, []);
    const throws = (): never => {
      throw new Error('full');
    };
    await expect(submit({ ...full, store: throws }, proposal, agreedTo(proposal), key)).rejects.toThrow(
      'full',
    );
    expect(others.map(({ name }) => name)).not.toContain('sendTransaction');
  });

  it.each([
    ['expired', 'expired'],
    ['sent', 'unknown'],
  ])('for which the ledger says %s is %s', async (said, outcome) => {
    const key = await makeKeypair();
    const { ports } = service(key, [CLEAR, CLEAR], said);
    const proposal = await propose(ports, key.address, request(key.address));
    expect(await submit(ports, proposal, agreedTo(proposal), key)).toMatchObject({ outcome });
  });

  it.each<readonly [string, (signature: string) => Error]>([
    ['NETWORK', () => new PaymentsError('NETWORK', 'cut')],
    ['TIMEOUT', () => new PaymentsError('TIMEOUT', 'late')],
    ['INTERNAL_ERROR', () => new PaymentsError('INTERNAL_ERROR', 'broken')],
    ['OPERATION_TIMEOUT', () => new PaymentsError('OPERATION_TIMEOUT', 'late')],
    [
      'UPSTREAM_TIMEOUT',
      (signature) =>
        new PaymentsError('UPSTREAM_TIMEOUT', 'late', { details: { signature, outcome: 'unknown' } }),
    ],
    ['TRANSACTION_FAILED of another transaction', () => new PaymentsError('TRANSACTION_FAILED', 'refused')],
    ['any other error', () => new Error('broken')],
  ])('whose answer is lost to %s after sending is unknown, with its signature', async (_, failure) => {
    const key = await makeKeypair();
    const { ports } = service(key, [CLEAR, CLEAR], failure);
    const proposal = await propose(ports, key.address, request(key.address));
    const { message } = readTransaction(decodeBase64(proposal.transactionBase64) ?? new Uint8Array());
    expect(await submit(ports, proposal, agreedTo(proposal), key)).toMatchObject({
      outcome: 'unknown',
      sent: {
        wallet: key.address,
        sendTo: 'ephemeral',
        signature: encodeBase58(await key.sign(message)),
        lastValidBlockHeight: 858,
      },
    });
  });

  it('that failed, or that the service says can no longer land, is not pending', async () => {
    const key = await makeKeypair();
    const failed = service(
      key,
      [CLEAR, CLEAR],
      (signature) => new PaymentsError('TRANSACTION_FAILED', 'why', { details: { signature, slot: 5 } }),
    ).ports;
    const expired = service(
      key,
      [CLEAR, CLEAR],
      (signature) =>
        new PaymentsError('TRANSACTION_EXPIRED', 'why', { details: { signature, outcome: 'expired' } }),
    ).ports;
    const proposal = await propose(failed, key.address, request(key.address));
    expect(await submit(failed, proposal, agreedTo(proposal), key)).toMatchObject({
      outcome: 'failed',
      message: 'why',
    });
    expect(await submit(expired, proposal, agreedTo(proposal), key)).toMatchObject({ outcome: 'expired' });
  });

  it('that cannot be explained again is not sent, and fails as unsigned', async () => {
    const key = await makeKeypair();
    const { calls, ports } = service(key, [CLEAR]);
    const proposal = await propose(ports, key.address, request(key.address));
    const broken = {
      ...ports,
      api: { explainTransaction: () => Promise.reject(new PaymentsError('NETWORK', 'cut')) } as never,
    };
    await expect(submit(broken, proposal, agreedTo(proposal), key)).rejects.toThrow('cut');
    expect(calls.some(({ name }) => name === 'sendTransaction')).toBe(false);
  });
});

describe('a sent transaction in the storage of the tab', () => {
  const PLACE = 'spl-private-payments.sent';
  const sent: Sent = { wallet: 'Alice', sendTo: 'ephemeral', signature: 's', lastValidBlockHeight: 100 };

  it('is restored for the same ledger only, until it is dropped', () => {
    const storage = memoryStorage();
    expect(storedSent(storage, 'genesis')).toBeNull();
    storeSent(storage, 'genesis', sent);
    expect([storedSent(storage, 'genesis'), storedSent(storage, 'other')]).toEqual([sent, null]);
    dropSent(storage, { ...sent, signature: 'of an earlier one' });
    expect(storedSent(storage, 'genesis')).toEqual(sent);
    dropSent(storage, sent);
    expect(storage.kept.size).toBe(0);
  });

  it.each(['', 'no JSON', 'null', '7', '{}', '{"wallet":"Alice","sendTo":"mars","genesisHash":"genesis"}'])(
    'is ignored if it contains %j',
    (text) => {
      const storage = memoryStorage();
      storage.setItem(PLACE, text);
      expect(storedSent(storage, 'genesis')).toBeNull();
      dropSent(storage, sent);
    },
  );
});

describe('a signature lookup', () => {
  const sent: Sent = { wallet: 'Alice', sendTo: 'base', signature: 's', lastValidBlockHeight: 100 };
  const ledger = (height: number | null, ...statuses: readonly Status[]) => {
    let asked = 0;
    return {
      statusOf: () => Promise.resolve(statuses[asked++] ?? 'unread'),
      heightOf: () => Promise.resolve(height),
    };
  };

  it.each<readonly [string, number | null, readonly Status[], string]>([
    ['landed if it is found', 0, ['landed'], 'landed'],
    ['failed if it landed and failed', 0, ['failed'], 'failed'],
    ['pending as long as it can land', 100, ['absent'], 'open'],
    ['expired when it can no longer land', 101, ['absent', 'absent'], 'expired'],
    ['landed if it lands between the two reads', 101, ['absent', 'landed'], 'landed'],
    ['not expired if the ledger does not answer', 101, ['unread'], 'unread'],
    ['not expired if the ledger does not answer again', 101, ['absent', 'unread'], 'unread'],
    ['not expired if the height was not read', null, ['absent'], 'unread'],
    ['not expired if it may be hidden', 101, ['hidden'], 'hidden'],
  ])('returns %s', async (_, height, statuses, found) => {
    expect(await lookUp(ledger(height, ...statuses), sent)).toBe(found);
  });
});
