import { EPHEMERAL_TOKEN_PROGRAM, NATIVE_MINT, TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { decodeEata, type Eata } from '../../programs/ephemeral-token/state.ts';
import { TOKEN_ACCOUNT_BYTES } from '../../programs/token/state.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import { writeAddress, type Address } from '../../solana/address.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';

/** An eATA delegated to the rollup, and the ATA that holds its tokens there. */
export interface Projection {
  readonly owner: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly ata: Address;
  readonly eata: Address;
  /** The delegation record of the eATA. */
  readonly record: Address;
}

/**
 * SPL Token `Account`: mint 32, owner 32, amount u64, ..., state u8, is_native as Option<u64> with a u32 tag.
 */
const OWNER_AT = 32;
const AMOUNT_AT = 64;
const STATE_AT = 108;
const NATIVE_AT = 109;
const INITIALIZED = 1;

/**
 * Token-2022 `AccountType::Account`, and the only extension its ATAs always have, `ImmutableOwner` (u16 7,
 * u16 length 0).
 */
const ATA_2022_TAIL = [2, 7, 0, 0, 0];

/** Derives the addresses of an eATA whose mint belongs to `tokenProgram`. */
export function deriveProjection(eata: Address, { owner, mint }: Eata, tokenProgram: Address): Projection {
  return {
    owner,
    mint,
    tokenProgram,
    ata: deriveAta(owner, mint, tokenProgram).address,
    eata,
    record: deriveDelegationRecord(eata).address,
  };
}

/**
 * The initial ATA on the rollup: initialised, with `amount` base units and nothing else, whatever the ATA on
 * base contains. An ATA of wrapped SOL also has the lamports of its tokens.
 */
export function projectAta({ owner, mint, tokenProgram }: Projection, amount: bigint): Account {
  const tail = tokenProgram === TOKEN_2022_PROGRAM ? ATA_2022_TAIL : [];
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES + tail.length);
  const view = new DataView(data.buffer);
  writeAddress(data, 0, mint);
  writeAddress(data, OWNER_AT, owner);
  view.setBigUint64(AMOUNT_AT, amount, true);
  data[STATE_AT] = INITIALIZED;
  data.set(tail, TOKEN_ACCOUNT_BYTES);
  const rent = rentExemptMinimum(data.length);
  const isNative = mint === NATIVE_MINT;
  if (isNative) {
    view.setUint32(NATIVE_AT, 1, true);
    view.setBigUint64(NATIVE_AT + 4, rent, true);
  }
  return {
    lamports: isNative ? rent + amount : rent,
    owner: tokenProgram,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

/**
 * An eATA as the rollup shows it: owned by its own program, as if it were not delegated, with the amount of
 * its ATA.
 */
export function projectEata(eata: Account, amount: bigint): Account {
  return { ...eata, owner: EPHEMERAL_TOKEN_PROGRAM, data: eataDataWith(eata.data, amount) };
}

/** Returns the data of an eATA with another amount. */
export function eataDataWith(data: Uint8Array, amount: bigint): Uint8Array {
  const changed = new Uint8Array(data);
  new DataView(changed.buffer).setBigUint64(AMOUNT_AT, amount, true);
  return changed;
}

/** The amount of an eATA in base units; null if the account is no eATA. */
export function eataAmount(account: Account | null | undefined): bigint | null {
  return account === null || account === undefined ? null : (decodeEata(account.data)?.amount ?? null);
}
