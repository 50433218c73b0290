import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startExternalValidator } from '../../scripts/external-validator/launch.ts';
import { probeMachine, type Recipe } from '../../scripts/external-validator/probe.ts';
import { VERSION_OF } from '../../scripts/external-validator/versions.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { temporaryFolder } from '../folders.ts';
import { playLife } from '../network-life/life.ts';
import { reported } from '../network-life/report.ts';
import { SCENARIOS } from '../network-life/scenarios.ts';
import { openNetworkStack, type NetworkStack } from '../network-life/stack.ts';
import { findFreePorts } from './free-ports.ts';

// The same life on the embedded rollup and on MagicBlock's validator, on the same programs.
it("gives every wallet the same balances on the embedded rollup and on MagicBlock's validator", async ({
  skip,
}) => {
  if (LAYOUT_B_FOLDER === null) return skip(NO_LAYOUT_B);
  const { facts, recipe } = probeMachine(process.env, VERSION_OF.b);
  if (recipe === null) {
    return skip(facts.flatMap(({ isMet, text }) => (isMet ? [] : [text])).join('; '));
  }
  const embedded = await live(await openNetworkStack(LAYOUT_B_FOLDER, onTestFinished));
  const external = await live(await openExternalStack(LAYOUT_B_FOLDER, recipe));
  expect(external).toEqual(embedded);
  expect(external.length).toBeGreaterThan(SCENARIOS.length);
});

/** Plays the life; what everybody has at its end. */
async function live(stack: NetworkStack): Promise<string[]> {
  return withKeysTogether((await reported(() => playLife(stack))).result);
}

/** The base balance of a wallet, as a line of the balances. */
const KEY = /^Key \d: (?<units>\d+) /;

/** Which of the two keys of the stealth handle gets which part is drawn: they count together. */
function withKeysTogether(lines: readonly string[]): string[] {
  const ofKeys = lines.flatMap((line) => KEY.exec(line)?.groups?.['units'] ?? []);
  const units = ofKeys.reduce((sum, each) => sum + BigInt(each), 0n);
  return [...lines.filter((line) => !KEY.test(line)), `${ofKeys.length} keys: ${units}`];
}

async function openExternalStack(programs: string, recipe: Recipe): Promise<NetworkStack> {
  const folder = join(await temporaryFolder(onTestFinished), 'validator');
  // The node must know where the rollup will be, and the validator where its base chain is.
  const port = await findFreePorts(3);
  const stack = await openNetworkStack(programs, onTestFinished, `http://127.0.0.1:${port}`);
  const validator = await startExternalValidator(recipe, { baseUrl: stack.ledgerUrl, port, folder });
  onTestFinished(() => validator.stop());
  return stack;
}
