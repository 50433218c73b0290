import { deriveFeesVaultOf } from '../../src/payments/accounts/deposit-accounts.ts';
import { queueAccountsOf } from '../../src/payments/accounts/transfer-queue.ts';
import { FROM, TransferScene, VALIDATOR } from '../../src/payments/transfer/testing/transfer-scene.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_OWNER,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../src/programs/addresses.ts';
import { deriveAta } from '../../src/programs/associated-token.ts';
import { STEALTH_POOL_BYTES } from '../../src/programs/ephemeral-token/layout-b/stealth-pool.ts';
import { deriveStealthPool } from '../../src/programs/ephemeral-token/stealth-pool.ts';
import { concat, u64 } from '../../src/programs/instruction-data.ts';
import { SLOT_HASHES_SYSVAR } from '../../src/programs/sysvars.ts';
import type { Address } from '../../src/solana/address.ts';
import { MapNode, tokenAccountData } from '../ports/map-chain.ts';
import { transferQueueData } from '../ports/queue-data.ts';
import { PlayedNode } from './played-node.ts';

/** Balance of FROM's token account, in base units. */
export const BASE_TOKENS = 1_000_000_000_000n;
/** Balance of FROM on the rollup, in base units. */
export const ROLLUP_TOKENS = 5_000_000_000_000n;

/** A network over real sockets: a base ledger and the rollup on top of it. */
export interface PlayedNetwork {
  readonly base: PlayedNode;
  readonly rollup: PlayedNode;
  /** Gives a wallet the balances of FROM. */
  fund(owner: Address): void;
  /** Creates a stealth handle that can be paid. */
  openPool(handle: string): void;
  close(): Promise<void>;
}

/** Starts a network that is ready for USDC payments from FROM through VALIDATOR. */
export async function playNetwork(blockhashes: { base: string; rollup: string }): Promise<PlayedNetwork> {
  const scene = new TransferScene();
  const onBase = scene.chain;
  const onRollup = new MapNode();
  onBase
    .put(SLOT_HASHES_SYSVAR, {
      owner: SYSVAR_OWNER,
      data: concat(u64(1n), u64(300_000_000n), new Uint8Array(32)),
    })
    .put(deriveFeesVaultOf(VALIDATOR), { owner: DELEGATION_PROGRAM, data: new Uint8Array(8) })
    .put(queueAccountsOf(USDC_MINT, VALIDATOR, TOKEN_PROGRAM).queue, {
      owner: DELEGATION_PROGRAM,
      data: transferQueueData(USDC_MINT, VALIDATOR),
    });
  const fund = (owner: Address): void => {
    const ata = deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address;
    const tokens = (amount: bigint) => ({
      owner: TOKEN_PROGRAM,
      data: tokenAccountData(USDC_MINT, owner, amount),
    });
    scene.delegate(owner, VALIDATOR);
    onBase.put(ata, tokens(BASE_TOKENS));
    onBase.put(owner, { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 1_000_000_000n });
    onRollup.put(ata, tokens(ROLLUP_TOKENS));
  };
  fund(FROM);
  const [base, rollup] = await Promise.all([
    PlayedNode.start({ accounts: onBase.accounts, blockhash: blockhashes.base }),
    PlayedNode.start({ accounts: onRollup.accounts, blockhash: blockhashes.rollup, identity: VALIDATOR }),
  ]);
  return {
    base,
    rollup,
    fund,
    openPool: (handle) => {
      const pool = { owner: EPHEMERAL_TOKEN_PROGRAM, data: new Uint8Array(STEALTH_POOL_BYTES) };
      onBase.put(deriveStealthPool(handle).address, pool);
    },
    close: async () => {
      await Promise.all([base.close(), rollup.close()]);
    },
  };
}
