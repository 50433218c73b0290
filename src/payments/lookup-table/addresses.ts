import { ServiceError } from '../../errors/service-error.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveEata } from '../../programs/ephemeral-token/pdas.ts';
import { LOOKUP_TABLE_ADDRESSES_MAX } from '../../programs/lookup-table.ts';
import { addressOf, ADDRESS_BYTES, type Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { SEAL_BYTES } from '../../programs/private-transfer/sealed-box.ts';
import { deriveDelegationAccounts } from '../accounts/deposit-accounts.ts';
import { deriveShuttle } from '../accounts/shuttle.ts';
import type { MintFacts } from '../mints/mint-facts.ts';
import { planPrivateBase } from '../transfer/drafts/transfer-plan.ts';

/** A mint and the program of its token accounts. */
type TableMint = Pick<MintFacts, 'mint' | 'tokenProgram'>;

/** What private transfers from base to base go through. */
interface TransferPlace {
  readonly facts: TableMint;
  readonly validator: Address;
  /** Who pays for gasless transfers; null for nobody. */
  readonly sponsor: Address | null;
}

/**
 * What a table holds for transfers of these mints on these validators: each address once, in a fixed order.
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if that is nothing, or more than a table can hold.
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
 * The accounts that every private transfer from base to base of a mint on a validator names, whoever sends
 * it, and that can be named through a table: neither programs that it calls nor signers. They are those that
 * the transfers of two senders have in common, with all that a transfer may contain.
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
