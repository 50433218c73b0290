import { address, createSolanaRpc, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { findAta } from './mint.ts';
import { checkEqual, note } from './report.ts';
import type { Network, NetworkMint } from './network.ts';

/** The ephemeral SPL token program. */
const PAYMENTS = address('SPLxh1LVZzEkX99H6rqYizhytLWPZVV296zyYDPagv2');

/** Offsets of the amount in a token account and in an ephemeral one. Both are little-endian u64s. */
const AMOUNT_OFFSET = 64;

/**
 * Verifies that the vault of a mint has exactly the sum of all balances on the rollup, of undelegated
 * ephemeral token accounts on base, and of fees.
 */
export async function checkVault(network: Network, mint: NetworkMint): Promise<void> {
  const vault = await findPda(mint.address);
  const inVault = await amountIn(network, await findAta(vault, mint.address, mint.tokenProgram));
  let onRollup = 0n;
  let undelegated = 0n;
  for (const [person, { rollup }] of network.holdersOf(mint)) {
    onRollup += rollup;
    undelegated += await amountIn(network, await findPda(person.wallet.address, mint.address), PAYMENTS);
  }
  const fees = network.feesIn(mint);
  note(`${mint.name}: rollup + undelegated + fees`, `${onRollup} + ${undelegated} + ${fees}`);
  checkEqual(`the vault of ${mint.name}`, inVault, onRollup + undelegated + fees);
}

/** Returns the base units in an account on base; 0 if it does not exist or another program owns it. */
async function amountIn(network: Network, account: string, owner?: string): Promise<bigint> {
  const rpc = createSolanaRpc(network.ledgerUrl);
  const { value } = await rpc.getAccountInfo(address(account), { encoding: 'base64' }).send();
  if (value === null || (owner !== undefined && value.owner !== owner)) return 0n;
  return Buffer.from(value.data[0], 'base64').readBigUInt64LE(AMOUNT_OFFSET);
}

async function findPda(...seeds: readonly string[]) {
  const encoded = seeds.map((seed) => getAddressEncoder().encode(address(seed)));
  const [found] = await getProgramDerivedAddress({ programAddress: PAYMENTS, seeds: encoded });
  return found;
}
