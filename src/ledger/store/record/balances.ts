import type { TokenBalance, TransactionRecord } from '../../execution.ts';
import type { AddressRefs, AddressTable } from './address-refs.ts';
import type { ByteSink } from './byte-sink.ts';
import type { ByteSource } from './byte-source.ts';

/** Whether a token balance differs from the one before it in its amount alone. */
const ANEW = 0;
const SAME_ACCOUNT = 1;

/** Whether the first account paid the fee, and no lamports changed besides. */
export function paysFeeAlone({ fee, preBalances, postBalances }: TransactionRecord): boolean {
  return isSameList(postBalances, afterFee(preBalances, fee), (after, expected) => after === expected);
}

/** Whether the token balances are of one mint, and of the same accounts before and after. */
export function hasOneMint({
  preTokenBalances: before,
  postTokenBalances: after,
}: TransactionRecord): boolean {
  const [first] = before;
  if (first === undefined || !isSameList(before, after, isSameAccount)) return false;
  return before.every((each) => isSameMint(each, first));
}

/** Writes lamports before and, unless {@link paysFeeAlone}, those after as differences. */
export function writeLamports(
  sink: ByteSink,
  { preBalances: before, postBalances: after }: TransactionRecord,
  isFeeAlone: boolean,
): void {
  sink.varint(before.length);
  for (const lamports of before) sink.bigVarint(lamports);
  if (isFeeAlone) return;
  sink.varint(after.length);
  for (const [at, lamports] of after.entries()) sink.bigSigned(lamports - (before[at] ?? 0n));
}

/**
 * Reads what {@link writeLamports} wrote.
 *
 * @param feeAlone the fee if that is all that was paid, lamports; else null.
 */
export function readLamports(
  source: ByteSource,
  feeAlone: bigint | null,
): { readonly before: bigint[]; readonly after: bigint[] } {
  const before = source.list(() => source.bigVarint());
  if (feeAlone !== null) return { before, after: afterFee(before, feeAlone) };
  let at = 0;
  const after = source.list(() => source.bigSigned() + (before[at++] ?? 0n));
  return { before, after };
}

/**
 * Writes token balances before and after; those after as differences where the account is the same. If
 * {@link hasOneMint}, that mint comes first.
 */
export function writeTokenBalances(
  sink: ByteSink,
  { preTokenBalances: before, postTokenBalances: after }: TransactionRecord,
  isOneMint: boolean,
  refs: AddressRefs,
): void {
  sink.varint(before.length);
  if (isOneMint) return writeOfOneMint(sink, before, after, refs);
  for (const balance of before) writeBalance(sink, balance, refs);
  sink.varint(after.length);
  for (const [at, balance] of after.entries()) {
    const earlier = before[at];
    if (earlier === undefined || !isSameAccount(earlier, balance)) {
      sink.u8(ANEW);
      writeBalance(sink, balance, refs);
    } else {
      sink.u8(SAME_ACCOUNT);
      sink.bigSigned(balance.amount - earlier.amount);
    }
  }
}

/** Reads what {@link writeTokenBalances} wrote. */
export function readTokenBalances(
  source: ByteSource,
  isOneMint: boolean,
  addresses: AddressTable,
): { readonly before: TokenBalance[]; readonly after: TokenBalance[] } {
  if (isOneMint) return readOfOneMint(source, addresses);
  const before = source.list(() => readBalance(source, addresses));
  let at = 0;
  const after = source.list(() => {
    const earlier = before[at++];
    if (source.u8() === ANEW || earlier === undefined) return readBalance(source, addresses);
    return { ...earlier, amount: earlier.amount + source.bigSigned() };
  });
  return { before, after };
}

function writeOfOneMint(
  sink: ByteSink,
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
  refs: AddressRefs,
): void {
  const { mint, programId, decimals } = before[0] as TokenBalance;
  sink.varint(refs.numberOf(mint));
  sink.varint(refs.numberOf(programId));
  sink.u8(decimals);
  for (const [at, { accountIndex, owner, amount }] of before.entries()) {
    sink.varint(accountIndex);
    sink.varint(refs.numberOf(owner));
    sink.bigVarint(amount);
    sink.bigSigned((after[at] as TokenBalance).amount - amount);
  }
}

function readOfOneMint(
  source: ByteSource,
  addresses: AddressTable,
): { readonly before: TokenBalance[]; readonly after: TokenBalance[] } {
  const count = source.varint();
  const common = { mint: addresses.read(source), programId: addresses.read(source), decimals: source.u8() };
  const before: TokenBalance[] = [];
  const after: TokenBalance[] = [];
  while (before.length < count) {
    const account = { accountIndex: source.varint(), owner: addresses.read(source), ...common };
    const amount = source.bigVarint();
    before.push({ ...account, amount });
    after.push({ ...account, amount: amount + source.bigSigned() });
  }
  return { before, after };
}

function writeBalance(sink: ByteSink, balance: TokenBalance, refs: AddressRefs): void {
  sink.varint(balance.accountIndex);
  for (const address of [balance.mint, balance.owner, balance.programId]) sink.varint(refs.numberOf(address));
  sink.bigVarint(balance.amount);
  sink.u8(balance.decimals);
}

function readBalance(source: ByteSource, addresses: AddressTable): TokenBalance {
  return {
    accountIndex: source.varint(),
    mint: addresses.read(source),
    owner: addresses.read(source),
    programId: addresses.read(source),
    amount: source.bigVarint(),
    decimals: source.u8(),
  };
}

function isSameAccount(a: TokenBalance, b: TokenBalance): boolean {
  return a.accountIndex === b.accountIndex && a.owner === b.owner && isSameMint(a, b);
}

function isSameMint(a: TokenBalance, b: TokenBalance): boolean {
  return a.mint === b.mint && a.programId === b.programId && a.decimals === b.decimals;
}

const afterFee = (before: readonly bigint[], fee: bigint): bigint[] =>
  before.map((lamports, at) => (at === 0 ? lamports - fee : lamports));

function isSameList<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((each, at) => isSame(each, b[at] as T));
}
