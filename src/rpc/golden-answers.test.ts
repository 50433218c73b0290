import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTransaction } from '../ledger/testing/test-ledger.ts';
import { callForText, dispatcherOn } from './testing/call-method.ts';
import { FixedLedger } from './testing/fixed-ledger.ts';
import { GOLDEN_ENVELOPES, GOLDEN_PARAMS } from './testing/golden-answers.ts';
import { GOLDEN_BEHAVIORS, type Asked } from './testing/golden-behaviors.ts';
import { startTestNode } from './testing/test-node.ts';

/** Errors about parameters that are reported before a method interprets them. */
const PARAMETER_FAULT = /Invalid params: |Invalid parameters: |`params` should/;

describe('the envelope', () => {
  it.each(GOLDEN_ENVELOPES)('answers %s as jsonrpc-core does', async (request, answer) => {
    const [before, after] = answer.split('<result>') as [string, string | undefined];
    const actual = await dispatcherOn(new FixedLedger())(request);
    if (after === undefined) {
      expect(actual).toBe(before);
    } else {
      expect(actual.startsWith(before)).toBe(true);
      expect(actual.endsWith(after)).toBe(true);
      expect(actual).toMatch(/"result":(4710|"ok")/);
    }
  });
});

describe('parameters', () => {
  it.each(GOLDEN_PARAMS)('%s %s: %j', async (method, params, answer) => {
    const actual = await callForText(new FixedLedger(), method, params);
    if (answer === 'accepted') {
      expect(actual).not.toMatch(PARAMETER_FAULT);
    } else {
      const [code, message, data] = answer;
      const dataMember = data === undefined ? '' : `,"data":${data}`;
      expect(actual).toBe(`"error":{"code":${code},"message":${JSON.stringify(message)}${dataMember}}`);
    }
  });
});

describe('on the real ledger', () => {
  let asked: Asked;

  beforeAll(async () => {
    const node = await startTestNode();
    const alice = await node.fundedWallet();
    asked = {
      ...node,
      alice,
      send(instructions, ...others) {
        const { wire } = buildTransaction(node.ledger, [alice, ...others], instructions);
        return node.ask('sendTransaction', Buffer.from(wire).toString('base64'), {
          encoding: 'base64',
          preflightCommitment: 'confirmed',
        });
      },
      async airdrop(to, lamports) {
        const answer = node.ask<string>('requestAirdrop', to, lamports);
        node.clock.pass(node.ledger.slotMs);
        return answer;
      },
    };
  });

  beforeEach(() => asked.clock.pass(4_000));

  afterAll(() => asked.close());

  it.each(GOLDEN_BEHAVIORS)('%s', async (_, ask, answer) => {
    expect(await ask(asked)).toEqual(answer);
  });
});
