import type { Random } from '../../ports/random.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import type { DelegationAccounts } from '../../programs/delegation/pdas.ts';
import type { ShuttleAccounts } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { deriveEata, deriveShuttleMetadata } from '../../programs/ephemeral-token/pdas.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { deriveDelegationAccounts } from './deposit-accounts.ts';

/** A shuttle to be created: a one-way carrier of an owner's tokens between base and rollup. */
export interface Shuttle {
  /** 31 bits, as drawn by the hosted API. */
  readonly id: number;
  readonly accounts: ShuttleAccounts;
  /** The accounts used to delegate its eATA. */
  readonly delegation: DelegationAccounts;
}

/** The owner and the tokens of a shuttle. */
interface ShuttleOwner {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** Derives the shuttle with an id. */
export function deriveShuttle({ owner, mint, tokenProgram }: ShuttleOwner, id: number): Shuttle {
  const metadata = deriveShuttleMetadata(owner, mint, id).address;
  const eata = deriveEata(metadata, mint).address;
  return {
    id,
    accounts: { metadata, eata, walletAta: deriveAta(metadata, mint, tokenProgram).address },
    delegation: deriveDelegationAccounts(eata, EPHEMERAL_TOKEN_PROGRAM),
  };
}

/** Draws a shuttle with a random id: 4 bytes, little-endian, without the highest bit. */
export function drawShuttle(owner: ShuttleOwner, random: Random): Shuttle {
  const id = Buffer.from(random.bytes(4)).readUInt32LE() & 0x7fff_ffff;
  return deriveShuttle(owner, id);
}

/** The accounts that decide whether a shuttle can be created: its metadata and its eATA. */
interface ShuttleState {
  readonly shuttle: Account | null;
  readonly shuttleEata: Account | null;
}

/**
 * Whether a shuttle cannot carry tokens: it exists already, or its eATA is delegated. Anyone can delegate an
 * eATA, because the program does not require its owner's signature.
 */
export const isShuttleTaken = ({ shuttle, shuttleEata }: ShuttleState): boolean =>
  shuttle?.owner === EPHEMERAL_TOKEN_PROGRAM || shuttleEata?.owner === DELEGATION_PROGRAM;

/** Number of draws before giving up. With honest randomness a second draw is needed once in 2^31. */
const DRAWS_MAX = 4;

/**
 * Draws a shuttle whose id is free, and reads the chain for each draw. The program treats a repeated id as a
 * repeated transaction: it charges the fee and moves nothing.
 *
 * @param read sets `shuttleTaken` if any account exists at the metadata address. Lamports alone block it,
 *   because the program calls the system program's `CreateAccount`. The eATA and the delegation buffer need
 *   no check: a stranger would have to guess one of 2^31 ids to put something there.
 */
export async function readWithFreshShuttle<State extends { readonly shuttleTaken: boolean }>(
  owner: ShuttleOwner,
  random: Random,
  read: (shuttle: Shuttle) => Promise<State>,
): Promise<{ readonly shuttle: Shuttle; readonly state: State }> {
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const shuttle = drawShuttle(owner, random);
    const state = await read(shuttle);
    if (!state.shuttleTaken) return { shuttle, state };
  }
  throw new Error(`${DRAWS_MAX} shuttle ids in a row already exist: the random source repeats itself`);
}
