import { beforeEach, describe, expect, it } from 'vitest';
import { NATIVE_MINT, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { readyChain } from './testing/ready-chain.ts';
import { FROM, PUBLIC, TO, TO_ROLLUP, TransferScene, VALIDATOR } from './testing/transfer-scene.ts';

let scene: TransferScene;

describe('spl.transfer of native SOL', () => {
  beforeEach(() => {
    scene = new TransferScene();
    scene.chain = readyChain({
      from: FROM,
      to: TO,
      mint: NATIVE_MINT,
      validator: VALIDATOR,
      sourceTokens: 400_000n,
    });
  });

  const tags = (transaction: Transaction) =>
    transaction.instructions.map(({ programIdIndex, data }) => [
      transaction.staticKeys[programIdIndex],
      data[0],
    ]);

  it('wraps the missing amount, including the fee, and counts it as held tokens', async () => {
    const { output, transaction } = await scene.run({ mint: NATIVE_MINT });
    const wrap = transaction.instructions[1]?.data as Uint8Array;
    expect(tags(transaction).slice(1, 3)).toEqual([
      [SYSTEM_PROGRAM, 2],
      [TOKEN_PROGRAM, 17],
    ]);
    expect(new DataView(wrap.buffer, wrap.byteOffset).getBigUint64(4, true)).toBe(1_001_000n - 400_000n);
    expect(output.warnings).toBeUndefined();
  });

  it('wraps nothing for a public transfer, like the hosted API', async () => {
    const { output, transaction } = await scene.run({ ...PUBLIC, mint: NATIVE_MINT });
    expect(tags(transaction)).toEqual([[TOKEN_PROGRAM, 3]]);
    expect(output.warnings?.map(({ code }) => code)).toEqual(['INSUFFICIENT_TOKENS']);
  });

  it('includes the wrapped amount in the lamports the sender needs', async () => {
    scene.chain.put(FROM, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 3_000_000n });
    const { output } = await scene.run({ mint: NATIVE_MINT, ...TO_ROLLUP, amount: 4_000_000 });
    expect(output.warnings?.map(({ code }) => code)).toContain('INSUFFICIENT_LAMPORTS');
  });
});
