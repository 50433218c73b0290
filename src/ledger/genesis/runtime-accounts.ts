import { CONFIG_PROGRAM, NATIVE_MINT, STAKE_CONFIG } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import type { AccountEntry } from './genesis.ts';
import { mintAccount } from './mint-account.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;
const SOL_DECIMALS = 9;

/** The rent epoch of the native mint in Agave's genesis. */
const NATIVE_MINT_RENT_EPOCH = 1n;

/**
 * The accounts of every Agave genesis besides its programs
 * (`create_genesis_config_with_leader_ex_no_features`).
 */
export function runtimeAccounts(): AccountEntry[] {
  const nativeMint = {
    ...mintAccount(null, SOL_DECIMALS),
    lamports: LAMPORTS_PER_SOL,
    rentEpoch: NATIVE_MINT_RENT_EPOCH,
  };
  return [
    [NATIVE_MINT, nativeMint],
    [STAKE_CONFIG, stakeConfig()],
  ];
}

/**
 * `ConfigKeys` without keys (compact count), then `stake::config::Config`: warm-up rate f64, slash penalty
 * u8.
 */
function stakeConfig(): Account {
  const data = Buffer.alloc(1 + 8 + 1);
  data.writeDoubleLE(0.25, 1);
  data.writeUInt8(12, 9);
  return {
    lamports: rentExemptMinimum(data.length),
    owner: CONFIG_PROGRAM,
    data: new Uint8Array(data),
    executable: false,
    rentEpoch: 0n,
  };
}
