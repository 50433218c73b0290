import { describe, expect, it } from 'vitest';
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM } from '../../programs/addresses.ts';
import { inactiveFeature } from '../../programs/feature.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { bareGenesis } from '../genesis/genesis.ts';
import { MORE_ACCOUNT_LOCKS } from '../run/account-keys.ts';
import { buildV0 } from '../testing/build-v0.ts';
import { lookupTable } from '../testing/lookup-table.ts';
import { buildTransaction, openTestLedger } from '../testing/test-ledger.ts';
import type { EngineLimits } from './engine.ts';

const MEMO = 'x'.repeat(100);
const memo: Instruction = { programId: MEMO_PROGRAM, accounts: [], data: Buffer.from(MEMO) };
const askFor = (units: number): Instruction => {
  const data = Buffer.alloc(5);
  data.writeUInt8(2);
  data.writeUInt32LE(units, 1);
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
};

async function run(limits: EngineLimits, ...instructions: Instruction[]) {
  const { ledger, fundedWallet } = await openTestLedger({ genesis: bareGenesis(), engineLimits: limits });
  const wallet = await fundedWallet();
  const { signature, err } = await ledger.submit(buildTransaction(ledger, [wallet], instructions));
  return { err, record: ledger.getTransaction(signature) };
}

describe('limits of the engine', () => {
  it('set the compute units of every transaction, whatever it requests, for the same fee', async () => {
    const needed = (await run({}, memo)).record?.computeUnits ?? 0;
    expect(needed).toBeGreaterThan(100);
    const short = await run({ computeUnits: needed - 1 }, askFor(1_400_000), memo);
    expect(short.err).toEqual({ InstructionError: [1, 'ComputationalBudgetExceeded'] });
    const ample = await run({ computeUnits: 2_000_000 }, askFor(needed - 1), memo);
    expect(ample.err).toBeNull();
    expect([short.record?.fee, ample.record?.fee]).toEqual([5_000n, 5_000n]);
  });

  it('truncate logs at the limit, and only there', async () => {
    expect((await run({}, memo)).record?.logs.join('\n')).toContain(MEMO);
    const { record } = await run({ logBytes: 90 }, memo);
    expect(record?.logs).toContain('Log truncated');
    expect(record?.logs.join('\n')).not.toContain(MEMO);
  });

  it("set the number of accounts a transaction may name, below or above Solana's", async () => {
    const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
    const addresses = Array.from({ length: 130 }, (_, index) => at(index + 1));
    const table = lookupTable(addresses);
    const tryWith = async (accountLocks: number | undefined, count: number, feature = false) => {
      const genesis = {
        accounts: (faucet: Address) => [
          ...bareGenesis().accounts(faucet),
          [at(200), table] as const,
          ...(feature
            ? [
                [
                  MORE_ACCOUNT_LOCKS,
                  { ...inactiveFeature(), data: Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0) },
                ] as const,
              ]
            : []),
        ],
      };
      const { ledger, fundedWallet } = await openTestLedger({ genesis, engineLimits: { accountLocks } });
      const wallet = await fundedWallet();
      // The wallet and the program are the first two.
      const indexes = Array.from({ length: count - 2 }, (_, index) => index);
      const transaction = buildV0({
        payer: wallet,
        keys: [MEMO_PROGRAM],
        readonlyCount: 1,
        blockhash: decodeBase58(ledger.head().blockhash),
        instructions: [{ program: 1, accounts: [], data: Buffer.of(120) }],
        lookups: [{ table: at(200), writable: [], readonly: indexes }],
      });
      try {
        return (await ledger.submit(transaction)).err;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(await tryWith(undefined, 64)).toBeNull();
    expect(await tryWith(undefined, 65)).toBe('TooManyAccountLocks');
    expect(await tryWith(9, 9)).toBeNull();
    expect(await tryWith(9, 10)).toBe('TooManyAccountLocks');
    expect(await tryWith(100, 100)).toBeNull();
    expect(await tryWith(100, 101)).toBe('TooManyAccountLocks');
    expect(await tryWith(128, 128)).toBeNull();
    expect(await tryWith(undefined, 128, true)).toBeNull();
    expect(await tryWith(undefined, 129, true)).toBe('TooManyAccountLocks');
  });
});
