import { describe, expect, it } from 'vitest';
import { Holder, HOLDER, VALIDATOR } from '../../../test/ports/holder.ts';
import { MapRollup } from '../../../test/ports/map-chain.ts';
import { refusalOf, runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { systemRandom } from '../../ports/random.ts';
import { USDC_MINT } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { createDeposit } from '../deposit.ts';
import { createUndelegate } from '../undelegate.ts';
import { createWithdraw } from '../withdraw.ts';

const own = { mint: USDC_MINT, amount: 1, owner: HOLDER };

const OPERATIONS = {
  deposit: (clusters: Clusters) => runOperation(createDeposit({ clusters, random: systemRandom }), own),
  withdraw: (clusters: Clusters) => runOperation(createWithdraw({ clusters, random: systemRandom }), own),
  undelegate: (clusters: Clusters) =>
    runOperation(createUndelegate({ clusters }), { payer: HOLDER, mint: USDC_MINT }),
};

/** A holder on localnet whose rollup is giving `settling` back. */
function holderWith(settling: Address): Holder {
  const holder = new Holder('a').putTokens(5n).putDelegatedEata(VALIDATOR);
  const isSettling = (eata: Address) => Promise.resolve(eata === settling);
  holder.chain.rollup = Object.assign(new MapRollup(), { validator: VALIDATOR, isSettling });
  return holder;
}

const { address: eata } = new Holder('a').accounts.eata;

describe('while an eATA is returning to base', () => {
  it.each([
    ['deposit', 'nothing can be added to it. Wait a moment, then deposit again.'],
    ['withdraw', 'the vault cannot pay its tokens out. Wait a moment, then withdraw.'],
    ['undelegate', 'it need not be requested again. Wait a moment, then withdraw.'],
  ] as const)('spl.%s reports this and what to do', async (name, words) => {
    const refused = await refusalOf(OPERATIONS[name](new Clusters([holderWith(eata).chain])));
    expect(refused).toMatchObject({ code: 'EATA_SETTLING', context: { eata, owner: HOLDER } });
    expect(refused.message).toContain(words);
  });

  it.each([
    ['deposit', 'EATA_ALREADY_DELEGATED'],
    ['withdraw', 'EATA_ALREADY_DELEGATED'],
    ['undelegate', null],
  ] as const)('spl.%s of someone else is unaffected', async (name, code) => {
    const running = OPERATIONS[name](new Clusters([holderWith(VALIDATOR).chain]));
    if (code === null) await expect(running).resolves.toBeDefined();
    else expect((await refusalOf(running)).code).toBe(code);
  });

  it('a rollup that does not report it is not read', async () => {
    const { chain } = new Holder('a').putTokens(5n).putDelegatedEata(VALIDATOR);
    chain.rollup = Object.assign(new MapRollup(), { validator: VALIDATOR });
    expect((await refusalOf(OPERATIONS.withdraw(new Clusters([chain])))).code).toBe('EATA_ALREADY_DELEGATED');
  });
});
