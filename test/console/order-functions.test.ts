import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/kept-order.mjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'spl-orders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The code as the build orders it: it runs as plain JavaScript, as the build does. */
function ordered(code: string): string {
  const program = `
    import { text } from 'node:stream/consumers';
    import { orderFunctions } from ${JSON.stringify(SCRIPT)};
    process.stdout.write(orderFunctions(await text(process.stdin), ${JSON.stringify(folder)}));`;
  const { stdout, stderr, status } = spawnSync('node', ['--input-type=module', '-e', program], {
    input: code,
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** Text that gzip finds nothing in, longer than it looks back. */
function noise(seed: number): string {
  let state = seed;
  const digits = Array.from({ length: 40_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 24).toString(36);
  });
  return `const n${seed}=\`${digits.join('')}\`;`;
}

const long = (name: string): string =>
  `function ${name}(to,amount){return{title:\`What the vault has\`,to,amount,text:\`Nothing is settled until it is there\`}}`;

describe('the order of the functions of a bundle', () => {
  it('has those that share much beside each other, so that gzip finds it', () => {
    const code = `${long('first')}${noise(1)}${long('other')}${noise(2)}export{first,other,n1,n2};`;
    const shorter = ordered(code);
    expect(gzipSync(shorter).length).toBeLessThan(gzipSync(code).length - 40);
    const apart = shorter.indexOf(long('other')) - shorter.indexOf(long('first'));
    expect(Math.abs(apart)).toBe(long('other').length);
  });

  it('moves nothing else: what runs, runs in the same order', async () => {
    const code = `import{sep}from'node:path';const log=[];class Kept{}log.push(late(1));let value=late(2);${long('first')}function late(at){log.push(at);return sep.length+at}${noise(1)}${long('other')}log.push(value);export{log,first,other}`;
    const [before, after] = (await Promise.all(
      [code, ordered(code)].map((text) => import(`data:text/javascript,${encodeURIComponent(text)}`)),
    )) as { readonly log: readonly number[] }[];
    expect(after?.log).toEqual([1, 2, 2, 3]);
    expect(before?.log).toEqual(after?.log);
  });

  it('is kept, so that only another module is searched anew', () => {
    const code = `${long('one')}${noise(3)}${long('two')}export{one,two,n3};`;
    const before = new Set(readdirSync(folder));
    const searched = ordered(code);
    const kept = readdirSync(folder).find((name) => !before.has(name)) ?? '';
    const file = join(folder, kept);
    const order = JSON.parse(readFileSync(file, 'utf8')) as number[];
    expect(ordered(code) === searched).toBe(true);
    // Another order of the two functions is taken as it is kept: nothing is searched.
    writeFileSync(file, JSON.stringify([2, 0, 1, 3]));
    expect(ordered(code) === searched).toBe(false);
    for (const damaged of [
      '',
      '{}',
      '[0,1]',
      '[0,0,1,2]',
      '[0,1,2,9]',
      '[0,3,2,1]',
      JSON.stringify(order).slice(1),
    ]) {
      writeFileSync(file, damaged);
      expect(ordered(code) === searched, damaged).toBe(true);
      expect(JSON.parse(readFileSync(file, 'utf8')), damaged).toEqual(order);
    }
  });
});
