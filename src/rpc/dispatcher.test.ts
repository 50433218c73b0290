import { describe, expect, it } from 'vitest';
import { ServiceError } from '../errors/service-error.ts';
import { isTurnOver } from '../http/turn.ts';
import { JsonText } from '../json/write-json.ts';
import { TransactionRejected } from '../ledger/ledger.ts';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { type CallObserver, createDispatcher, type Dispatcher } from './dispatcher.ts';
import { invalidRequest } from './errors.ts';
import { string } from './params/readers.ts';
import { defineMethod, type MethodResult } from './rpc-method.ts';
import { FixedLedger } from './testing/fixed-ledger.ts';

/** A dispatcher whose methods `now` and `later` do what `run` does, at once and by a promise. */
function dispatcherFor(
  run: (text: string) => MethodResult,
  logger: Logger = silentLogger,
  observe: CallObserver = () => {},
  answerLengthMax?: number,
): Dispatcher {
  const params = { required: [string], optional: [] } as const;
  return createDispatcher({
    node: { ledger: new FixedLedger(), version: '4.2.1', featureSet: 0 },
    methods: [
      defineMethod('now', params, (_node, text) => run(text)),
      defineMethod('later', params, async (_node, text) => run(text)),
    ],
    batchMax: 3,
    logger,
    observe,
    ...(answerLengthMax !== undefined && { answerLengthMax }),
  });
}

const call = (method: string, id: number, text = 'x'): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: [text] });

describe('a dispatcher', () => {
  it('answers synchronously if the method does', () => {
    expect(dispatcherFor((text) => text)(call('now', 1))).toBe('{"jsonrpc":"2.0","result":"x","id":1}');
  });

  it('runs the calls of a batch one after another and answers them in their order', async () => {
    const ran: string[] = [];
    const dispatch = dispatcherFor((text) => {
      ran.push(text);
      return text;
    });
    const answer = await dispatch(
      `[${call('later', 1, 'a')},${call('now', 2, 'b')},${call('later', 3, 'c')}]`,
    );
    expect(ran).toEqual(['a', 'b', 'c']);
    expect(JSON.parse(answer)).toEqual([
      { jsonrpc: '2.0', result: 'a', id: 1 },
      { jsonrpc: '2.0', result: 'b', id: 2 },
      { jsonrpc: '2.0', result: 'c', id: 3 },
    ]);
  });

  it('yields to other requests between the calls of a batch (bug: a hundred heavy ones blocked all for 23 s)', async () => {
    const order: string[] = [];
    const dispatch = dispatcherFor((text) => {
      while (!isTurnOver());
      order.push(text);
      setImmediate(() => order.push('another'));
      return text;
    });
    await dispatch(`[${call('now', 1, 'a')},${call('now', 2, 'b')},${call('now', 3, 'c')}]`);
    expect(order).toEqual(['a', 'another', 'b', 'another', 'c']);
  });

  it('runs no further calls of a batch whose answers reach the limit (bug: they did not fit into a string)', async () => {
    const ran: string[] = [];
    const observed: unknown[] = [];
    const dispatch = dispatcherFor(
      (text) => {
        ran.push(text);
        return text.repeat(120);
      },
      silentLogger,
      (...[method, outcome]) => observed.push([method, outcome]),
      200,
    );
    const body = [call('now', 1, 'a'), call('later', 2, 'b'), call('now', 3, 'c')].join(',');
    for (let time = 0; time < 2; time++) {
      const answers = JSON.parse(await dispatch(`[${body}]`));
      expect(answers[1].result).toBe('b'.repeat(120));
      const message = 'The answers of this batch already have 200 characters; send this call separately';
      expect(answers[2]).toEqual({ jsonrpc: '2.0', error: { code: -32600, message }, id: 3 });
    }
    expect(ran).toEqual(['a', 'b', 'a', 'b']);
    expect(observed.slice(0, 3)).toEqual([
      ['now', 'ok'],
      ['later', 'ok'],
      ['now', 'refused'],
    ]);
  });

  it.each(['now', 'later'])(
    'rejects an answer that is too long, from a method that answers %s',
    async (method) => {
      const message = 'The answer would have more than 200 characters; request less at a time';
      const error = { jsonrpc: '2.0', error: { code: -32600, message }, id: 1 };
      const dispatch = dispatcherFor((text) => text, silentLogger, undefined, 200);
      expect(JSON.parse(await dispatch(call(method, 1, 'x'.repeat(200))))).toEqual(error);
    },
  );

  it('reports an answer that exceeds the longest string', async () => {
    const half = new JsonText('0'.repeat(2 ** 29 - 30));
    const answer = await dispatcherFor(() => [half, half])(call('now', 1));
    expect(answer).toMatch(/"code":-32600,"message":"The answer would have more than 67108864 characters/);
  });

  it('rejects a batch that is too long without running any of it', async () => {
    let ran = 0;
    const dispatch = dispatcherFor(() => ++ran);
    const calls = [1, 2, 3, 4].map((id) => call('now', id));
    expect(await dispatch(`[${calls.join(',')}]`)).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Batch has 4 calls; max 3"},"id":null}',
    );
    expect(ran).toBe(0);
    expect(await dispatch(`[${calls.slice(1).join(',')}]`)).toMatch(/^\[.*\]$/);
    expect(ran).toBe(3);
  });

  it('neither runs nor answers a notification', async () => {
    let ran = 0;
    const dispatch = dispatcherFor(() => ++ran);
    expect(dispatch('{"jsonrpc":"2.0","method":"now","params":["x"]}')).toBe('');
    expect(await dispatch(`[{"jsonrpc":"2.0","method":"now","params":["x"]},${call('now', 2)}]`)).toBe(
      '[{"jsonrpc":"2.0","result":1,"id":2}]',
    );
    expect(ran).toBe(1);
  });

  it.each<[string, Error, string]>([
    ['an RPC error', invalidRequest(), '{"code":-32600,"message":"Invalid request"}'],
    [
      'a transaction the ledger rejects',
      new TransactionRejected('AddressLookupTableNotFound'),
      '{"code":-32602,"message":"invalid transaction: Transaction loads an address table account that doesn\'t exist"}',
    ],
    [
      'an error that the caller can fix',
      new ServiceError('MINT_NOT_FOUND', 'There is no mint at this address'),
      '{"code":-32602,"message":"There is no mint at this address"}',
    ],
    [
      'an error that only the operator can fix',
      new ServiceError('LEDGER_DAMAGED', '/folder/journal is damaged'),
      '{"code":-32603,"message":"Internal error"}',
    ],
    [
      'a ledger that is closing',
      new ServiceError('LEDGER_STOPPED', 'stopping'),
      '{"code":-32005,"message":"Node is unhealthy","data":{"numSlotsBehind":null}}',
    ],
    [
      'an overload',
      new ServiceError('SERVICE_BUSY', 'too many wait'),
      '{"code":-32005,"message":"Node is busy","data":{"numSlotsBehind":null}}',
    ],
  ])('answers %s by its code, thrown or rejected', async (_, error, text) => {
    const dispatch = dispatcherFor(() => {
      throw error;
    });
    const answer = `{"jsonrpc":"2.0","error":${text},"id":1}`;
    expect(dispatch(call('now', 1))).toBe(answer);
    expect(await dispatch(call('later', 1))).toBe(answer);
  });

  it('hides internal faults from the caller, and the request from the log', async () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, error: (...line: unknown[]) => lines.push(line) };
    const dispatch = dispatcherFor(() => {
      throw new TypeError('a bug');
    }, logger);
    const answer = '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":1}';
    expect(dispatch(call('now', 1, 'secret'))).toBe(answer);
    expect(await dispatch(call('later', 1, 'secret'))).toBe(answer);
    expect(lines).toEqual(
      ['now', 'later'].map((method) => [
        { method, error: 'TypeError', stack: expect.arrayContaining([expect.stringMatching(/^at /)]) },
        'rpc method failed',
      ]),
    );
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('reports the outcome of every call by method', async () => {
    const seen: unknown[] = [];
    const dispatch = dispatcherFor(
      (text) => {
        if (text === 'x') return text;
        throw text === 'mend' ? invalidRequest() : new TypeError('a bug');
      },
      silentLogger,
      (method, outcome, durationMs) => seen.push([method, outcome, durationMs >= 0 && durationMs < 1_000]),
    );
    await dispatch(`[${call('now', 1)},${call('later', 2, 'mend')},${call('now', 3, 'bug')}]`);
    dispatch(call('secret', 4));
    dispatch('{"jsonrpc":"2.0","method":"now","params":["x"]}');
    dispatch('{"id":5}');
    dispatch('no JSON');
    expect(seen).toEqual([
      ['now', 'ok', true],
      ['later', 'refused', true],
      ['now', 'failed', true],
      [undefined, 'refused', true],
      [undefined, 'refused', true],
      [undefined, 'refused', true],
    ]);
  });
});
