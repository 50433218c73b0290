import { randomBytes, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addressBytes, addressOf, type Address } from './address.ts';
import type { Instruction } from './instruction.ts';
import { MessageTemplate, type MessageForm } from './message-template.ts';
import { compileLegacyMessage, type CompiledMessage } from './message.ts';

const random = (): Address => addressOf(new Uint8Array(randomBytes(32)));
const isHeads = (): boolean => randomInt(2) === 0;
const blockhash = new Uint8Array(randomBytes(32));

/**
 * A form of random instructions on 5 changing and 5 fixed addresses, with two numbers and an address in the
 * data.
 */
function randomForm(): MessageForm & { readonly fixed: readonly Address[] } {
  const fixed = Array.from({ length: 5 }, random);
  const calls = Array.from({ length: 1 + randomInt(4) }, () => ({
    program: randomInt(10),
    accounts: Array.from({ length: randomInt(8) }, () => ({
      which: randomInt(10),
      signer: isHeads(),
      writable: isHeads(),
    })),
    tag: randomInt(256),
  }));
  return {
    name: fixed.join(),
    fixed,
    addressCount: 5,
    numberSizes: [8, 1],
    contain: (addresses, numbers) => {
      const all = [...addresses, ...fixed];
      const instructions = calls.map(({ program, accounts, tag }): Instruction => ({
        programId: all[program] as Address,
        accounts: accounts.map(({ which, ...rights }) => ({ address: all[which] as Address, ...rights })),
        data: dataOf(tag, numbers, addresses),
      }));
      return { feePayer: addresses[0] as Address, instructions };
    },
  };
}

/** The tag, the second number twice, the last address, the first number. */
function dataOf(tag: number, numbers: readonly bigint[], addresses: readonly Address[]): Uint8Array {
  const [wide = 0n, narrow] = numbers;
  const last = new Uint8Array(8);
  new DataView(last.buffer).setBigUint64(0, wide, true);
  return Uint8Array.of(
    tag,
    Number(narrow),
    Number(narrow),
    ...addressBytes(addresses[4] as Address),
    ...last,
  );
}

/** Comparing texts costs a hundredth of comparing arrays. */
const textOf = (message: CompiledMessage | undefined): string =>
  message === undefined ? '' : `${message.signers.join()} ${Buffer.from(message.bytes).toString('hex')}`;

const randomNumbers = (): [bigint, bigint] => [randomBytes(8).readBigUInt64LE(), BigInt(randomInt(256))];

describe('MessageTemplate', () => {
  it('writes what is compiled from the instructions, for 4,000 messages of 200 forms', () => {
    for (let i = 0; i < 200; i++) {
      const form = randomForm();
      const template = new MessageTemplate(form);
      for (let n = 0; n < 20; n++) {
        const addresses = Array.from({ length: 5 }, random);
        const numbers = randomNumbers();
        const content = form.contain(addresses, numbers);
        const filled = template.fillIn(addresses, numbers);
        expect(filled?.length).toBe(content.instructions.length);
        expect(textOf(filled?.compile(blockhash))).toBe(
          textOf(compileLegacyMessage({ ...content, blockhash })),
        );
      }
    }
  });

  it('keeps messages apart that are filled in before either is compiled', () => {
    const form = randomForm();
    const template = new MessageTemplate(form);
    const both = [0, 1].map(() => {
      const addresses = Array.from({ length: 5 }, random);
      const numbers = randomNumbers();
      const source = { ...form.contain(addresses, numbers), blockhash };
      return { filled: template.fillIn(addresses, numbers), expected: compileLegacyMessage(source) };
    });
    const compiled = both.map(({ filled }) => filled?.compile(blockhash));
    expect(compiled).toEqual(both.map(({ expected }) => expected));
  });

  it('takes no address twice, and none of those that do not change', () => {
    const form = randomForm();
    const template = new MessageTemplate(form);
    const addresses = Array.from({ length: 5 }, random);
    for (let i = 0; i < 5; i++) {
      expect(template.fillIn(addresses.with(i, addresses[(i + 1) % 5] as Address), [0n, 0n])).toBeNull();
    }
    const named = new Set(
      form
        .contain(addresses, [0n, 0n])
        .instructions.flatMap(({ programId, accounts }) => [
          programId,
          ...accounts.map(({ address }) => address),
        ]),
    );
    for (const address of form.fixed.filter((each) => named.has(each))) {
      expect(template.fillIn(addresses.with(4, address), [0n, 0n])).toBeNull();
    }
  });

  it('takes no number that does not fit', () => {
    const template = new MessageTemplate(randomForm());
    const addresses = Array.from({ length: 5 }, random);
    for (const numbers of [
      [1n << 64n, 0n],
      [0n, 256n],
      [-1n, 0n],
    ]) {
      expect(() => template.fillIn(addresses, numbers)).toThrow(RangeError);
    }
  });
});
