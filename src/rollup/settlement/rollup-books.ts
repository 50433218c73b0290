import { ServiceError } from '../../errors/service-error.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { RENT_EXEMPT_EPOCH, type Account } from '../../solana/account.ts';
import { ADDRESS_BYTES, addressOf, writeAddress, type Address } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';

/** A request to undelegate an eATA. Until it is settled, the tokens of the eATA do not move on the rollup. */
export interface SettlementRequest {
  readonly eata: Address;
  /** base58: the rollup transaction of the undelegation. */
  readonly undelegation: string;
  /** base58: the newest settlement transaction signed for it on base; null before the first. */
  readonly signature: string | null;
}

/**
 * The address of the books among the accounts of the rollup. Nobody has a key for it, no transaction may name
 * it, and `Guards` hides it from every reader.
 */
export const ROLLUP_BOOKS = 'Ro11upBooks11111111111111111111111111111111' as Address;

/** The open requests of the rollup, and the base ledger they are for. */
export interface RollupBooks {
  /** base58. */
  readonly baseGenesisHash: string;
  /** In the order they were accepted. */
  readonly requests: readonly SettlementRequest[];
}

/**
 * Layout: version u8 = 2, genesis hash of base 32, then for each request: eATA 32, signature of the
 * undelegation 64, signature on base 64 (zeros for none). The layout is this project's own; MagicBlock's
 * validator keeps such requests in its Magic context, for everybody to read.
 */
const VERSION = 2;
const HEADER_BYTES = 33;
const SIGNATURE_BYTES = 64;
const SIGNATURE_AT = ADDRESS_BYTES + SIGNATURE_BYTES;
const REQUEST_BYTES = SIGNATURE_AT + SIGNATURE_BYTES;

const decoded = new WeakMap<Account, RollupBooks>();

/**
 * The books of a rollup.
 *
 * @throws {ServiceError} LEDGER_FOLDER_UNREADABLE when another version wrote it.
 * @throws {Error} when the account is missing.
 */
export function readRollupBooks(accounts: Pick<AccountView, 'get'>): RollupBooks {
  const account = accounts.get(ROLLUP_BOOKS);
  if (account === undefined) throw new Error('the rollup has no books');
  let books = decoded.get(account);
  if (books === undefined) decoded.set(account, (books = decode(account.data)));
  return books;
}

/** The account that keeps the books. */
export function rollupBooksAccount({ baseGenesisHash, requests }: RollupBooks): Account {
  const data = new Uint8Array(HEADER_BYTES + requests.length * REQUEST_BYTES);
  data[0] = VERSION;
  data.set(decodeBase58(baseGenesisHash), 1);
  for (const [index, { eata, undelegation, signature }] of requests.entries()) {
    const at = HEADER_BYTES + index * REQUEST_BYTES;
    writeAddress(data, at, eata);
    data.set(decodeBase58(undelegation), at + ADDRESS_BYTES);
    if (signature !== null) data.set(decodeBase58(signature), at + SIGNATURE_AT);
  }
  return {
    lamports: rentExemptMinimum(data.length),
    owner: MAGIC_PROGRAM,
    data,
    executable: false,
    rentEpoch: RENT_EXEMPT_EPOCH,
  };
}

function decode(data: Uint8Array): RollupBooks {
  if (data[0] !== VERSION || (data.length - HEADER_BYTES) % REQUEST_BYTES !== 0) {
    throw new ServiceError(
      'LEDGER_FOLDER_UNREADABLE',
      'The rollup was kept by another version of this program: use that version, or start with --reset',
    );
  }
  const requests: SettlementRequest[] = [];
  for (let at = HEADER_BYTES; at < data.length; at += REQUEST_BYTES) {
    const signature = data.subarray(at + SIGNATURE_AT, at + REQUEST_BYTES);
    requests.push({
      eata: addressOf(data.subarray(at, at + ADDRESS_BYTES)),
      undelegation: encodeBase58(data.subarray(at + ADDRESS_BYTES, at + SIGNATURE_AT)),
      signature: signature.every((byte) => byte === 0) ? null : encodeBase58(signature),
    });
  }
  return { baseGenesisHash: encodeBase58(data.subarray(1, HEADER_BYTES)), requests };
}
