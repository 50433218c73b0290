import type { Chain } from '../chain/chain.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Keypair } from '../ledger/keypair.ts';
import { AMOUNT_MAX } from '../payments/fields/fields.ts';
import { readTransactionText } from '../payments/fields/transaction-field.ts';
import type { Random } from '../ports/random.ts';
import { addressBytes, parseAddress } from '../solana/address.ts';
import type { LocalFaucet } from '../wallets/fund.ts';
import { signMissing } from '../wallets/sign-missing.ts';
import type { Built, Gift, Holder, LocalnetWallet } from './localnet.ts';

/** Creates a random wallet. */
export function drawWallet(random: Random): LocalnetWallet {
  const seed = random.bytes(32);
  const keypair = new Keypair(seed);
  return {
    address: keypair.address,
    secretKey: Uint8Array.of(...seed, ...addressBytes(keypair.address)),
    sign: (message) => new Uint8Array(keypair.sign(message)),
  };
}

/**
 * Gives SOL, tokens or both. Resolves when they have arrived.
 *
 * @throws {ServiceError} INVALID_ADDRESS, INVALID_AMOUNT, MINT_NOT_FOUND, FAUCET_LIMIT, or
 * INVALID_ARGUMENTS if nothing is given or the faucet rejects the request.
 */
export async function give(
  faucet: LocalFaucet,
  holder: Holder,
  { sol, tokens, mint }: Gift & { readonly mint: string },
): Promise<void> {
  const wallet = parseAddress(typeof holder === 'string' ? holder : holder.address, 'wallet');
  if (sol === undefined && tokens === undefined) {
    throw new ServiceError('INVALID_ARGUMENTS', 'There is nothing to transfer: pass sol, tokens, or both');
  }
  const lamports = sol === undefined ? null : lamportsOf(sol);
  const amount = tokens === undefined ? null : baseUnitsOf(tokens);
  // Tokens come first, because an invalid mint then fails before anything is transferred.
  if (amount !== null) await faucet.airdropTokens(wallet, parseAddress(mint, 'mint'), amount);
  if (lamports !== null) await faucet.airdrop(wallet, lamports);
}

/** Converts SOL to lamports. Rejects numbers that would be rounded. */
function lamportsOf(sol: number): bigint {
  const text = Number.isFinite(sol) && sol >= 0 && sol < 1e10 ? sol.toFixed(9) : '';
  if (text === '' || Number(text) !== sol) {
    throw new ServiceError('INVALID_AMOUNT', 'sol must be 0 or more, with at most nine decimals', {
      field: 'sol',
    });
  }
  return BigInt(text.replace('.', ''));
}

function baseUnitsOf(tokens: bigint | number): bigint {
  const isExact = typeof tokens === 'bigint' || Number.isSafeInteger(tokens);
  if (isExact && tokens >= 0 && tokens <= AMOUNT_MAX) return BigInt(tokens);
  throw new ServiceError(
    'INVALID_AMOUNT',
    `tokens must be a whole number of base units from 0 to ${AMOUNT_MAX}, as a bigint or a safe integer`,
    { field: 'tokens' },
  );
}

/**
 * Signs a transaction with these wallets and sends it to its ledger. Resolves with the signature, base58,
 * when it has landed.
 *
 * @throws {ServiceError} INVALID_TRANSACTION, INVALID_ARGUMENTS if a signer is missing, TRANSACTION_FAILED.
 */
export async function signAndSend(
  chain: Chain,
  { transactionBase64, sendTo }: Built,
  wallets: readonly LocalnetWallet[],
): Promise<string> {
  const { wire, missing } = signMissing(readTransactionText(transactionBase64), (signer) =>
    wallets.find(({ address }) => address === signer),
  );
  if (missing.length > 0) {
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `The transaction needs the signature of ${missing.join(' and ')}: pass that wallet too`,
      { signers: [...missing] },
    );
  }
  if (sendTo === 'base') return await chain.sendTransaction(wire);
  if (chain.rollup === null)
    throw new ServiceError('UNSUPPORTED_ON_CLUSTER', 'The localnet runs without a rollup: start it with one');
  return await chain.rollup.sendTransaction(wire);
}
