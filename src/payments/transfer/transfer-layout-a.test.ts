import { beforeEach, describe, expect, it } from 'vitest';
import {
  FROM,
  FROM_ROLLUP,
  ON_ROLLUP,
  PUBLIC,
  TO,
  TO_ROLLUP,
  TransferScene,
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
  ])('is built %s', async (_, args, expected) => {
    if (args === ON_ROLLUP) [FROM, TO].forEach((owner) => scene.undelegate(owner));
    const { instructions } = await scene.decode(args);
    expect(instructions.map(({ data }) => data[0])).toEqual(expected);
  });

  it.each([
    ['A private transfer from base to base', {}],
    ['A transfer from base to the rollup', TO_ROLLUP],
    ['A transfer from the rollup to base', FROM_ROLLUP],
  ])('is refused where it takes shuttles or queues: %s', async (what, args) => {
    const { code, message } = await scene.refusal(args);
    expect(code).toBe('UNSUPPORTED_ON_CLUSTER');
    expect(message).toContain(`${what} does not exist on cluster localnet`);
  });
});
