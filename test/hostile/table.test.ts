import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { asVersion1 } from '../../src/ledger/testing/version-1.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../src/programs/addresses.ts';
import { SIGNATURE_BYTES } from '../../src/solana/signature.ts';
import { decodeTransaction, isSane, type Transaction, WireError } from '../../src/solana/transaction.ts';
import { IS_LONG, lengthOf } from '../length.ts';
import { explain, type Explainer, faultsOf } from './judge.ts';
import type { Row } from './row.ts';
import { TABLE, TABLE_B, TABLE_RECORDED_A } from './table.ts';
import { openWorldB } from './world/world-b.ts';
import { openWorld, type World } from './world/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Every row in the long form, every n-th in the short one. */
const sample = <R>(rows: readonly R[], n: number): readonly R[] =>
  IS_LONG ? rows : rows.filter((_, index) => index % n === 0);

/** Returns the rows that do not get the expected explanation, each with its faults. */
async function judge<Place extends { readonly scene: Explainer }>(
  place: Place,
  rows: readonly Row<Place>[],
): Promise<[name: string, fault: string][]> {
  const faulty: [string, string][] = [];
  for (const row of rows) {
    const faults = await faultsOf(place, row);
    if (faults.length > 0) faulty.push([row.name, faults.join('; ')]);
  }
  return faulty;
}

describe('the table of hostile transactions', () => {
  it('has more than a thousand rows with distinct names', () => {
    const names = [...TABLE, ...TABLE_B, ...TABLE_RECORDED_A].map(({ name }) => name);
    expect(names.length).toBeGreaterThan(1_000);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('gets the expected explanation for each row', async () => {
    const faults = [
      ...(await judge(world, sample(TABLE, 3))),
      ...(await judge(openWorldB(), sample(TABLE_B, 3))),
      ...(await judge(openWorldB('a'), sample(TABLE_RECORDED_A, 3))),
    ];
    expect(faults.map(([name, fault]) => `${name} -> ${fault}`)).toEqual([]);
  });

  it('gets the same explanation for each row as a version 1 transaction', async () => {
    // Rows change the world that they are made in.
    const another = await openWorld();
    onTestFinished(() => another.close());
    const compared = [
      ...(await compareVersions(another, sample(TABLE, 12))),
      ...(await compareVersions(openWorldB(), sample(TABLE_B, 12))),
      ...(await compareVersions(openWorldB('a'), sample(TABLE_RECORDED_A, 12))),
    ];
    expect(compared.length).toBeGreaterThan(lengthOf({ short: 50, long: 700 }));
    expect(compared.filter(({ legacy, twin }) => legacy !== twin)).toEqual([]);
  });
});

/** The explanations of each row that can be a version 1 transaction, in both versions. */
async function compareVersions<Place extends { readonly scene: Explainer }>(
  place: Place,
  rows: readonly Row<Place>[],
): Promise<{ name: string; legacy: string; twin: string }[]> {
  const compared = [];
  for (const { name, make, asked } of rows) {
    const offer = await make(place);
    const unsigned = unsignedOf(offer.transactionBase64);
    if (unsigned === null) continue;
    const say = async (wire: Uint8Array): Promise<string> => {
      const transactionBase64 = Buffer.from(wire).toString('base64');
      const words = [await explain(place.scene, { ...offer, transactionBase64 }, false)];
      if (asked !== undefined) words.push(await explain(place.scene, { ...offer, transactionBase64 }, true));
      return words.map(wordOf).join(' | ');
    };
    const twin = asVersion1(unsigned);
    if (headOf(decodeTransaction(twin)) !== headOf(unsigned)) continue;
    compared.push({ name, legacy: await say(unsigned.wire), twin: await say(twin) });
  }
  return compared;
}

/** The transaction without its signatures; null where version 1 has nothing like it. */
function unsignedOf(transactionBase64: string): Transaction | null {
  try {
    const transaction = decodeTransaction(new Uint8Array(Buffer.from(transactionBase64, 'base64')));
    const { version, lookups, signaturesAt, signatures, staticKeys } = transaction;
    // Compute budget instructions set nothing there.
    const isOther = version === 1 || lookups.length > 0 || staticKeys.includes(COMPUTE_BUDGET_PROGRAM);
    if (isOther || !isSane(transaction)) return null;
    const wire = Uint8Array.from(transaction.wire);
    wire.fill(0, signaturesAt, signaturesAt + signatures.length * SIGNATURE_BYTES);
    return decodeTransaction(wire);
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
}

/** What differs where the keys of a transaction are not those that its instructions ask for. */
function headOf({ staticKeys, requiredSignatures, readonlySigned, readonlyUnsigned }: Transaction): string {
  return [staticKeys.length, requiredSignatures, readonlySigned, readonlyUnsigned].join();
}

function wordOf(word: Awaited<ReturnType<typeof explain>>): string {
  if (word.kind !== 'explained') return word.kind === 'refused' ? word.code : word.why;
  const { verdict, findings, request } = word.explanation;
  const codes = findings.map(({ level, code }) => `${level} ${code}`).toSorted();
  return [verdict, request?.satisfied ?? '', ...codes].join(', ');
}
