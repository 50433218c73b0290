import { describe, expect, it } from 'vitest';
import { addressOf } from '../../solana/address.ts';
import { ScriptedTransport } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { IDENTITY_AGE_MAX_MS, publicUrlOf, RpcRollup } from './rpc-rollup.ts';

const VALIDATOR = addressOf(new Uint8Array(32).fill(3));
const UNSET = { validator: null, validatorVariable: 'EPHEMERAL_VALIDATOR' };

describe('RpcRollup', () => {
  it('caches its identity for a while', async () => {
    const transport = new ScriptedTransport(() => ({ result: { identity: VALIDATOR } }));
    const ports = upstreamPorts(transport);
    const place = { urls: [new URL('https://er.example')], publicUrl: null, hasLogin: false, ...UNSET };
    const rollup = new RpcRollup('the rollup', place, ports);
    expect(await Promise.all([rollup.identity(), rollup.identity()])).toEqual([VALIDATOR, VALIDATOR]);
    await ports.time.pass(IDENTITY_AGE_MAX_MS);
    await rollup.identity();
    expect(transport.calls).toMatchObject([{ method: 'getIdentity', params: [] }]);
    await ports.time.pass(1);
    await rollup.identity();
    expect(transport.calls).toHaveLength(2);
  });
});

describe('publicUrlOf', () => {
  it.each([
    [null, ['https://er.example'], 'https://er.example'],
    [null, ['https://er.example:8443/', 'https://other.example/k3y'], 'https://er.example:8443'],
    [null, ['http://127.0.0.1:7799'], 'http://127.0.0.1:7799'],
    [null, ['https://er.example/k3y'], null],
    [null, ['https://er.example/?api-key=k3y'], null],
    [null, ['https://er.example/?'], null],
    [null, ['https://er.example/#k3y'], null],
    [null, ['https://user@er.example/'], null],
    [null, ['https://:k3y@er.example/'], null],
    [null, [], null],
    ['https://shown.example/rpc', ['https://er.example/k3y'], 'https://shown.example/rpc'],
  ])('of %s and %j is %s', (named, urls, shown) => {
    expect(
      publicUrlOf(
        named,
        urls.map((url) => new URL(url)),
      ),
    ).toBe(shown);
  });
});
