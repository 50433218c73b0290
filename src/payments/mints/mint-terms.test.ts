import { describe, expect, it } from 'vitest';
import { Holder, HOLDER, OTHER_VALIDATOR, PYUSD_MINT } from '../../../test/ports/holder.ts';
import { refusalOf, runOperation } from '../../../test/run-operation.ts';
import { Clusters } from '../../chain/clusters.ts';
import { systemRandom } from '../../ports/random.ts';
import { SYSVAR_OWNER, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import { littleEndian } from '../../rpc/testing/parse-call.ts';
import { mintData, withExtensions } from '../../rpc/testing/token-accounts.ts';
import { addressBytes } from '../../solana/address.ts';
import { createGetBalance } from '../balances.ts';
import { createDeposit } from '../deposit.ts';
import { createInitializeMint } from '../initialize-mint.ts';
import { createTransfer } from '../transfer.ts';
import { createWithdraw } from '../withdraw.ts';
import type { MintFacts } from './mint-facts.ts';
import { readMintTerms, withheldOf } from './mint-terms.ts';

const FACTS: MintFacts = { mint: PYUSD_MINT, tokenProgram: TOKEN_2022_PROGRAM, decimals: 6 };

const fee = (epoch: number, basisPoints: number, maximum = 1_000_000): number[] => [
  ...littleEndian(epoch, 8),
  ...littleEndian(maximum, 8),
  ...littleEndian(basisPoints, 2),
];

type Extension = readonly [type: number, value: Uint8Array];

const feeConfig = (older: number[], newer: number[]): Extension => [
  1,
  Uint8Array.of(...new Uint8Array(72), ...older, ...newer),
];
const HOOK: Extension = [14, Uint8Array.of(...addressBytes(HOLDER), ...addressBytes(HOLDER))];
const ROOTED: Extension = [9, new Uint8Array()];

/** A holder of a Token-2022 mint on layout B with 2,500,000 base units on base and 400,000 in the eATA. */
function holderOf(...extensions: Extension[]): Holder {
  const holder = new Holder('b', PYUSD_MINT, TOKEN_2022_PROGRAM).putTokens(2_500_000n).putEata(400_000n);
  return putMint(holder, extensions);
}

function putMint(holder: Holder, extensions: readonly Extension[]): Holder {
  const data = withExtensions(mintData({}), 1, extensions);
  holder.chain.put(PYUSD_MINT, { owner: TOKEN_2022_PROGRAM, data });
  return holder;
}

function putEpoch({ chain }: Holder, epoch: number): void {
  const data = Uint8Array.of(...new Uint8Array(16), ...littleEndian(epoch, 8), ...new Uint8Array(16));
  chain.put(CLOCK_SYSVAR, { owner: SYSVAR_OWNER, data });
}

const OPERATIONS = {
  deposit: (deps: Deps) =>
    runOperation(createDeposit(deps), { owner: HOLDER, mint: PYUSD_MINT, amount: 100_000 }),
  'direct deposit': (deps: Deps) =>
    runOperation(createDeposit(deps), { owner: HOLDER, mint: PYUSD_MINT, amount: 1, idempotent: false }),
  'transfer to the rollup': (deps: Deps) =>
    runOperation(createTransfer(deps), {
      from: HOLDER,
      to: OTHER_VALIDATOR,
      mint: PYUSD_MINT,
      amount: 100_000,
      toBalance: 'ephemeral',
      initIfMissing: true,
    }),
  initializeMint: (deps: Deps) =>
    runOperation(createInitializeMint(deps), { payer: HOLDER, mint: PYUSD_MINT }),
  withdraw: (deps: Deps) =>
    runOperation(createWithdraw(deps), { owner: HOLDER, mint: PYUSD_MINT, amount: 100_000 }),
} as const;

interface Deps {
  readonly clusters: Clusters;
  readonly random: typeof systemRandom;
}

const depsOf = ({ chain }: Holder): Deps => ({ clusters: new Clusters([chain]), random: systemRandom });
const run = (name: keyof typeof OPERATIONS, holder: Holder) => OPERATIONS[name](depsOf(holder));

describe('a mint that withholds part of every transfer', () => {
  const names = ['deposit', 'direct deposit', 'transfer to the rollup', 'initializeMint'] as const;

  it.each(names)('is rejected by %s, because the vault would receive less than is credited', async (name) => {
    const holder = holderOf(feeConfig(fee(0, 100), fee(0, 100)));
    const { code, message, context } = await refusalOf(run(name, holder));
    expect(code).toBe('UNSUPPORTED_MINT_EXTENSION');
    expect(message).toContain('the vault would receive less than is credited');
    expect(context).toMatchObject({ extension: 'TransferFeeConfig', field: 'mint', mint: PYUSD_MINT });
  });

  it('is also rejected if the fee starts in a later epoch', async () => {
    const holder = holderOf(feeConfig(fee(0, 0), fee(9, 100)));
    putEpoch(holder, 3);
    expect((await refusalOf(run('deposit', holder))).code).toBe('UNSUPPORTED_MINT_EXTENSION');
  });

  it.each(names)('is accepted by %s while its fee is 0', async (name) => {
    const holder = holderOf(feeConfig(fee(0, 0), fee(0, 100, 0)));
    putEpoch(holder, 3);
    expect((await run(name, holder)).output.instructionCount).toBeGreaterThan(0);
  });

  it('allows withdrawals, with a warning about the fee', async () => {
    const holder = holderOf(feeConfig(fee(0, 100), fee(0, 100)));
    const { output } = await run('withdraw', holder);
    expect(output.warnings?.filter(({ code }) => code !== 'DELEGATED_AGAIN')).toEqual([
      { code: 'TRANSFER_FEE_WITHHELD', message: expect.stringContaining('99000 base units') },
    ]);
  });
});

describe('a mint with non-transferable tokens', () => {
  it.each([
    ['TransferHook', HOOK],
    ['NonTransferable', ROOTED],
  ])('is rejected by every builder (%s)', async (extension, stored) => {
    for (const name of Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]) {
      expect(await refusalOf(run(name, holderOf(stored)))).toMatchObject({
        code: 'UNSUPPORTED_MINT_EXTENSION',
        context: { extension },
      });
    }
  });
});

describe('the terms of a mint', () => {
  it('are not read for an SPL Token mint', async () => {
    const { chain } = new Holder('b');
    chain.getAccounts = () => Promise.reject(new Error('the chain was asked'));
    expect(await readMintTerms(chain, { ...FACTS, tokenProgram: TOKEN_PROGRAM })).toBeNull();
  });

  it('decide between two fees by the epoch of the ledger', async () => {
    const holder = holderOf(feeConfig(fee(0, 100), fee(9, 200)));
    const withheld = async (epoch: number): Promise<bigint | null> => {
      putEpoch(holder, epoch);
      const terms = await readMintTerms(holder.chain, FACTS);
      return terms && withheldOf(terms, 1_000n);
    };
    expect([await withheld(8), await withheld(9)]).toEqual([10n, 20n]);
  });

  it('are unknown without the clock if there are two fees', async () => {
    const holder = holderOf(feeConfig(fee(0, 100), fee(9, 200)));
    expect(await refusalOf(readMintTerms(holder.chain, FACTS))).toMatchObject({ code: 'ACCOUNT_UNREADABLE' });
  });

  it('are unknown for a mint with malformed extensions', async () => {
    const holder = holderOf([12, new Uint8Array(31)]);
    expect(await refusalOf(readMintTerms(holder.chain, FACTS))).toMatchObject({ code: 'ACCOUNT_UNREADABLE' });
  });

  it('give a warning if they are unknown', async () => {
    const { output } = await run('deposit', holderOf([29, new Uint8Array(4)]));
    expect(output.warnings?.filter(({ code }) => code !== 'DELEGATED_AGAIN')).toEqual([
      { code: 'MINT_EXTENSION_UNKNOWN', message: expect.stringContaining('types 29') },
    ]);
  });

  it('are noted with a balance that wallets show differently', async () => {
    const interest: Extension = [10, new Uint8Array(52)];
    const read = (holder: Holder) =>
      runOperation(createGetBalance(depsOf(holder).clusters), { address: HOLDER, mint: PYUSD_MINT });
    expect((await read(holderOf(interest))).sentences.at(-1)).toContain('accrues interest');
    expect((await read(holderOf())).sentences).toHaveLength(2);
  });
});
