import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Layout } from '../../src/chain/chain.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { runApp, type RunningApp } from '../client/running-app.ts';
import { folderOfFile } from '../folders.ts';
import { IS_LONG, lengthOf } from '../length.ts';
import { CONDITIONS, ROUTES, type Condition, type Route } from './cases.ts';
import { Party } from './party.ts';
import { playRow, type Face, type Row } from './table.ts';

/** Payments that are made at the same time. */
const AT_ONCE = 6;
/** Tokens that are not there this long after the last receipt are not on their way, ms. */
const LATEST_MS = lengthOf({ short: 2_000, long: 10_000 });

describe.each([
  { layout: 'a', folder: undefined, isMissing: false, title: 'layout a' },
  {
    layout: 'b',
    folder: LAYOUT_B_FOLDER ?? '',
    isMissing: LAYOUT_B_FOLDER === null,
    title: `layout b (needs ${NO_LAYOUT_B})`,
  },
] as const)('every payment in every condition on $title', ({ layout, folder, isMissing }) => {
  let app: RunningApp | undefined;
  const rows: Row[] = [];

  beforeAll(async () => {
    if (isMissing) return;
    app = await runApp(folder);
    rows.push(...(await playAll(app, layout)));
  });
  afterAll(() => app?.close());
  const check = (what: string, test: () => void) => it.skipIf(isMissing)(what, test);

  check('says yes or arrived only where the tokens are in the end where the explanation says', () => {
    const promised = rows.filter((row) => row.outcome === 'arrived' || (confirms(row) && wasSent(row)));
    expect(promised.length).toBeGreaterThan(9);
    expect(
      promised.filter((row) => row.outcome !== 'arrived' || !isMovedAsSaid(row)).map(describeRow),
    ).toEqual([]);
  });

  check('sends whatever it says yes to with a login', () => {
    expect(rows.filter((row) => confirms(row) && !wasSent(row)).map(describeRow)).toEqual([]);
  });

  check('moves nothing where it was refused, not signed, or is reported to have moved nothing', () => {
    const idle = rows.filter((row) => !wasSent(row) || row.outcome === 'moved nothing');
    expect(idle.length).toBeGreaterThan(10);
    expect(idle.filter((row) => !hasMovedNothing(row)).map(describeRow)).toEqual([]);
  });

  check('finds no danger in what was built and can be paid, and says yes where that can be proven', () => {
    const genuine = rows.filter(({ condition }) => condition === 'enough');
    const faulty = genuine.filter(
      ({ route, refusal, explained, outcome }) =>
        refusal !== null ||
        outcome !== 'arrived' ||
        explained.some(({ findings }) => findings.some(({ level }) => level === 'danger')) ||
        (explained[1]?.request?.satisfied === 'yes') === (route.isUnprovable === true),
    );
    expect(faulty.map(describeRow)).toEqual([]);
  });

  check('signs nothing that takes more than there is', () => {
    const tooMuch = rows.filter(
      ({ condition, route }) =>
        condition === 'one too much' || (condition === 'zero left' && route.operation !== 'undelegate'),
    );
    expect(tooMuch.filter(wasSent).map(describeRow)).toEqual([]);
  });
});

async function playAll(app: RunningApp, layout: Layout): Promise<Row[]> {
  const files = await folderOfFile();
  if (layout === 'b') {
    const first = await Party.create(app, files);
    await first.do('spl/initialize-mint', { payer: first.address, mint: USDC_MINT });
  }
  const cases = ROUTES.filter(({ layouts }) => layouts.includes(layout)).flatMap((route) =>
    CONDITIONS.filter((condition) => isPossible(route, condition)).flatMap((condition) =>
      facesOf(condition).map((face) => ({ layout, route, condition, face })),
    ),
  );
  const rows: Row[] = [];
  const play = async (): Promise<void> => {
    for (let next = cases.shift(); next !== undefined; next = cases.shift()) {
      rows.push(await playRow(app, files, next));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, play));
  await sleep(LATEST_MS);
  return await Promise.all(rows.map(async (row) => ({ ...row, moved: await row.look() })));
}

/** An undelegation has no amount, and pays no account on base. */
const isPossible = ({ operation }: Route, condition: Condition): boolean =>
  operation !== 'undelegate' || (condition !== 'one too much' && condition !== 'frozen');

/** The command line signs by the same code as the plugin: it plays the conditions that differ most. */
const facesOf = (condition: Condition): readonly Face[] =>
  condition === 'enough' || (IS_LONG && condition === 'one too much')
    ? ['plugin', 'command line']
    : ['plugin'];

const confirms = ({ explained }: Row): boolean =>
  explained.some(({ request }) => request?.satisfied === 'yes');

const wasSent = ({ outcome }: Row): boolean =>
  ['arrived', 'moved nothing', 'still under way'].includes(outcome);

const isMovedAsSaid = ({ moved, expected }: Row): boolean =>
  Object.entries(expected).every(([name, amount]) => moved[name] === amount);

const hasMovedNothing = ({ moved }: Row): boolean => Object.values(moved).every((amount) => amount === 0n);

function describeRow(row: Row): string {
  const { route, condition, face, refusal, explained, outcome, moved } = row;
  const said = explained.map(({ verdict, request }) => `${verdict}, ${request?.satisfied}`).join('; ');
  const amounts = Object.entries(moved).map(([name, amount]) => `${name} ${amount}`);
  return `${route.name}, ${condition}, ${face}: ${refusal ?? said}: ${outcome}: ${amounts.join(', ')}`;
}
