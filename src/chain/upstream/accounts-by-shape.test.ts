import { randomBytes, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseExact } from '../../json/parse-exact.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { readAccountsByShape } from './accounts-by-shape.ts';
import { accountsAnswer } from './rpc-answers.ts';

const U64_TEXTS = ['0', '1', '890880', '999999999999999', '9007199254740993', '18446744073709551615'];
const pick = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

/** An account as Agave writes it. */
function accountText(byteCount = pick([0, 1, 2, 3, 72, 82, 165])): string {
  const data = randomBytes(byteCount).toString('base64');
  const owner = pick([TOKEN_PROGRAM, addressOf(new Uint8Array(randomBytes(32)))]);
  const space = pick([`,"space":${byteCount}`, '']);
  return `{"data":["${data}","base64"],"executable":${pick(['true', 'false'])},"lamports":${pick(U64_TEXTS)},"owner":"${owner}","rentEpoch":${pick(U64_TEXTS)}${space}}`;
}

function bodyOf(accounts: readonly string[], id = 7): string {
  const version = pick(['"apiVersion":"2.2.14",', '']);
  return `{"jsonrpc":"2.0","result":{"context":{${version}"slot":341197053},"value":[${accounts.join()}]},"id":${id}}`;
}

const randomBody = (): string =>
  bodyOf(Array.from({ length: randomInt(5) }, () => (randomInt(4) === 0 ? 'null' : accountText())));

/** As one text, which is compared much faster than bytes. */
const textOf = (read: object | null): string =>
  JSON.stringify(read, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

/** What the general reader makes of it; null when it refuses it. */
function readGenerally(body: string) {
  try {
    const { id, result } = parseExact(body) as { id: number; result: unknown };
    const read = accountsAnswer.parse(result);
    return { id, slot: read.context.slot, result: read };
  } catch {
    return null;
  }
}

describe('readAccountsByShape', () => {
  it('reads what Agave writes as the general reader does', () => {
    for (let n = 0; n < 500; n++) {
      const body = randomBody();
      const read = readAccountsByShape(body);
      expect(textOf(read)).toBe(textOf(readGenerally(body)));
      expect(read).not.toBeNull();
    }
  });

  it('reads nothing else: a body that was changed anywhere is left to the general reader, or read like it', () => {
    let left = 0;
    for (let n = 0; n < 20_000; n++) {
      const body = bodyOf([accountText(pick([0, 1, 2, 3, 5])), pick(['null', accountText(1)])]);
      const at = randomInt(body.length);
      const inserted = pick([
        '',
        '0',
        '=',
        'A',
        '"',
        ',',
        '{',
        ']',
        ' ',
        '\\',
        '-',
        'é',
        body[randomInt(body.length)] as string,
      ]);
      const changed = body.slice(0, at) + inserted + body.slice(at + randomInt(3));
      const read = readAccountsByShape(changed);
      if (read === null) left++;
      else expect(textOf(read)).toBe(textOf(readGenerally(changed)));
    }
    expect(left).toBeGreaterThan(10_000);
  });

  it.each([
    ['base64 that stands for its bytes in another way', accountText(1).replace(/".."?==/, '"AB=='), null],
    [
      'more lamports than u64 holds',
      accountText().replace(/"lamports":\d+/, '"lamports":18446744073709551616'),
      null,
    ],
    [
      'a rent epoch that a provider rounded up',
      accountText().replace(/"rentEpoch":\d+/, '"rentEpoch":18446744073709552000'),
      null,
    ],
    [
      'an owner of 31 bytes',
      accountText().replace(/"owner":"\w+"/, `"owner":"${encodeBase58(new Uint8Array(31).fill(9))}"`),
      null,
    ],
    [
      'members in the order of another provider',
      '{"lamports":1,"owner":"11111111111111111111111111111111","data":["","base64"],"executable":false,"rentEpoch":0}',
      null,
    ],
  ])('leaves %s to the general reader', (_, account, read) => {
    expect(readAccountsByShape(bodyOf([account]))).toBe(read);
  });

  it('gives the accounts of a program one text for their owner', () => {
    const [first, second] = [bodyOf([accountText()]), bodyOf([accountText()])].map(
      (body) =>
        readAccountsByShape(body.replace(/"owner":"\w+"/, `"owner":"${TOKEN_PROGRAM}"`))?.result.value[0]
          ?.owner,
    );
    expect(first).toBe(TOKEN_PROGRAM);
    expect(second).toBe(first);
  });
});
