import { describe, expect, it } from 'vitest';
import { Holder, HOLDER } from '../../../test/ports/holder.ts';
import { refusalOf, runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { systemRandom } from '../../ports/random.ts';
import { SYSTEM_PROGRAM, SYSVAR_OWNER, USDC_MINT } from '../../programs/addresses.ts';
import { decodeRent, RENT_SYSVAR, rentSysvarData } from '../../programs/sysvars.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { createDeposit } from '../deposit.ts';
import { createExplainTransaction } from '../explain-transaction.ts';
import { createInitializeMint } from '../initialize-mint.ts';
import { ANONYMOUS } from '../operation.ts';

const sysvar = (data: Uint8Array): Account => ({
  owner: SYSVAR_OWNER,
  data,
  lamports: 1n,
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
});

/** A cluster that asks for so many lamports a byte, and a wallet that has next to nothing. */
function clusterAt(lamportsPerByte: bigint): Holder {
  const holder = new Holder('b').putLamports(HOLDER, 1n);
  holder.chain.put(RENT_SYSVAR, sysvar(rentSysvarData(lamportsPerByte)));
  return holder;
}

/** The costs that the two operations report. */
async function quoted({ chain }: Holder): Promise<(string | undefined)[]> {
  const clusters = new Clusters([chain]);
  const given = { mint: USDC_MINT };
  const needed = async (operation: Parameters<typeof runOperation>[0], args: object) => {
    const { output } = await runOperation(operation, { ...given, ...args });
    const { warnings } = output as { warnings?: { code: string; message: string }[] };
    const warning = warnings?.find(({ code }) => code === 'INSUFFICIENT_LAMPORTS');
    return /needs at least (\d+)/.exec(warning?.message ?? '')?.[1];
  };
  return [
    await needed(createInitializeMint({ clusters }) as never, { payer: HOLDER }),
    await needed(createDeposit({ clusters, random: systemRandom }) as never, { owner: HOLDER, amount: 1 }),
  ];
}

describe('the rent of a cluster', () => {
  it('is read from the cluster and determines the reported costs (bug: it was always 6,960 a byte)', async () => {
    const [setup, deposit] = await quoted(clusterAt(6_960n));
    expect(await quoted(clusterAt(5_080n))).not.toEqual([setup, deposit]);
    // 120,000,000 go to queue and rent PDA, 500,000 to the shuttle, 5,000 are the fee; the rest is rent.
    const rentOf = (text: string | undefined, others: number): number => Number(text) - others;
    for (const perByte of [5_080, 696, 13_920]) {
      const [itsSetup, itsDeposit] = await quoted(clusterAt(BigInt(perByte)));
      expect(rentOf(itsSetup, 120_005_000)).toBe((rentOf(setup, 120_005_000) / 6_960) * perByte);
      expect(rentOf(itsDeposit, 505_000)).toBe((rentOf(deposit, 505_000) / 6_960) * perByte);
    }
  });

  it('is not guessed if it cannot be read', async () => {
    const holder = new Holder('b');
    holder.chain.accounts.delete(RENT_SYSVAR);
    const operation = createDeposit({ clusters: new Clusters([holder.chain]), random: systemRandom });
    const refused = await refusalOf(runOperation(operation, { owner: HOLDER, mint: USDC_MINT, amount: 1 }));
    expect(refused).toMatchObject({ code: 'ACCOUNT_UNREADABLE', context: { account: RENT_SYSVAR } });
  });

  it('is used by explain, which reports none without a ledger', async () => {
    const { chain } = clusterAt(5_080n);
    chain.simulateTransaction = () => Promise.reject(new ServiceError('UPSTREAM_TIMEOUT', 'late'));
    const clusters = new Clusters([chain]);
    const deposit = createDeposit({ clusters, random: systemRandom });
    const { output } = await runOperation(deposit, { owner: HOLDER, mint: USDC_MINT, amount: 1 });
    const explain = createExplainTransaction({ clusters, operations: [], sponsor: null });
    const rentOf = async (offline: boolean): Promise<string | null> => {
      const { transactionBase64 } = output;
      const input = explain.input.parse({ transactionBase64, sendTo: 'base', offline });
      return (await explain.run(input, ANONYMOUS)).output.effects.rentLamportsMax;
    };
    expect(await rentOf(true)).toBeNull();
    expect(BigInt((await rentOf(false)) ?? -1) % 5_080n).toBe(0n);
  });

  it('is read from the sysvar, with its threshold', () => {
    expect(decodeRent(sysvar(rentSysvarData(5_080n)))?.minimum(165)).toBe(1_488_440n);
    const older = rentSysvarData(3_480n);
    new DataView(older.buffer).setFloat64(8, 2, true);
    expect(decodeRent(sysvar(older))?.minimum(165)).toBe(2_039_280n);
    for (const account of [null, sysvar(new Uint8Array(16)), { ...sysvar(older), owner: SYSTEM_PROGRAM }]) {
      expect(decodeRent(account)).toBeNull();
    }
  });
});
