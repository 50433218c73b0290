import { MapChain, MapRollup, mintDataOf, tokenAccountData } from '../../../../test/ports/map-chain.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { deriveStealthPool } from '../../../programs/ephemeral-token/stealth-pool.ts';
import { type Address, addressBytes, isAddress } from '../../../solana/address.ts';
import { deriveMintVault } from '../../accounts/deposit-accounts.ts';
import { queueAccountsOf } from '../../accounts/transfer-queue.ts';
import { RENT_PDA } from '../../fees/costs.ts';

/** The parties of a transfer and their balances. */
interface ReadyParties {
  readonly from: Address;
  /** A wallet or a stealth handle. */
  readonly to: string;
  readonly mint: Address;
  readonly validator: Address;
  /** Base units in the sender's token account, or null without one. Default: 100 tokens with 6 decimals. */
  readonly sourceTokens?: bigint | null;
  readonly rentPdaLamports?: bigint;
  readonly sponsor?: Address | undefined;
  readonly platformFeeAccount?: Address | undefined;
}

/** Builds a layout B mainnet with a rollup, on which a transfer succeeds. */
export function readyChain(parties: ReadyParties): MapChain {
  const { from, to, mint, validator, sponsor, platformFeeAccount } = parties;
  const { sourceTokens = 100_000_000n, rentPdaLamports = 20_000_000n } = parties;
  const chain = new MapChain();
  const rollup = Object.assign(new MapRollup(), { validator });
  Object.assign(chain, { layout: 'b', network: 'mainnet', cluster: 'mainnet', rollup, validator });
  const programAccount = { owner: EPHEMERAL_TOKEN_PROGRAM, data: new Uint8Array(80) };
  const wallet = { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 1_000_000_000n };
  const putTokens = (address: Address, owner: Address, amount: bigint): unknown =>
    chain.put(address, { owner: TOKEN_PROGRAM, data: tokenAccountData(mint, owner, amount) });
  const ataOf = (owner: Address): Address => deriveAta(owner, mint, TOKEN_PROGRAM).address;
  const { vault, vaultAta } = deriveMintVault(mint, TOKEN_PROGRAM);
  putTokens(vaultAta, vault.address, 0n);
  chain
    .put(mint, { owner: TOKEN_PROGRAM, data: mintDataOf(mint) })
    .put(vault.address, { ...programAccount, data: vaultData(mint, vaultAta) })
    .put(queueAccountsOf(mint, validator, TOKEN_PROGRAM).queue, {
      ...programAccount,
      owner: DELEGATION_PROGRAM,
    })
    .put(RENT_PDA, { ...wallet, lamports: rentPdaLamports })
    .put(from, wallet);
  if (sourceTokens !== null) putTokens(ataOf(from), from, sourceTokens);
  if (isAddress(to)) putTokens(ataOf(to), to, 0n);
  else chain.put(deriveStealthPool(to).address, programAccount);
  if (sponsor !== undefined) {
    chain.put(sponsor, wallet);
    putTokens(ataOf(sponsor), sponsor, 0n);
  }
  if (platformFeeAccount !== undefined) putTokens(platformFeeAccount, from, 0n);
  return chain;
}

/** Encodes a vault of layout B: mint, its token account, bump. */
const vaultData = (mint: Address, vaultAta: Address): Uint8Array =>
  Uint8Array.of(...addressBytes(mint), ...addressBytes(vaultAta), 255);
