import { setTimeout as sleep } from 'node:timers/promises';
import { Refused, type Built, type Person } from '../person.ts';
import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { timed } from '../payment.ts';
import { deposit } from './deposit.ts';

const FUNDS = 1_200_011n;
/** What stays in the ephemeral token account on base, where nobody's rollup has it. */
const LEFT = 9n;
const SETTLEMENT_MS_MAX = 30_000;

/** What a withdrawal is refused with meanwhile; an external rollup does not say that it is settling. */
const UNDER_WAY = new Set(['EATA_SETTLING', 'EATA_ALREADY_DELEGATED']);

/** Alice has all her tokens given back to base, and takes them out of the vault herself. */
export async function undelegateAndWithdraw(network: Network, { usdc }: Mints): Promise<void> {
  const alice = await network.person('Alice', usdc, FUNDS);
  await deposit(network, alice, usdc, FUNDS);
  await network.expect(alice, usdc, { base: 0n, rollup: FUNDS });
  await timed('undelegation and withdrawal', async () => {
    await network.do(alice, 'spl.undelegate', { payer: alice.address, mint: usdc.address });
    const amount = (FUNDS - LEFT).toString();
    const args = { owner: alice.address, mint: usdc.address, amount, idempotent: false };
    await network.send(alice, await builtOnceSettled(alice, args));
    await network.expect(alice, usdc, { base: FUNDS - LEFT, rollup: 0n });
  });
}

/** A withdrawal straight from the vault, which is refused while the settlement is under way. */
async function builtOnceSettled(person: Person, args: object): Promise<Built> {
  const until = performance.now() + SETTLEMENT_MS_MAX;
  for (;;) {
    try {
      return await person.call<Built>('spl.withdraw', args);
    } catch (error) {
      const isUnderWay = error instanceof Refused && UNDER_WAY.has(error.code ?? '');
      if (!isUnderWay || performance.now() > until) throw error;
    }
    await sleep(20);
  }
}
