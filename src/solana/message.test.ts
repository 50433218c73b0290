import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Address, addressOf } from './address.ts';
import { type Instruction, readonly, signer, writable, writableSigner } from './instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from './message.ts';
import { decodeTransaction, isSane } from './transaction.ts';

const random = (): Address => addressOf(new Uint8Array(randomBytes(32)));
const blockhash = new Uint8Array(32).fill(7);

describe('compileLegacyMessage', () => {
  it('orders accounts within their rights as Intl collation does with lower case first', () => {
    const collator = new Intl.Collator('en', { caseFirst: 'lower', sensitivity: 'variant' });
    for (let round = 0; round < 50; round++) {
      const feePayer = random();
      const keys = Array.from({ length: 12 }, random);
      const { staticKeys } = compileAndDecode(feePayer, [
        { programId: keys[0] as Address, accounts: keys.slice(1).map(writable), data: new Uint8Array() },
      ]);
      expect(staticKeys[0]).toBe(feePayer);
      expect(staticKeys.slice(1, -1)).toEqual(keys.slice(1).sort((a, b) => collator.compare(a, b)));
      expect(staticKeys.at(-1)).toBe(keys[0]);
    }
  });

  it('merges the rights an account has in different instructions', () => {
    const [feePayer, program, shared] = [random(), random(), random()] as const;
    const call = (account: ReturnType<typeof readonly>): Instruction => ({
      programId: program,
      accounts: [account],
      data: Uint8Array.of(1, 2, 3),
    });
    const decoded = compileAndDecode(feePayer, [call(signer(shared)), call(writable(shared))]);
    expect(decoded.staticKeys).toEqual([feePayer, shared, program]);
    expect(decoded).toMatchObject({ requiredSignatures: 2, readonlySigned: 0, readonlyUnsigned: 1 });
    expect(isSane(decoded)).toBe(true);
  });

  it('keeps instructions and data in order', () => {
    const [feePayer, program, account] = [random(), random(), random()] as const;
    const data = new Uint8Array(randomBytes(300));
    const { instructions, staticKeys } = compileAndDecode(feePayer, [
      { programId: program, accounts: [writableSigner(feePayer), readonly(account)], data },
      { programId: program, accounts: [], data: new Uint8Array() },
    ]);
    expect(instructions).toEqual([
      {
        programIdIndex: staticKeys.indexOf(program),
        accounts: Uint8Array.of(0, staticKeys.indexOf(account)),
        data,
      },
      { programIdIndex: staticKeys.indexOf(program), accounts: new Uint8Array(), data: new Uint8Array() },
    ]);
  });
});

describe('encodeUnsignedTransaction', () => {
  it('rejects more than 1232 bytes and reports the size', () => {
    const feePayer = random();
    const big = (bytes: number) =>
      encodeUnsignedTransaction(
        compileLegacyMessage({
          feePayer,
          blockhash,
          instructions: [{ programId: random(), accounts: [], data: new Uint8Array(bytes) }],
        }),
      );
    const overhead = big(200).length - 200;
    expect(big(1232 - overhead)).toHaveLength(1232);
    expect(() => big(1233 - overhead)).toThrow('Transaction too large: 1233 > 1232 bytes');
  });
});

function compileAndDecode(feePayer: Address, instructions: readonly Instruction[]) {
  return decodeTransaction(
    encodeUnsignedTransaction(compileLegacyMessage({ feePayer, blockhash, instructions })),
  );
}
