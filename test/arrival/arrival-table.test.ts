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
] as const)('payments in every condition on $title', ({ layout, folder, isMissing }) => {
  let app: RunningApp | undefined;
  const rows: Row[] = [];

  beforeAll(async () => {
    if (isMissing) return;
    app = await runApp(folder);
    rows.push(...(await playAll(app, layout)));
  });
  afterAll(() => app?.close());
  const check = (what: string, test: () => void) => it.skipIf(isMissing)(what, test);

  check('are reported as arrived only if the explained tokens arrive', () => {
    const promised = rows.filter((row) => row.outcome === 'arrived' || (confirms(row) && wasSent(row)));
    expect(promised.length).toBeGreaterThan(lengthOf({ short: 5, long: 9 }));
    expect(
      promised.filter((row) => row.outcome !== 'arrived' || !isMovedAsSaid(row)).map(describeRow),
    ).toEqual([]);
  });

  check('are sent if the explanation for a logged-in user is yes', () => {
    expect(rows.filter((row) => confirms(row) && !wasSent(row)).map(describeRow)).toEqual([]);
  });

  check('move nothing if rejected, not signed or reported to have moved nothing', () => {
    const idle = rows.filter((row) => !wasSent(row) || row.outcome === 'moved nothing');
    expect(idle.length).toBeGreaterThan(lengthOf({ short: 6, long: 10 }));
    expect(idle.filter((row) => !hasMovedNothing(row)).map(describeRow)).toEqual([]);
  });

  check('have no danger and a provable yes if the service built them and the tokens suffice', () => {
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

  check('are not signed if they take more than the sender has', () => {
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
    CONDITIONS.filter((condition) => isPossible(route, condition) && isPlayed(route, condition)).flatMap(
      (condition) => facesOf(route, condition).map((face) => ({ layout, route, condition, face })),
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

/** The short form plays "enough" and two other conditions on each route, and each condition on some routes. */
const isPlayed = (route: Route, condition: Condition): boolean =>
  IS_LONG || condition === 'enough' || (ROUTES.indexOf(route) + CONDITIONS.indexOf(condition)) % 2 === 0;

/** The command line signs by the same code as the plugin: it plays the conditions that differ most. */
function facesOf(route: Route, condition: Condition): readonly Face[] {
  const playsBoth = IS_LONG
    ? condition === 'enough' || condition === 'one too much'
    : condition === 'enough' && ROUTES.indexOf(route) % 2 === 0;
  return playsBoth ? ['plugin', 'command line'] : ['plugin'];
}

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
