import type { Finding } from './doctor/finding.ts';
import { findingsOfLedgers } from './doctor/ledger-findings.ts';
import { findingsOfMachine } from './doctor/machine-findings.ts';
import { findingsOfNpm } from './doctor/npm-findings.ts';
import type { RunVerb } from './verb-call.ts';
import { readTarget } from './target.ts';

/** `doctor`: a line for each thing that was looked at, and what to do where it is not well. */
export const runDoctor: RunVerb = async (call) => {
  const target = readTarget(call);
  const { env } = call.terminal;
  const work = Promise.all([findingsOfMachine(env), findingsOfNpm(env), findingsOfLedgers(target)]);
  const findings = (await call.during('Asking the nodes', work)).flat();
  const bad = findings.filter(({ level }) => level === 'fault');
  call.report({ isWell: bad.length === 0, findings }, findings.flatMap(linesOf));
  return bad.length === 0 ? 'done' : 'unavailable';
};

function linesOf({ level, what, found, mend }: Finding): string[] {
  const [first = '', ...more] = `${what}: ${found}`.split('\n');
  const below = mend === undefined ? more : [...more, mend];
  return [`${level.padEnd(5)}  ${first}`, ...below.map((line) => `       ${line}`)];
}
