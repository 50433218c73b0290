import { beforeEach, describe, expect, it } from 'vitest';
import { MapRollup } from '../../../test/ports/map-chain.ts';
import { USDC_MINT } from '../../programs/addresses.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import type { Address } from '../../solana/address.ts';
import {
  ELSEWHERE,
  FROM,
  FROM_ROLLUP,
  ON_ROLLUP,
  PUBLIC,
  TO,
  TO_ROLLUP,
  TransferScene,
  VALIDATOR,
} from './testing/transfer-scene.ts';

let scene: TransferScene;

describe('spl.transfer on a cluster of layout A', () => {
  beforeEach(() => {
    scene = new TransferScene();
    Object.assign(scene.chain, { layout: 'a', network: 'localnet', cluster: 'localnet' });
  });

  it.each<[string, object, number[]]>([
    ['between base accounts', PUBLIC, [3]],
    [
      'with vault and token accounts',
      { ...PUBLIC, initVaultIfMissing: true, initAtasIfMissing: true },
      [1, 1, 1, 3],
    ],
    ['between rollup accounts', ON_ROLLUP, [3]],
    ['between rollup accounts in public', { ...ON_ROLLUP, ...PUBLIC }, [3]],
  ])('is built %s', async (_, args, expected) => {
    const { instructions } = await scene.decode(args);
    expect(instructions.map(({ data }) => data[0])).toEqual(expected);
  });

  it.each([
    ['A private transfer from base to base', {}, 'have the recipient undelegate and withdraw, or'],
    ['A transfer from base to the rollup', TO_ROLLUP, 'deposit (spl.deposit) and pay on the rollup'],
    ['A transfer from the rollup to base', FROM_ROLLUP, 'undelegate and withdraw (spl.undelegate'],
  ])('is rejected if it needs shuttles or queues: %s', async (what, args, instead) => {
    const { code, message } = await scene.refusal(args);
    expect(code).toBe('UNSUPPORTED_ON_CLUSTER');
    expect(message).toContain(`${what} does not exist on cluster localnet`);
    expect(message).toContain(instead);
    scene.chain.rollup = null;
    expect((await scene.refusal(args)).message).not.toContain(instead);
  });

  it.each([
    ['has deposited nothing', () => scene.undelegate(TO), 'EATA_NOT_DELEGATED', 'deposit first'],
    ['is on another rollup', () => scene.delegate(TO, ELSEWHERE), 'EATA_DELEGATED_ELSEWHERE', ELSEWHERE],
  ])('is rejected to a recipient who %s, in private and in public', async (_, arrange, code, words) => {
    arrange();
    for (const args of [ON_ROLLUP, { ...ON_ROLLUP, ...PUBLIC }]) {
      expect(await scene.refusal(args)).toMatchObject({ code, message: expect.stringContaining(words) });
    }
  });

  it('warns a sender who has deposited nothing', async () => {
    scene.undelegate(FROM);
    expect(await scene.warnings(ON_ROLLUP)).toEqual(['SENDER_NOT_ON_ROLLUP']);
  });

  it.each([
    ['from', FROM, 'pay on base, or deposit again'],
    ['to', TO, 'have its owner deposit again'],
  ])('is rejected %s an account that is returning to base', async (_, owner, words) => {
    const eata = deriveEata(owner, USDC_MINT).address;
    const isSettling = (asked: Address) => Promise.resolve(asked === eata);
    scene.chain.rollup = Object.assign(new MapRollup(), { validator: VALIDATOR, isSettling });
    expect(await scene.refusal(ON_ROLLUP)).toMatchObject({
      code: 'EATA_SETTLING',
      message: expect.stringContaining(words),
      context: { eata, owner },
    });
    // Once base shows it, there is nothing to wait for.
    scene.undelegate(owner);
    const after = owner === TO ? (await scene.refusal(ON_ROLLUP)).code : await scene.warnings(ON_ROLLUP);
    expect(after).toEqual(owner === TO ? 'EATA_NOT_DELEGATED' : ['SENDER_NOT_ON_ROLLUP']);
  });
});
