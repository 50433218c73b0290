import type { Chain } from '../../chain/chain.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM, NATIVE_MINT } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import {
  createLookupTable,
  extendLookupTable,
  freezeLookupTable,
  LOOKUP_TABLE_ADDRESSES_MAX,
} from '../../programs/lookup-table.ts';
import { SEAL_BYTES } from '../../programs/private-transfer/sealed-box.ts';
import { type Address, ADDRESS_BYTES, addressOf } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { deriveDelegationAccounts } from '../accounts/deposit-accounts.ts';
import { deriveShuttle } from '../accounts/shuttle.ts';
import { fits } from '../building/built-transaction.ts';
import { USDT_MINT } from '../mints/common-mints.ts';
import { type MintFacts, readMint } from '../mints/mint-facts.ts';
import { planPrivateBase } from '../transfer/plan.ts';

/** The default mints of a table, if the cluster has them. */
export const usualMints = ({ network, defaultMint }: Pick<Chain, 'network' | 'defaultMint'>): Address[] => [
  NATIVE_MINT,
  defaultMint,
  ...(network === 'mainnet' ? [USDT_MINT] : []),
];

/**
 * Reads the named mints, which must all exist, or else the default mints that exist.
 *
 * @throws {ServiceError} MINT_NOT_FOUND, UNSUPPORTED_TOKEN_PROGRAM, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export async function readTableMints(
  chain: Chain,
  named: readonly Address[] | undefined,
): Promise<MintFacts[]> {
  if (named !== undefined) return await Promise.all([...new Set(named)].map((mint) => readMint(chain, mint)));
  const found = await Promise.all(
    usualMints(chain).map((mint) => readMint(chain, mint).catch(nullIfMissing)),
  );
  return found.filter((facts) => facts !== null);
}

function nullIfMissing(error: unknown): null {
  if (isServiceError(error) && error.code === 'MINT_NOT_FOUND') return null;
  throw error;
}

/** A mint and the program of its token accounts. */
type TableMint = Pick<MintFacts, 'mint' | 'tokenProgram'>;

/** The mint, validator and sponsor of private transfers from base to base. */
interface TransferPlace {
  readonly facts: TableMint;
  readonly validator: Address;
  /** The payer of gasless transfers; null if there is none. */
  readonly sponsor: Address | null;
}

/**
 * The addresses of a table for transfers of these mints on these validators: each address once, in a fixed
 * order.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if there are none, or more than a table can hold.
 */
export function tableAddresses(
  mints: readonly TableMint[],
  validators: readonly Address[],
  sponsor: Address | null,
): Address[] {
  const places = mints.flatMap((facts) => validators.map((validator) => ({ facts, validator, sponsor })));
  const addresses = [...new Set(places.flatMap(transferAddresses))];
  if (addresses.length > 0 && addresses.length <= LOOKUP_TABLE_ADDRESSES_MAX) return addresses;
  throw new ServiceError(
    'INVALID_ARGUMENTS',
    addresses.length === 0
      ? 'mints: this cluster has none of the usual mints; name those that are paid with'
      : `A table holds ${LOOKUP_TABLE_ADDRESSES_MAX} addresses and this would need ${addresses.length}: name fewer mints or validators, and make a table for each`,
    { field: 'mints' },
  );
}

/** Bytes of delivery terms: two delays u64 and a split u32. */
const TERMS_BYTES = 20;

/**
 * The accounts that every private transfer from base to base of a mint on a validator names, and that a table
 * can hold: neither called programs nor signers. They are the accounts that the transfers of two different
 * senders have in common, if a transfer uses every option.
 */
function transferAddresses(place: TransferPlace): Address[] {
  const [first, second] = [1, 2].map((byte) => accountsOf(planOf(place, wallet(byte))));
  return [...(first as Set<Address>)].filter((address) => second?.has(address) === true);
}

const wallet = (byte: number): Address => addressOf(new Uint8Array(ADDRESS_BYTES).fill(byte));

function planOf({ facts, validator, sponsor }: TransferPlace, from: Address): Instruction[] {
  const { mint, tokenProgram } = facts;
  const eata = deriveEata(from, mint).address;
  const owner = { owner: from, mint, tokenProgram };
  const sponsorAta = sponsor === null ? null : deriveAta(sponsor, mint, tokenProgram).address;
  return planPrivateBase(
    {
      from,
      payer: from,
      mint,
      tokenProgram,
      sourceAta: deriveAta(from, mint, tokenProgram).address,
      amount: 1n,
      checked: null,
      tolls: sponsorAta === null ? [] : [{ account: sponsorAta, amount: 1n }],
      memo: '',
      creates: { vault: true, sourceAta: true },
      wrap: { wrapLamports: 1n, rentTopUpLamports: 1n },
      shuttle: deriveShuttle(owner, 0),
    },
    { owner: from, eata, delegation: deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM) },
    {
      exactOut: true,
      sealed: {
        validator,
        destination: new Uint8Array(ADDRESS_BYTES + SEAL_BYTES),
        terms: new Uint8Array(TERMS_BYTES + SEAL_BYTES),
      },
    },
  );
}

function accountsOf(instructions: readonly Instruction[]): Set<Address> {
  const programs = new Set(instructions.map(({ programId }) => programId));
  const metas = instructions.flatMap(({ accounts }) => accounts);
  const signers = new Set(metas.flatMap(({ address, signer }) => (signer ? [address] : [])));
  return new Set(
    metas.map(({ address }) => address).filter((address) => !programs.has(address) && !signers.has(address)),
  );
}

/** A new table. */
interface TableSpec {
  readonly payer: Address;
  readonly authority: Address;
  /** One of those that the base ledger still knows. */
  readonly recentSlot: bigint;
  readonly addresses: readonly Address[];
  readonly freezes: boolean;
}

/** A table, and the transactions that make it, one after the other. */
interface TablePlan {
  readonly lookupTable: Address;
  readonly transactions: readonly (readonly Instruction[])[];
  /** The addresses that each of them adds; without the one that freezes, which adds none. */
  readonly parts: readonly (readonly Address[])[];
}

/** Plans the creation with as many addresses as fit, then the remaining addresses, and last the freeze. */
export function planLookupTable({ payer, authority, recentSlot, addresses, freezes }: TableSpec): TablePlan {
  const { lookupTable, create } = createLookupTable({ authority, payer }, recentSlot);
  const accounts = { lookupTable, authority, payer };
  const transactions: Instruction[][] = [];
  const parts: (readonly Address[])[] = [];
  let left = addresses;
  while (left.length > 0) {
    const head = transactions.length === 0 ? [create] : [];
    const withCount = (count: number) => [...head, extendLookupTable(accounts, left.slice(0, count))];
    let count = 1;
    while (count < left.length && fits(payer, withCount(count + 1))) count++;
    transactions.push(withCount(count));
    parts.push(left.slice(0, count));
    left = left.slice(count);
  }
  if (freezes) transactions.push([freezeLookupTable(accounts)]);
  return { lookupTable, transactions, parts };
}
