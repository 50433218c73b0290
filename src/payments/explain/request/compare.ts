import { addresses, addressesIn, type FieldValue } from '../../../programs/instruction-table/field-codec.ts';
import { type Address, addressOf } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { type Call, type CallAccount, kindOf, type KnownCall, type MatchedForm, roleAt } from '../call.ts';
import type { Difference } from '../finding.ts';
import { identify } from '../known-programs.ts';
import type { Expectation } from './expectation.ts';

/** Finds all differences between a transaction and the expectation, in calls and account rights. */
export function compareTransaction(
  expectation: Expectation,
  calls: readonly Call[],
  accounts: readonly CallAccount[],
): Difference[] {
  const expected = expectation.instructions.map((instruction) => identify(callOf(instruction)));
  const { pairs, differences } = align(expected, calls.map(identify));
  return [
    ...compareFeePayer(expectation, accounts),
    ...differences,
    ...pairs.flatMap(([index, wanted, found]) => compareCall(index, wanted, found)),
    ...compareRights(expectation, accounts),
  ];
}

function callOf({ programId, accounts, data }: Instruction): Call {
  return { program: programId, accounts: accounts.map((account) => ({ ...account, entry: null })), data };
}

type Pair = readonly [index: number, expected: KnownCall, found: KnownCall];

/** Pairs the instructions in order. Instructions without a counterpart are surplus or missing. */
function align(
  expected: readonly KnownCall[],
  found: readonly KnownCall[],
): { pairs: Pair[]; differences: Difference[] } {
  if (expected.length === found.length) {
    return {
      pairs: expected.map((call, index) => [index, call, found[index] as KnownCall]),
      differences: [],
    };
  }
  const pairs: Pair[] = [];
  const differences: Difference[] = [];
  let next = 0;
  for (const [instruction, call] of found.entries()) {
    const wanted = expected[next];
    if (wanted !== undefined && kindOf(wanted) === kindOf(call)) {
      pairs.push([instruction, wanted, call]);
      next++;
    } else {
      differences.push({ instruction, part: 'instructions', expected: 'nothing', found: kindOf(call) });
    }
  }
  for (const call of expected.slice(next)) {
    differences.push({ part: 'instructions', expected: kindOf(call), found: 'nothing' });
  }
  return { pairs, differences };
}

function compareCall(instruction: number, expected: KnownCall, found: KnownCall): Difference[] {
  if (kindOf(expected) !== kindOf(found)) {
    return [{ instruction, part: 'instructions', expected: kindOf(expected), found: kindOf(found) }];
  }
  return [...compareAccounts(instruction, expected, found), ...compareData(instruction, expected, found)];
}

function compareAccounts(
  instruction: number,
  { call: expected, matched: wanted }: KnownCall,
  { call: found }: KnownCall,
): Difference[] {
  const differences: Difference[] = [];
  for (let at = 0; at < Math.max(expected.accounts.length, found.accounts.length); at++) {
    const account = found.accounts[at];
    // An account in an unread lookup table is unknown rather than different. It is reported elsewhere.
    if (account?.address === null && at < expected.accounts.length) continue;
    const want = expected.accounts[at]?.address ?? 'no account';
    const have = account?.address ?? 'no account';
    if (want === have) continue;
    const isNamed = wanted !== null && (at < expected.accounts.length || wanted.form.more !== undefined);
    const part = isNamed ? roleAt(wanted.form, at) : 'accounts';
    differences.push({ instruction, part, expected: want, found: have });
  }
  return differences;
}

function compareData(
  instruction: number,
  { call: { data: wantedData }, matched: wanted }: KnownCall,
  { call: { data: foundData }, matched: found }: KnownCall,
): Difference[] {
  if (Buffer.compare(wantedData, foundData) === 0) return [];
  const differences: Difference[] = [];
  const names = new Set([...(wanted?.fields.keys() ?? []), ...(found?.fields.keys() ?? [])]);
  for (const part of names) {
    const lists = [wanted, found].map((matched) => listOf(matched, part));
    if (lists[0] && lists[1]) {
      differences.push(...listDifferences(part, lists[0], lists[1], instruction));
      continue;
    }
    const want = textOf(wanted?.fields.get(part));
    const have = textOf(found?.fields.get(part));
    if (want !== have) differences.push({ instruction, part, expected: want, found: have });
  }
  if (differences.length > 0) return differences;
  // Different bytes are a difference even if they mean the same.
  return [{ instruction, part: 'data', expected: hex(wantedData), found: hex(foundData) }];
}

/** Returns the addresses in a list field; null for other fields. */
function listOf(matched: MatchedForm | null, part: string): Address[] | null {
  const value = matched?.fields.get(part);
  return matched?.form.fields[part] === addresses ? addressesIn(value as Uint8Array) : null;
}

/** Lists missing and surplus addresses; if there are none, reports the different order. */
export function listDifferences(
  part: string,
  expected: readonly Address[],
  found: readonly Address[],
  instruction?: number,
): Difference[] {
  if (expected.join() === found.join()) return [];
  const [missing, surplus] = [without(expected, found), without(found, expected)];
  if (missing.length + surplus.length === 0) {
    return [{ instruction, part, expected: expected.join(', '), found: found.join(', ') }];
  }
  return Array.from({ length: Math.max(missing.length, surplus.length) }, (_, at) => ({
    instruction,
    part,
    expected: missing[at] ?? 'no other address',
    found: surplus[at] ?? 'missing',
  }));
}

const without = (list: readonly Address[], other: readonly Address[]): Address[] =>
  list.filter((address) => !other.includes(address));

function textOf(value: FieldValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (value instanceof Uint8Array) return value.length === 32 ? addressOf(value) : hex(value);
  return value.toString();
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function compareFeePayer({ feePayer }: Expectation, accounts: readonly CallAccount[]): Difference[] {
  const found = accounts[0]?.address ?? 'no one';
  return found === feePayer ? [] : [{ part: 'feePayer', expected: feePayer, found }];
}

interface Rights {
  signer: boolean;
  writable: boolean;
}

/** Compares account rights. Surplus rights let programs do more. Unused accounts are surplus. */
function compareRights(expectation: Expectation, accounts: readonly CallAccount[]): Difference[] {
  const expected = rightsOf(expectation);
  const differences: Difference[] = [];
  const seen = new Set<Address>();
  for (const { address, signer, writable } of accounts) {
    if (address === null) continue;
    const want = expected.get(address);
    const found = rightsText({ signer, writable });
    if (seen.has(address)) {
      differences.push({ part: 'accounts', expected: `${address} once`, found: 'the same account again' });
      continue;
    }
    seen.add(address);
    if (want === undefined) {
      differences.push({ part: 'accounts', expected: 'no further account', found: `${address} (${found})` });
    } else if (rightsText(want) !== found) {
      differences.push({
        part: want.signer === signer ? 'accounts' : 'signers',
        expected: `${address} (${rightsText(want)})`,
        found: `${address} (${found})`,
      });
    }
  }
  return differences;
}

function rightsOf({ feePayer, instructions }: Expectation): Map<Address, Rights> {
  const rights = new Map<Address, Rights>([[feePayer, { signer: true, writable: true }]]);
  const claim = (address: Address, signer: boolean, writable: boolean): void => {
    const known = rights.get(address);
    if (known === undefined) rights.set(address, { signer, writable });
    else {
      known.signer ||= signer;
      known.writable ||= writable;
    }
  };
  for (const { programId, accounts } of instructions) {
    claim(programId, false, false);
    for (const { address, signer, writable } of accounts) claim(address, signer, writable);
  }
  return rights;
}

const rightsText = ({ signer, writable }: Rights): string =>
  `${signer ? 'signs' : 'does not sign'}, ${writable ? 'writable' : 'read-only'}`;
