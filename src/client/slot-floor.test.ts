import { expect, it } from 'vitest';
import { carrySlotFloor } from './slot-floor.ts';

/** A service that answers with these headers, in order. Records the headers of the requests. */
function open(floors: readonly (string | null)[]) {
  const sent: (string | null)[] = [];
  const left = [...floors];
  let nowMs = 0;
  const fetch = carrySlotFloor(
    async (_, init) => {
      sent.push(new Headers(init?.headers).get('ledger-slot-floor'));
      const floor = left.shift() ?? null;
      return new Response(null, { headers: floor === null ? {} : { 'ledger-slot-floor': floor } });
    },
    () => nowMs,
  );
  const ask = (): Promise<Response> =>
    fetch('http://service.test/', { headers: { accept: 'application/json' } });
  return { ask, sent, pass: (ms: number) => (nowMs += ms) };
}

it('sends the highest slot of each ledger', async () => {
  const { ask, sent } = open(['mainnet.base=5, mainnet.rollup=7', 'devnet.base=9', 'mainnet.base=4', null]);
  for (let count = 0; count < 5; count++) await ask();
  const all = 'mainnet.base=5, mainnet.rollup=7, devnet.base=9';
  expect(sent).toEqual([null, 'mainnet.base=5, mainnet.rollup=7', all, all, all]);
});

it('forgets a slot after a minute, so that a ledger that was reset is accepted', async () => {
  const { ask, sent, pass } = open(['mainnet.base=5']);
  await ask();
  pass(60_000);
  await ask();
  pass(1);
  await ask();
  expect(sent).toEqual([null, 'mainnet.base=5', null]);
});

it('follows a ledger that was reset (bug: its slots were never sent again)', async () => {
  const { ask, sent, pass } = open(['mainnet.base=9', 'mainnet.base=4', null]);
  await ask();
  pass(60_001);
  await ask();
  await ask();
  expect(sent).toEqual([null, null, 'mainnet.base=4']);
});

it.each(['', 'nonsense', 'mainnet.base=x', 'a\u00e9=1', 'mainnet.base=5;x'])('ignores %j', async (floor) => {
  const { ask, sent } = open([floor]);
  await ask();
  await ask();
  expect(sent).toEqual([null, null]);
});
