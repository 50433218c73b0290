import type { AccountReads } from '../../ledger/ledger.ts';
import { NATIVE_MINT, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { decodeMint } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import { invalidParams } from '../errors.ts';
import { NATIVE_MINT_DECIMALS, tokenUnit, type TokenUnit } from './token-unit.ts';

/** The properties of a mint that the methods use. */
interface MintFacts {
  /** The owner of the mint's account. For a broken mint it may be any program. */
  readonly tokenProgram: Address;
  /** How its amounts are shown. */
  readonly unit: TokenUnit;
}

/**
 * Reads the mint at `address`.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `get_mint_owner_and_additional_data`.
 */
export function readMint(ledger: AccountReads, address: Address): MintFacts {
  if (address === NATIVE_MINT)
    return { tokenProgram: TOKEN_PROGRAM, unit: { decimals: NATIVE_MINT_DECIMALS } };
  const account = ledger.getAccount(address);
  if (account === null) throw invalidParams('Invalid param: could not find mint');
  const mint = decodeMint(account.data);
  if (mint === null) throw invalidParams('Invalid param: Token mint could not be unpacked');
  const unit = tokenUnit(mint, account.data, (other) => ledger.getAccount(other));
  return { tokenProgram: account.owner, unit };
}
