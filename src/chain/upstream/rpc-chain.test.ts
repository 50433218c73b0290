import { describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { type Outcome, ScriptedTransport } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { RpcChain, type RpcChainOptions } from './rpc-ledger-client.ts';
import { RpcRollup } from './rpc-rollup.ts';

const VALIDATOR = addressOf(new Uint8Array(32).fill(3));
const CONFIGURED = addressOf(new Uint8Array(32).fill(4));

const FACTS: RpcChainOptions = {
  cluster: 'mainnet',
  network: 'mainnet',
  layout: 'b',
  defaultMint: USDC_MINT,
  transferLookupTable: null,
  defaultValidator: null,
  validatorVariable: 'EPHEMERAL_VALIDATOR',
};

const UNSET = { validator: null, validatorVariable: 'EPHEMERAL_VALIDATOR' };

function open(outcome: Outcome | null, facts: Partial<RpcChainOptions> = {}): RpcChain {
  const ports = upstreamPorts(new ScriptedTransport(() => outcome ?? {}));
  const place = {
    urls: [new URL('https://er.example')],
    publicUrl: null,
    hasLogin: false,
    validator: facts.defaultValidator ?? null,
    validatorVariable: 'EPHEMERAL_VALIDATOR',
  };
  const rollup = outcome === null ? null : new RpcRollup('the rollup of mainnet', place, ports);
  return new RpcChain({ ...FACTS, ...facts }, [new URL('https://base.example')], rollup, ports);
}

describe("a cluster's validator", () => {
  it.each([null, VALIDATOR])(
    'is the one the rollup reports if the operator has set %s',
    async (configured) => {
      const chain = open({ result: { identity: VALIDATOR } }, { defaultValidator: configured });
      expect(await chain.validatorIdentity()).toBe(VALIDATOR);
      expect(await chain.rollup?.identity()).toBe(VALIDATOR);
    },
  );

  it('is an error if rollup and operator disagree, because tokens would go to the wrong validator', async () => {
    const chain = open({ result: { identity: VALIDATOR } }, { defaultValidator: CONFIGURED });
    const refusal = {
      code: 'VALIDATOR_DISPUTED',
      message: expect.stringMatching(`${VALIDATOR}.*EPHEMERAL_VALIDATOR to ${CONFIGURED}`),
      context: { told: VALIDATOR, configured: CONFIGURED, variable: 'EPHEMERAL_VALIDATOR' },
    };
    await expect(chain.validatorIdentity()).rejects.toMatchObject(refusal);
    await expect(chain.rollup?.identity()).rejects.toMatchObject(refusal);
  });

  it.each([
    ['does not answer', { fault: 'timed-out' }],
    ['names no address', { result: { identity: 'nobody' } }],
    ['does not know the method', { body: '{"id":null,"error":{"code":-32601}}' }],
    ['does not exist', null],
  ] as const)('is the configured one while the rollup %s', async (_, outcome) => {
    expect(await open(outcome, { defaultValidator: CONFIGURED }).validatorIdentity()).toBe(CONFIGURED);
  });

  it.each([
    ['does not answer', { fault: 'timed-out' }, 'UPSTREAM_TIMEOUT'],
    ['returns an invalid answer', { body: 'nonsense' }, 'UPSTREAM_INVALID'],
    ['does not exist', null, undefined],
  ] as const)('is never guessed if the rollup %s and none is configured', async (_, outcome, reason) => {
    await expect(open(outcome).validatorIdentity()).rejects.toMatchObject({
      code: 'VALIDATOR_UNRESOLVED',
      message: expect.stringMatching(/pass validator.*EPHEMERAL_VALIDATOR/),
      context: { field: 'validator', cluster: 'mainnet', ...(reason && { reason }) },
    });
  });

  it('is requested again after a failure', async () => {
    const outcomes: Outcome[] = [{ fault: 'timed-out' }, { result: { identity: VALIDATOR } }];
    const ports = upstreamPorts(new ScriptedTransport(() => outcomes.shift() ?? {}));
    const rollup = new RpcRollup(
      'r',
      { urls: [new URL('https://er.example')], publicUrl: null, hasLogin: false, ...UNSET },
      ports,
    );
    const chain = new RpcChain(FACTS, [new URL('https://base.example')], rollup, ports);
    await expect(chain.validatorIdentity()).rejects.toMatchObject({ code: 'VALIDATOR_UNRESOLVED' });
    expect(await chain.validatorIdentity()).toBe(VALIDATOR);
  });
});

describe('an account read from one of several URLs', () => {
  const openAt = (...hosts: string[]) => {
    const transport = new ScriptedTransport(({ url }) =>
      url.hostname === 'down.example'
        ? { fault: 'unreachable' }
        : { result: { context: { slot: 5 }, value: [null] } },
    );
    const urls = hosts.map((host) => new URL(`https://${host}.example`));
    return { chain: new RpcChain(FACTS, urls, null, upstreamPorts(transport)), transport };
  };

  it('comes from another URL than before', async () => {
    const { chain, transport } = openAt('a', 'b');
    expect(await chain.accountBy?.(USDC_MINT)).toEqual({ account: null, by: 0 });
    expect(await chain.accountBy?.(USDC_MINT, 0)).toEqual({ account: null, by: 1 });
    expect(await chain.accountBy?.(USDC_MINT, 1)).toEqual({ account: null, by: 0 });
    expect(transport.hosts).toEqual(['a.example', 'b.example', 'a.example']);
  });

  it('comes from the same URL, and says so, if no other answers', async () => {
    const { chain } = openAt('a', 'down');
    expect(await chain.accountBy?.(USDC_MINT, 0)).toEqual({ account: null, by: 0 });
  });

  it('is not available with a single URL', () => {
    expect(openAt('a').chain.accountBy).toBeUndefined();
  });
});
