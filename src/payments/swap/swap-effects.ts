import { NATIVE_MINT } from '../../programs/addresses.ts';
import { decodeMint, isTokenProgram } from '../../programs/token/state.ts';
import type { Rent } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { changedRights } from '../explain/state/simulate-explained.ts';
import { type SimulatedAccount, tokensOf } from '../simulation/with-simulation.ts';

/** The effects that a swap may have. Amounts are in base units. */
export interface ExpectedSwap {
  readonly user: Address;
  /** Pays the network fee and rent; may be the user. */
  readonly payer: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly inputMax: bigint;
  readonly outputMin: bigint;
  /** Token account that receives the output; null for the user's accounts. */
  readonly tokenDestination: Address | null;
  /** Wallet that receives the output as SOL; null for the user's accounts. */
  readonly solDestination: Address | null;
  /** Additional lamports that the user pays for steps after the swap. */
  readonly extraLamports: bigint;
  /** Maximum tip, in lamports. */
  readonly tipLamports: bigint;
  /** Maximum network fee, in lamports. */
  readonly networkFee: bigint;
  readonly rent: Rent;
}

/**
 * Compares the simulated effects of a swap with the request: the user pays at most the input, the destination
 * receives at least the output, and the user and the payer lose nothing else and no rights.
 *
 * @param accounts every writable account, before and after.
 * @returns the first difference; null if there is none.
 */
export function effectsFault(accounts: readonly SimulatedAccount[], expected: ExpectedSwap): string | null {
  const { user, payer } = expected;
  const own = new Set([user, payer]);
  const owned = accounts.filter((account) => own.has(ownerOf(account)));
  const [right] = [
    ...owned.flatMap((account) => [...changedRights(account, own), ...newRights(account)]),
    ...accounts.flatMap((account) => mintRights(account, own)),
  ];
  if (right !== undefined) return right;
  return tokenFault(owned, expected) ?? solFault(accounts, expected) ?? outputFault(accounts, expected);
}

/** Returns the wallet of an account: the owner of a token account, or else the address itself. */
const ownerOf = ({ address, before, after }: SimulatedAccount): Address =>
  (tokensOf(before) ?? tokensOf(after))?.owner ?? address;

/** Describes what a new token account lets others do, and a token account that gets another mint. */
function newRights({ address, before, after }: SimulatedAccount): string[] {
  const [had, has] = [tokensOf(before), tokensOf(after)];
  if (has === null) return [];
  if (had !== null) return had.mint === has.mint ? [] : [`token account ${address} gets another mint`];
  const { owner, delegate, closeAuthority } = has;
  return [
    ...(delegate === null ? [] : [`new token account ${address} has ${delegate} as its delegate`]),
    ...(closeAuthority === null || closeAuthority === owner
      ? []
      : [`new token account ${address} has ${closeAuthority} as its close authority`]),
  ];
}

/** Describes a change to a mint that the user or the payer can mint or freeze. No swap needs that. */
function mintRights({ address, before, after }: SimulatedAccount, own: ReadonlySet<string | null>): string[] {
  const had = before !== null && isTokenProgram(before.owner) ? decodeMint(before.data) : null;
  const holder = had && [had.mintAuthority, had.freezeAuthority].find((each) => own.has(each));
  const isSame = after !== null && before !== null && Buffer.compare(before.data, after.data) === 0;
  return holder === null || holder === undefined || isSame
    ? []
    : [`it changes mint ${address} with the rights of ${holder}`];
}

const tokenChange = ({ before, after }: SimulatedAccount): bigint =>
  (tokensOf(after)?.amount ?? 0n) - (tokensOf(before)?.amount ?? 0n);

const lamportChange = ({ before, after }: SimulatedAccount): bigint =>
  (after?.lamports ?? 0n) - (before?.lamports ?? 0n);

const sumOf = (
  accounts: readonly SimulatedAccount[],
  change: (account: SimulatedAccount) => bigint,
): bigint => accounts.reduce((sum, account) => sum + change(account), 0n);

const mintOf = ({ before, after }: SimulatedAccount): Address | undefined =>
  (tokensOf(after) ?? tokensOf(before))?.mint;

/** Checks what the user and the payer lose of each mint except SOL. */
function tokenFault(
  owned: readonly SimulatedAccount[],
  { user, payer, inputMint, inputMax }: ExpectedSwap,
): string | null {
  for (const wallet of new Set([user, payer])) {
    const holdings = owned.filter((account) => ownerOf(account) === wallet);
    for (const mint of new Set(holdings.map(mintOf))) {
      if (mint === undefined || mint === NATIVE_MINT) continue;
      const lost = -sumOf(
        holdings.filter((account) => mintOf(account) === mint),
        tokenChange,
      );
      const most = wallet === user && mint === inputMint ? inputMax : 0n;
      if (lost > most)
        return `${wallet} pays ${lost} base units of ${mint}, but at most ${most} were requested`;
    }
  }
  return null;
}

/** Checks what the user and the payer lose in SOL, of which wrapped SOL and the rent of accounts are part. */
function solFault(accounts: readonly SimulatedAccount[], expected: ExpectedSwap): string | null {
  const { user, payer, inputMint, inputMax } = expected;
  for (const wallet of new Set([user, payer])) {
    const lost = -walletLamports(accounts, wallet);
    const paid = wallet === user && inputMint === NATIVE_MINT ? inputMax : 0n;
    const most = paid + costsOf(accounts, wallet, expected);
    if (lost > most) return `${wallet} pays ${lost} lamports, but at most ${most} were expected`;
  }
  return null;
}

const walletLamports = (accounts: readonly SimulatedAccount[], wallet: Address): bigint =>
  sumOf(
    accounts.filter((account) => ownerOf(account) === wallet),
    lamportChange,
  );

/** Maximum number of new token accounts of others whose rent a swap may cost: for the output and a fee. */
const OTHERS_ACCOUNTS_MAX = 2;

/** The most lamports that a swap costs a wallet in addition to its input: fees, and rent that others get. */
function costsOf(
  accounts: readonly SimulatedAccount[],
  wallet: Address,
  { user, payer, networkFee, tipLamports, extraLamports, rent }: ExpectedSwap,
): bigint {
  const created = accounts.filter(
    (account) => account.before === null && tokensOf(account.after) !== null && ownerOf(account) !== wallet,
  );
  const rents = sumOf(created.slice(0, OTHERS_ACCOUNTS_MAX), ({ after }) =>
    rent.minimum(after?.data.length ?? 0),
  );
  return rents + (wallet === payer ? networkFee + tipLamports : 0n) + (wallet === user ? extraLamports : 0n);
}

function outputFault(accounts: readonly SimulatedAccount[], expected: ExpectedSwap): string | null {
  const got = outputOf(accounts, expected);
  const { outputMint, outputMin } = expected;
  if (got >= outputMin) return null;
  return `the destination receives ${got} base units of ${outputMint}, but at least ${outputMin} were requested`;
}

function outputOf(accounts: readonly SimulatedAccount[], expected: ExpectedSwap): bigint {
  const { user, payer, outputMint, tokenDestination, solDestination } = expected;
  if (tokenDestination !== null) {
    const found = accounts.find(({ address }) => address === tokenDestination);
    return found !== undefined && mintOf(found) === outputMint ? tokenChange(found) : 0n;
  }
  if (outputMint !== NATIVE_MINT) {
    const holdings = accounts.filter(
      (account) => mintOf(account) === outputMint && ownerOf(account) === user,
    );
    return sumOf(holdings, tokenChange);
  }
  const wallet = solDestination ?? user;
  const isOwn = wallet === user || wallet === payer;
  return walletLamports(accounts, wallet) + (isOwn ? costsOf(accounts, wallet, expected) : 0n);
}
