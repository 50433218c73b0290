import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { USDC_DEVNET_MINT, USDC_MINT } from '../programs/addresses.ts';
import { decodeMint } from '../programs/token/state.ts';
import type { Address } from '../solana/address.ts';

/** A mint with its display name. */
export interface NamedMint {
  readonly name: string;
  readonly address: Address;
}

/** Mints of the genesis. */
const MINTS: readonly NamedMint[] = [
  { name: 'USDC (6 decimals)', address: USDC_MINT },
  { name: 'USDC of devnet (6 decimals)', address: USDC_DEVNET_MINT },
];

/**
 * The genesis mints that still exist with the faucet as authority: an operator may have put other accounts at
 * their addresses.
 */
export function faucetMints(ledger: Pick<EmbeddedLedger, 'faucet' | 'getAccount'>): readonly NamedMint[] {
  return MINTS.filter(({ address }) => {
    const account = ledger.getAccount(address);
    return account !== null && decodeMint(account.data)?.mintAuthority === ledger.faucet;
  });
}
