import type { TokenBalance } from '../../execution.ts';
import type { AddressRefs, AddressTable } from './address-refs.ts';
import type { ByteSink } from './byte-sink.ts';
import type { ByteSource } from './byte-source.ts';

/** Whether a token balance differs from the one before it in its amount alone. */
const ANEW = 0;
const SAME_ACCOUNT = 1;

/** Writes lamports before and after; those after as differences. */
export function writeLamports(sink: ByteSink, before: readonly bigint[], after: readonly bigint[]): void {
  sink.varint(before.length);
  for (const lamports of before) sink.bigVarint(lamports);
  sink.varint(after.length);
  for (const [at, lamports] of after.entries()) sink.bigSigned(lamports - (before[at] ?? 0n));
}

/** Reads what {@link writeLamports} wrote. */
export function readLamports(source: ByteSource): { readonly before: bigint[]; readonly after: bigint[] } {
  const before = source.list(() => source.bigVarint());
  let at = 0;
  const after = source.list(() => source.bigSigned() + (before[at++] ?? 0n));
  return { before, after };
}

/** Writes token balances before and after; those after as differences where the account is the same. */
export function writeTokenBalances(
  sink: ByteSink,
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
  refs: AddressRefs,
): void {
  sink.varint(before.length);
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
  addresses: AddressTable,
): { readonly before: TokenBalance[]; readonly after: TokenBalance[] } {
  const before = source.list(() => readBalance(source, addresses));
  let at = 0;
  const after = source.list(() => {
    const earlier = before[at++];
    if (source.u8() === ANEW || earlier === undefined) return readBalance(source, addresses);
    return { ...earlier, amount: earlier.amount + source.bigSigned() };
  });
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
  return (
    a.accountIndex === b.accountIndex &&
    a.mint === b.mint &&
    a.owner === b.owner &&
    a.programId === b.programId &&
    a.decimals === b.decimals
  );
}
